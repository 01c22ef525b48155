package app

import (
	"context"
	"maps"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
)

// GraphAnswer has memories and the relations between them.
type GraphAnswer struct {
	Memories  []brain.View     `json:"memories"`
	Relations []brain.Relation `json:"relations"`
}

// Related returns memories and the relations between them: those that a list has, or, with
// around, a memory and all that are related to it; with q.All also what they were before a
// promotion, a merge or a correction.
func (u *UseCases) Related(ctx context.Context, q ListRequest, since, around string) (GraphAnswer, error) {
	next, err := u.graphMemories(ctx, q, since, around)
	a, b, ids := GraphAnswer{Memories: []brain.View{}}, u.services(ctx), map[string]bool{}
	for err == nil && len(next) > 0 {
		for _, m := range next {
			ids[m.ID] = true
		}
		a.Memories = append(a.Memories, next...)
		a.Relations, err = lifecycle.Read(ctx, b.Base, func(r brain.Reader) ([]brain.Relation, error) {
			return r.Relations(slices.Collect(maps.Keys(ids))...)
		})
		next = nil
		if q.All && err == nil {
			next, err = u.earlier(ctx, b, a.Relations, ids)
		}
	}
	a.Relations = append([]brain.Relation{}, slices.DeleteFunc(a.Relations, func(r brain.Relation) bool { return !ids[r.From] || !ids[r.To] })...)
	return a, err
}

// graphMemories returns the memories that a graph begins with.
func (u *UseCases) graphMemories(ctx context.Context, q ListRequest, since, around string) ([]brain.View, error) {
	if around != "" {
		return u.around(ctx, around)
	}
	q.All = false
	list, err := u.List(ctx, q, since)
	return list.Memories, err
}

// earlier returns the memories that others, whose ids are known, were before.
func (u *UseCases) earlier(ctx context.Context, b *services.Services, relations []brain.Relation, known map[string]bool) ([]brain.View, error) {
	var ids []string
	for _, r := range relations {
		switch {
		case r.Type == brain.PromotedTo && !known[r.From]:
			ids = append(ids, r.From)
		case r.Type == brain.Supersedes && !known[r.To]:
			ids = append(ids, r.To)
		}
	}
	found, err := b.Base.Memories(ctx, brain.Unique(ids)...)
	if err != nil {
		return nil, err
	}
	return b.Recall.Views(ctx, found...)
}

// around returns a memory and those that are related to it.
func (u *UseCases) around(ctx context.Context, id string) ([]brain.View, error) {
	shown, err := u.Show(ctx, id, false)
	if err != nil {
		return nil, err
	}
	ids := []string{shown.Memory.ID}
	for _, r := range shown.Relations {
		ids = append(ids, r.From, r.To)
	}
	b := u.services(ctx)
	found, err := b.Base.Memories(ctx, brain.Unique(ids)...)
	if err != nil {
		return nil, err
	}
	return b.Recall.Views(ctx, found...)
}
