package app

import (
	"context"
	"maps"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// GraphAnswer has memories and the relations between them.
type GraphAnswer struct {
	Memories  []brain.View     `json:"memories"`
	Relations []brain.Relation `json:"relations"`
}

// Related returns memories and the relations between them: those that a list has, or, with
// around, a memory and all that are related to it.
func (u *UseCases) Related(ctx context.Context, q ListRequest, since, around string) (a GraphAnswer, err error) {
	if around != "" {
		a.Memories, err = u.around(ctx, around)
	} else {
		var list ListAnswer
		list, err = u.List(ctx, q, since)
		a.Memories = list.Memories
	}
	if err != nil {
		return a, err
	}
	ids := map[string]bool{}
	for _, m := range a.Memories {
		ids[m.ID] = true
	}
	relations, err := lifecycle.Read(ctx, u.services(ctx).Base, func(r brain.Reader) ([]brain.Relation, error) {
		return r.Relations(slices.Collect(maps.Keys(ids))...)
	})
	a.Memories = append([]brain.View{}, a.Memories...)
	a.Relations = append([]brain.Relation{}, slices.DeleteFunc(relations, func(r brain.Relation) bool { return !ids[r.From] || !ids[r.To] })...)
	return a, err
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
