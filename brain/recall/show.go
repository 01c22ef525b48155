package recall

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// Shown is a memory with its relations and its source.
type Shown struct {
	Memory       brain.View       `json:"memory"`
	ResolvedFrom brain.OrNull     `json:"resolvedFrom"` // the requested id, if it redirects to another
	Relations    []brain.Relation `json:"relations"`
	Source       *brain.Source    `json:"source"`
	Sources      []brain.Source   `json:"-"` // all that lead to it, newest first
}

// View returns a memory as it is shown now, without touching it.
func (s *Service) View(ctx context.Context, m brain.Memory) (brain.View, error) {
	return brain.First(s.Views(ctx, m))
}

// Views is View for several memories.
func (s *Service) Views(ctx context.Context, ms ...brain.Memory) ([]brain.View, error) {
	return lifecycle.Read(ctx, s.base, func(r brain.Reader) ([]brain.View, error) {
		v, err := s.base.Viewer(r, s.base.Now(), ms...)
		return v.Views(ms), err
	})
}

// Show returns the newest memory of an id's chain or, with exact, the memory with that id.
// For a section or an activity it returns that, in the form of a memory.
func (s *Service) Show(ctx context.Context, id string, exact bool) (Shown, error) {
	now := s.base.Now()
	return lifecycle.Read(ctx, s.base, func(r brain.Reader) (out Shown, err error) {
		m, asked, err := find(r, id, exact)
		if errors.Is(err, brain.ErrNotFound) {
			return s.showOther(r, id, now, err)
		}
		if err != nil {
			return out, err
		}
		if asked != m.ID {
			out.ResolvedFrom = brain.OrNull(asked)
		}
		v, err := s.base.Viewer(r, now, m)
		if err != nil {
			return out, err
		}
		out.Memory = v.View(m)
		if source, ok := v.Sources[m.SourceNodeID]; ok {
			out.Source = &source
		}
		if out.Relations, err = r.Relations(m.ID); err != nil {
			return out, err
		}
		out.Sources, err = sourcesOf(r, m.ID, out.Relations)
		return out, err
	})
}

// sourcesOf returns the sources that lead to a memory, newest first.
func sourcesOf(r brain.Reader, id string, rels []brain.Relation) ([]brain.Source, error) {
	var ids []string
	for _, rel := range rels {
		if rel.Type == brain.HasMemory && rel.To == id {
			ids = append(ids, rel.From)
		}
	}
	sources, err := r.Sources(ids...)
	slices.SortFunc(sources, func(a, b brain.Source) int {
		return cmp.Or(cmp.Compare(sourceDate(b), sourceDate(a)), b.Created.Compare(a.Created), cmp.Compare(a.ID, b.ID))
	})
	return sources, err
}

// sourceDate returns the day of a source: that of its note, else that of its capture.
func sourceDate(s brain.Source) string {
	return cmp.Or(s.Date, s.Created.Format(time.DateOnly))
}

// showOther returns a section or an activity in the form of a memory, or notFound.
func (s *Service) showOther(r brain.Reader, id string, now time.Time, notFound error) (out Shown, err error) {
	full, err := lifecycle.CompleteID(r, id)
	if err != nil {
		return out, err
	}
	found, err := r.Sections(full)
	ss := lifecycle.Get(&err, r.Sources, full)
	if err != nil {
		return out, err
	}
	v, err := s.base.Viewer(r, now)
	switch {
	case err != nil:
		return out, err
	case len(found) > 0:
		out.Memory = v.Section(found[0])
	case len(ss) > 0 && ss[0].Kind == brain.Activity:
		out.Memory, out.Source = v.Activity(ss[0]), &ss[0]
	default:
		return out, notFound
	}
	out.Relations, err = r.Relations(full)
	return out, err
}

// find returns a memory, and the full id that was requested.
func find(r brain.Reader, id string, exact bool) (brain.Memory, string, error) {
	if !exact {
		found, err := lifecycle.Resolve(r, id)
		return found.Memory, found.Asked, err
	}
	full, err := lifecycle.CompleteID(r, id)
	if err != nil {
		return brain.Memory{}, "", err
	}
	m, err := brain.First(r.Memories(full))
	if err == nil && m.ID == "" {
		err = lifecycle.NoMemoryError(r, full, full)
	}
	return m, full, err
}
