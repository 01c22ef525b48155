package app

import (
	"context"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// ReviewItem is an item of the queue. Its fields replace those of the stored item.
type ReviewItem struct {
	brain.ReviewItem
	Proposed *ProposedMemory `json:"proposed"`
	Decision brain.OrNull    `json:"decision"`
	Decided  *time.Time      `json:"decided"`
}

// ProposedMemory is the memory that a model proposes to replace those of the item.
type ProposedMemory struct {
	Name       string           `json:"name"`
	Content    string           `json:"content"`
	MemoryType string           `json:"memoryType"`
	Importance brain.Importance `json:"importance"`
	Tags       []string         `json:"tags"`
}

func toReviewItem(item brain.ReviewItem) ReviewItem {
	v := ReviewItem{item, nil, brain.OrNull(item.Decision), lifecycle.Optional(item.Decided)}
	if p := item.Proposed; p != nil {
		v.Proposed = &ProposedMemory{p.Name, p.Content, p.MemoryType, p.Importance, append([]string{}, p.Tags...)}
	}
	v.Fingerprint, v.Texts, v.Newest, v.RunID, v.Undone = "", nil, time.Time{}, "", time.Time{} // for the program only
	return v
}

// ReviewsAnswer lists items of the review queue.
type ReviewsAnswer struct {
	Items []ReviewItem `json:"items"`

	MemoriesByID map[string]brain.Memory `json:"-"` // the memories that the items name, by id
}

// Reviews returns the open items of the queue, newest first, or all, also outdated ones.
func (u *UseCases) Reviews(ctx context.Context, all bool) (ReviewsAnswer, error) {
	b := u.services(ctx)
	state := brain.ReviewPending
	if all {
		state = ""
	}
	found, err := b.Review.Reviews(ctx, state)
	if err != nil {
		return ReviewsAnswer{}, err
	}
	var ids []string
	for _, item := range found {
		ids = append(ids, item.Memories...)
	}
	memories, err := b.Base.Memories(ctx, brain.Unique(ids)...)
	return ReviewsAnswer{brain.Map(found, toReviewItem), brain.ByID(memories)}, err
}

// ReviewAnswer is one item of the queue with the memories that it is about.
type ReviewAnswer struct {
	ReviewsAnswer
	Memories []brain.View `json:"memories"` // those that still exist
}

// Review returns one item of the queue.
func (u *UseCases) Review(ctx context.Context, id string) (ReviewAnswer, error) {
	b := u.services(ctx)
	item, err := b.Review.Review(ctx, id)
	if err != nil {
		return ReviewAnswer{}, err
	}
	found, err := b.Base.Memories(ctx, item.Memories...)
	if err != nil {
		return ReviewAnswer{}, err
	}
	views, err := b.Recall.Views(ctx, found...)
	return ReviewAnswer{ReviewsAnswer{[]ReviewItem{toReviewItem(item)}, brain.ByID(found)}, views}, err
}

// DecisionAnswer is the outcome of a decision on an item.
type DecisionAnswer struct {
	Item  ReviewItem   `json:"item"`
	RunID brain.OrNull `json:"runId"`
}

// AcceptReview applies an item. For a conflict, keep is newer, older or both.
func (u *UseCases) AcceptReview(ctx context.Context, id, keep string) (DecisionAnswer, error) {
	return u.decided(u.services(ctx).Review.Accept(ctx, id, keep))
}

// RejectReview changes no memory and keeps the item from being proposed again.
func (u *UseCases) RejectReview(ctx context.Context, id string) (DecisionAnswer, error) {
	return u.decided(u.services(ctx).Review.Reject(ctx, id))
}

func (u *UseCases) decided(done brain.ReviewItem, err error) (DecisionAnswer, error) {
	return DecisionAnswer{toReviewItem(done), u.unlessDry(done.RunID)}, err
}
