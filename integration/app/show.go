package app

import (
	"context"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/tiers"
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
	b, err := u.Brain(ctx)
	if err != nil {
		return ShowAnswer{}, err
	}
	return show(ctx, b, id, exact)
}

// OpenMemory is Show for an agent that reads the memory, which is an access.
func (u *UseCases) OpenMemory(ctx context.Context, id string) (ShowAnswer, error) {
	b, err := u.Brain(ctx)
	if err != nil {
		return ShowAnswer{}, err
	}
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

// ListRequest chooses memories.
type ListRequest struct {
	Tiers     []tiers.Tier // none: the live ones
	All       bool         // archived, superseded and expired ones too
	Type, Tag string
	Project   *string // nil: all; "": those with none
	Limit     int     // 0: 50
}

// ListAnswer is a list of memories.
type ListAnswer struct {
	Memories []brain.View `json:"memories"`
}

// List returns memories, strongest first.
func (u *UseCases) List(ctx context.Context, r ListRequest) (ListAnswer, error) {
	b, err := u.Brain(ctx)
	if err != nil {
		return ListAnswer{}, err
	}
	q := lifecycle.ListQuery{Tiers: r.Tiers, All: r.All, Type: r.Type, Project: r.Project, Limit: r.Limit}
	if tags := brain.CleanTags([]string{r.Tag}); len(tags) > 0 {
		q.Tag = tags[0]
	}
	found, err := b.Recall.List(ctx, q)
	if found == nil {
		found = []brain.View{}
	}
	return ListAnswer{found}, err
}

// SourcesRequest chooses sources.
type SourcesRequest struct {
	Kind    brain.SourceKind // "": all
	Project *string          // nil: all; "": those with none
	Limit   int              // 0: 50
}

// SourcesAnswer is a list of sources.
type SourcesAnswer struct {
	Sources []SourceView `json:"sources"`
}

// Sources returns what was captured, newest first.
func (u *UseCases) Sources(ctx context.Context, r SourcesRequest) (SourcesAnswer, error) {
	b, err := u.Brain(ctx)
	if err != nil {
		return SourcesAnswer{}, err
	}
	found, err := b.Recall.Sources(ctx, brain.SourceFilter{Kind: r.Kind, Project: r.Project, Limit: r.Limit})
	a := SourcesAnswer{make([]SourceView, 0, len(found))}
	for _, s := range found {
		a.Sources = append(a.Sources, viewOfSource(s))
	}
	return a, err
}
