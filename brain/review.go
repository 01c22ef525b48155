package brain

import (
	"slices"
	"time"
)

// ReviewKind is the question of a review item.
type ReviewKind string

// The kinds of review items.
const (
	ReviewMerge      ReviewKind = "merge"     // alike, but not enough to be merged by rule
	ReviewConflict   ReviewKind = "conflict"  // they contradict each other
	ReviewPair       ReviewKind = "pair"      // perhaps only one of them holds
	ReviewModelMerge ReviewKind = "llm-merge" // a model proposes one text for all of them
	ReviewCore       ReviewKind = "core"      // a memory is proposed for core memory
)

// ReviewState is the state of a review item.
type ReviewState string

// The states of review items.
const (
	ReviewPending  ReviewState = "pending"
	ReviewAccepted ReviewState = "accepted"
	ReviewRejected ReviewState = "rejected"
	// ReviewOutdated is shown for a pending item that can no longer be decided because its
	// memories have changed. It is never stored, because an undo may restore the memories.
	ReviewOutdated ReviewState = "outdated"
)

// Decided reports whether a person has decided about an item in this state.
func (s ReviewState) Decided() bool { return s == ReviewAccepted || s == ReviewRejected }

// The decisions about an item, besides rejected.
const (
	DecidedMerge  = "merge"
	DecidedCore   = "core"
	DecidedNewer  = "newer"
	DecidedOlder  = "older"
	DecidedBoth   = "both"
	DecidedUndone = "undone" // a merge of these memories was undone
)

// ReviewItem is a decision that a person has to make. There is at most one for each
// fingerprint.
type ReviewItem struct {
	ID          string      `json:"id"`
	Fingerprint string      `json:"fingerprint,omitempty"`
	Kind        ReviewKind  `json:"kind"`
	Reason      string      `json:"reason"`
	Memories    []string    `json:"memories"` // ids at that time, at least one
	Proposed    *Memory     `json:"proposed,omitempty"`
	Created     time.Time   `json:"created"`
	State       ReviewState `json:"state"`
	// Texts are the content hashes of Memories when the item was made. If a text
	// has changed, a decision does not apply. [review.Service.Flag] sets them.
	Texts []string `json:"texts,omitempty"`
	// Newest is the time at which the newest of Memories was created. [review.Service.Flag] sets it.
	Newest   time.Time `json:"newest,omitzero"`
	Decision string    `json:"decision,omitempty"`
	Decided  time.Time `json:"decided,omitzero"`
	RunID    string    `json:"runId,omitempty"` // of the run that applied the decision
	Undone   time.Time `json:"undone,omitzero"` // when a merge of the memories was undone
}

// Fingerprint returns the SHA-256 of the sorted Roots of memories. It does not depend on
// their order or on promotions.
func Fingerprint(ms []Memory) string {
	roots := make([]string, 0, len(ms))
	for i := range ms {
		roots = append(roots, ms[i].Root)
	}
	slices.Sort(roots)
	return Hash(slices.Compact(roots)...)
}

// ReviewID returns the id of the item of a fingerprint, so that two processes that
// flag the same memories at once use the same one.
func ReviewID(fingerprint string, ms []Memory) string {
	return IDLike(ms[0].ID, UUIDOf("review "+fingerprint))
}

// Record returns the item as a record.
func (item ReviewItem) Record() (Record, error) {
	return NewRecord(ReviewRecord, item.ID, string(item.State), item.Fingerprint, item.Created, item)
}

// Rank orders items of the same instant: conflicts come first.
func (item ReviewItem) Rank() int {
	if item.Kind == ReviewConflict {
		return 0
	}
	return 1
}

// KeepsApart reports whether a person decided not to merge the memories of the item.
func (item ReviewItem) KeepsApart() bool {
	return item.State == ReviewRejected || item.Decision == DecidedBoth || !item.Undone.IsZero()
}
