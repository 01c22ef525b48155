package recall

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// Shown is one memory with everything around it.
type Shown struct {
	Memory       brain.View       `json:"memory"`
	ResolvedFrom *string          `json:"resolvedFrom"` // the id asked for, if it led to another
	Relations    []brain.Relation `json:"relations"`
	Source       *brain.Source    `json:"source"`
}

// Look returns a memory as it is shown now. It touches nothing.
func (b *Service) Look(ctx context.Context, m brain.Memory) (brain.View, error) {
	return lifecycle.Read(ctx, b.base, func(r brain.Reader) (brain.View, error) {
		v, err := b.base.Viewer(r, b.base.Now(), m)
		return v.View(m), err
	})
}

// Show returns the newest memory of an id's chain, or with exact the very node.
// The id of a section shows the section.
func (b *Service) Show(ctx context.Context, id string, exact bool) (Shown, error) {
	now := b.base.Now()
	return lifecycle.Read(ctx, b.base, func(r brain.Reader) (out Shown, err error) {
		m, asked, err := find(r, id, exact)
		if errors.Is(err, brain.ErrNotFound) {
			return b.showSection(r, id, now, err)
		}
		if err != nil {
			return out, err
		}
		if asked != m.ID {
			out.ResolvedFrom = &asked
		}
		v, err := b.base.Viewer(r, now, m)
		if err != nil {
			return out, err
		}
		out.Memory = v.View(m)
		if s, ok := v.Sources[m.SourceNodeID]; ok {
			out.Source = &s
		}
		out.Relations, err = r.Relations(m.ID)
		return out, err
	})
}

// showSection returns a section in the form of a memory, or notFound.
func (b *Service) showSection(r brain.Reader, id string, now time.Time, notFound error) (out Shown, err error) {
	full, err := lifecycle.CompleteID(r, id)
	if err != nil {
		return out, err
	}
	found, err := r.Sections(full)
	if err != nil {
		return out, err
	}
	if len(found) == 0 {
		return out, notFound
	}
	v, err := b.base.Viewer(r, now)
	if err != nil {
		return out, err
	}
	out.Memory = v.Section(found[0])
	out.Relations, err = r.Relations(full)
	return out, err
}

// find returns a memory, and the whole id asked for.
func find(r brain.Reader, id string, exact bool) (brain.Memory, string, error) {
	if !exact {
		found, err := lifecycle.Resolve(r, id)
		return found.Memory, found.Asked, err
	}
	full, err := lifecycle.CompleteID(r, id)
	if err != nil {
		return brain.Memory{}, "", err
	}
	ms, err := r.Memories(full)
	if err != nil {
		return brain.Memory{}, "", err
	}
	if len(ms) == 0 {
		return brain.Memory{}, "", lifecycle.NoMemoryError(r, full)
	}
	return ms[0], full, nil
}

const defaultList = 50

// List returns memories, strongest first, ties by id.
func (b *Service) List(ctx context.Context, q lifecycle.ListQuery) ([]brain.View, error) {
	now := b.base.Now()
	if q.Limit <= 0 {
		q.Limit = defaultList
	}
	return lifecycle.Read(ctx, b.base, func(r brain.Reader) ([]brain.View, error) {
		ms, err := b.base.Strongest(r, q, now)
		if err != nil {
			return nil, err
		}
		v, err := b.base.Viewer(r, now, ms...)
		return v.Views(ms), err
	})
}

// Sources returns source nodes, newest first.
func (b *Service) Sources(ctx context.Context, f brain.SourceFilter) ([]brain.Source, error) {
	if f.Limit <= 0 {
		f.Limit = defaultList
	}
	return lifecycle.Read(ctx, b.base, func(r brain.Reader) ([]brain.Source, error) { return r.ListSources(f) })
}

// Status counts what a brain holds.
type Status struct {
	Store             brain.StoreInfo
	Total             int // live and expired memories
	Tiers             map[tiers.Tier]int
	LastConsolidation time.Time
}

// Status counts memories by tier as stored, except that one past its expiry
// counts as expired, swept or not.
func (b *Service) Status(ctx context.Context) (Status, error) {
	now := b.base.Now()
	out, err := lifecycle.Read(ctx, b.base, func(r brain.Reader) (Status, error) {
		out := Status{Store: b.base.Store.Info(), Tiers: map[tiers.Tier]int{}}
		c, err := r.Counts(now)
		if err != nil {
			return out, err
		}
		for _, t := range tiers.All() {
			out.Tiers[t] += c.ByTier[t] - c.Faded[t]
			out.Tiers[tiers.Expired] += c.Faded[t]
			if t.Live() || t == tiers.Expired {
				out.Total += c.ByTier[t]
			}
		}
		var last lifecycle.JobState
		err = lifecycle.ReadCheckpoint(r, ConsolidationJob, &last)
		out.LastConsolidation = last.Finished
		return out, err
	})
	if err != nil {
		return Status{}, fmt.Errorf("count memories: %w", err)
	}
	return out, nil
}

// Names of the jobs whose last end is kept in the store.
const (
	ConsolidationJob = "consolidation"
	NightlyJob       = "nightly"
)

// sortReminders puts those with a due date first, earliest first, then the
// others, oldest first.
func sortReminders(ss []brain.Source) {
	slices.SortFunc(ss, func(a, z brain.Source) int {
		if a.Due.IsZero() != z.Due.IsZero() {
			return cmp.Compare(z.Due.Unix(), a.Due.Unix()) // none last
		}
		return cmp.Or(a.Due.Compare(z.Due), a.Created.Compare(z.Created), cmp.Compare(a.ID, z.ID))
	})
}
