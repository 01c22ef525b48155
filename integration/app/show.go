package app

import (
	"context"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/services"
)

// ShowAnswer is a memory with everything around it.
type ShowAnswer struct {
	Memory       brain.View       `json:"memory"`
	ResolvedFrom *string          `json:"resolvedFrom"` // the id that was asked for, if another answers
	Relations    []brain.Relation `json:"relations"`
	Source       *SourceView      `json:"source"`
}

// Show returns a memory or a section; with exact that very node, else the newest
// of its chain.
func (u *UseCases) Show(ctx context.Context, id string, exact bool) (ShowAnswer, error) {
	return show(ctx, u.services(ctx), id, exact)
}

// OpenMemory is Show for an agent that reads the memory, which is an access.
func (u *UseCases) OpenMemory(ctx context.Context, id string) (ShowAnswer, error) {
	b := u.services(ctx)
	if m, err := b.Capture.Open(ctx, id); err == nil {
		id = m.ID
	} // else it is a section, which shows all the same, or nothing
	return show(ctx, b, id, false)
}

func show(ctx context.Context, b *services.Services, id string, exact bool) (ShowAnswer, error) {
	s, err := b.Recall.Show(ctx, id, exact)
	if err != nil {
		return ShowAnswer{}, err
	}
	a := ShowAnswer{Memory: s.Memory, ResolvedFrom: s.ResolvedFrom, Relations: s.Relations}
	if a.Relations == nil {
		a.Relations = []brain.Relation{}
	}
	if s.Source != nil {
		source := viewOfSource(*s.Source)
		a.Source = &source
	}
	return a, nil
}

// ListAnswer is a list of memories.
type ListAnswer struct {
	Memories []brain.View `json:"memories"`
}

// List returns memories, strongest first.
func (u *UseCases) List(ctx context.Context, r ListRequest) (ListAnswer, error) {
	r.Tag = strings.Join(brain.CleanTags([]string{r.Tag}), "")
	found, err := u.services(ctx).Recall.List(ctx, r)
	if found == nil {
		found = []brain.View{}
	}
	return ListAnswer{found}, err
}

// SourcesAnswer is a list of sources.
type SourcesAnswer struct {
	Sources []SourceView `json:"sources"`
}

// Sources returns what was captured, newest first.
func (u *UseCases) Sources(ctx context.Context, f brain.SourceFilter) (SourcesAnswer, error) {
	found, err := u.services(ctx).Recall.Sources(ctx, f)
	a := SourcesAnswer{make([]SourceView, 0, len(found))}
	for _, s := range found {
		a.Sources = append(a.Sources, viewOfSource(s))
	}
	return a, err
}
