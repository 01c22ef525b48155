package app

import (
	"context"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/statement"
)

// ReviewItem is an item of the review queue.
type ReviewItem struct {
	ID       string            `json:"id"`
	Kind     brain.ReviewKind  `json:"kind"`
	Reason   string            `json:"reason"`
	Memories []string          `json:"memories"` // of a pair or a pending merge of two the newer one first
	Proposed *ProposedMemory   `json:"proposed"`
	Created  time.Time         `json:"created"`
	State    brain.ReviewState `json:"state"`
	Verdict  brain.OrNull      `json:"verdict"`
	Decided  *time.Time        `json:"decided"`
}

// ProposedMemory is the memory that a model proposes to replace those of the item.
type ProposedMemory struct {
	Name       string           `json:"name"`
	Content    string           `json:"content"`
	MemoryType string           `json:"memoryType"`
	Importance brain.Importance `json:"importance"`
	Tags       []string         `json:"tags"`
}

// HasSides is [brain.ReviewItem.HasSides].
func (item ReviewItem) HasSides() bool {
	return brain.ReviewItem{Kind: item.Kind, Memories: item.Memories}.HasSides()
}

// Verdicts returns the verdicts that the item takes.
func (item ReviewItem) Verdicts() []string {
	return brain.ReviewItem{Kind: item.Kind, Memories: item.Memories}.Verdicts()
}

func toReviewItem(item brain.ReviewItem) ReviewItem {
	v := ReviewItem{
		item.ID, item.Kind, item.Reason, item.Memories, nil, item.Created, item.State,
		brain.OrNull(item.Verdict), lifecycle.Optional(item.Decided),
	}
	if p := item.Proposed; p != nil {
		v.Proposed = &ProposedMemory{p.Name, p.Content, p.MemoryType, p.Importance, append([]string{}, p.Tags...)}
	}
	return v
}

// ReviewAnswer lists items of the review queue.
type ReviewAnswer struct {
	Items []ReviewItem `json:"items"`

	Memories map[string]brain.View `json:"-"` // those that the items name, by id
}

// Statement returns what a memory of an item says, without its label.
func (a ReviewAnswer) Statement(id string) string {
	v := a.Memories[id]
	return statement.Of(&brain.Memory{Name: v.Name, Content: v.Content, MemoryType: v.MemoryType}).String()
}

// Review returns the open items of the queue, newest first, or all of them.
func (u *UseCases) Review(ctx context.Context, all bool) (ReviewAnswer, error) {
	b := u.services(ctx)
	state := brain.ReviewPending
	if all {
		state = ""
	}
	found, err := b.Review.Reviews(ctx, state)
	if err != nil {
		return ReviewAnswer{}, err
	}
	memories, err := reviewed(ctx, b, found...)
	return ReviewAnswer{brain.Map(found, toReviewItem), memories}, err
}

// reviewed returns the memories that items name, by id.
func reviewed(ctx context.Context, b *services.Services, items ...brain.ReviewItem) (map[string]brain.View, error) {
	var ids []string
	for _, item := range items {
		ids = append(ids, item.Memories...)
	}
	found, err := b.Base.Memories(ctx, brain.Unique(ids)...)
	if err != nil {
		return nil, err
	}
	views, err := b.Recall.Views(ctx, found...)
	byID := map[string]brain.View{}
	for _, v := range views {
		byID[v.ID] = v
	}
	return byID, err
}

// ReviewItemAnswer is one item of the queue with the memories that it is about.
type ReviewItemAnswer struct {
	Items    []ReviewItem `json:"items"`    // only that one
	Memories []brain.View `json:"memories"` // those that still exist, in the order of the item
}

// ReviewItem returns one item of the queue.
func (u *UseCases) ReviewItem(ctx context.Context, id string) (ReviewItemAnswer, error) {
	b := u.services(ctx)
	item, err := b.Review.Review(ctx, id)
	if err != nil {
		return ReviewItemAnswer{}, err
	}
	memories, err := reviewed(ctx, b, item)
	a := ReviewItemAnswer{Items: []ReviewItem{toReviewItem(item)}, Memories: []brain.View{}}
	for _, id := range item.Memories {
		if v, exists := memories[id]; exists {
			a.Memories = append(a.Memories, v)
		}
	}
	return a, err
}

// DecideAnswer is an item with its verdict.
type DecideAnswer struct {
	Item  ReviewItem   `json:"item"`
	RunID brain.OrNull `json:"runId"` // null in a dry run
}

// Decide applies a verdict about an item. A text is for the verdict same only: that of the
// merged memory.
func (u *UseCases) Decide(ctx context.Context, id, verdict, text string) (DecideAnswer, error) {
	b := u.services(ctx)
	item, err := b.Review.Decide(ctx, id, verdict, text)
	if err != nil {
		return DecideAnswer{}, err
	}
	if item.Kind == brain.ReviewCore && verdict == brain.VerdictAccept {
		u.writeCore(ctx, b)
	}
	if text != "" {
		u.embedChanged(ctx, b)
	}
	return DecideAnswer{toReviewItem(item), u.unlessDry(item.RunID)}, nil
}
