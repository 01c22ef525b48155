package brain

import (
	"slices"
	"time"
)

// ReviewKind is the question of a review item.
type ReviewKind string

// The kinds of review items.
const (
	ReviewPair  ReviewKind = "pair"  // two statements that may not both hold
	ReviewMerge ReviewKind = "merge" // similar memories that the rules may not merge
	ReviewCore  ReviewKind = "core"  // a candidate for core memory
)

// ReviewState is the state of a review item.
type ReviewState string

// The states of review items.
const (
	ReviewPending ReviewState = "pending"
	ReviewDecided ReviewState = "decided"
	// ReviewClosed is also the shown state of a pending item whose memories have changed. It stays
	// stored as pending, so that it is open again if an undo restores them.
	ReviewClosed ReviewState = "closed"
)

// The verdicts about review items.
const (
	VerdictNewer  = "newer"  // of an item with sides: the newer memory replaces the older one
	VerdictOlder  = "older"  // of an item with sides: the older memory replaces the newer one
	VerdictBoth   = "both"   // of a pair or a merge: all stay as they are
	VerdictSame   = "same"   // of a pair or a merge: they become one memory
	VerdictAccept = "accept" // of a candidate for core memory
	VerdictReject = "reject"
)

// Verdicts returns the verdicts that every item of a kind takes, see [ReviewItem.Verdicts].
func (k ReviewKind) Verdicts() []string {
	switch k {
	case ReviewPair:
		return []string{VerdictNewer, VerdictOlder, VerdictBoth, VerdictSame}
	case ReviewMerge:
		return []string{VerdictSame, VerdictBoth}
	}
	return []string{VerdictAccept, VerdictReject}
}

// ReviewItem is a question for an agent or a person. There is at most one for each
// fingerprint.
type ReviewItem struct {
	ID          string      `json:"id"`
	Fingerprint string      `json:"fingerprint,omitempty"`
	Kind        ReviewKind  `json:"kind"`
	Reason      string      `json:"reason"`
	Memories    []string    `json:"memories"` // ids at that time, at least one; of a pair the newer one first
	Proposed    *Memory     `json:"proposed,omitempty"`
	Created     time.Time   `json:"created"`
	State       ReviewState `json:"state"`
	// TextHashes are the content hashes of Memories when the item was made. If a text
	// has changed, the item is closed. [review.Service.Flag] sets them.
	TextHashes []string `json:"texts,omitempty"`
	// NewestAt is the time at which the newest of Memories was created. [review.Service.Flag] sets it.
	NewestAt time.Time `json:"newest,omitzero"`
	Verdict  string    `json:"verdict,omitempty"`
	Decided  time.Time `json:"decided,omitzero"`
	RunID    string    `json:"runId,omitempty"`   // of the run that applied the verdict
	Undone   time.Time `json:"undone,omitzero"`   // when a merge of the memories was undone
	ShownIn  []string  `json:"shownIn,omitempty"` // sessions in which an open pair was shown
}

// HasSides reports whether the item is about a newer and an older memory, of which one may
// replace the other: a pair or a merge of two.
func (item ReviewItem) HasSides() bool {
	return item.Kind == ReviewPair || item.Kind == ReviewMerge && len(item.Memories) == 2
}

// Verdicts returns the verdicts that the item takes.
func (item ReviewItem) Verdicts() []string {
	fits := item.Kind.Verdicts()
	if item.Kind == ReviewMerge && item.HasSides() {
		fits = append(fits, VerdictNewer, VerdictOlder)
	}
	return fits
}

// Fingerprint returns the SHA-256 of the sorted ids of memories.
func Fingerprint(ms []Memory) string { return fingerprint(IDs(ms)) }

func fingerprint(ids []string) string {
	return Hash(slices.Compact(slices.Sorted(slices.Values(ids)))...)
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

// KeepsApart reports whether the memories of the item must not be merged.
func (item ReviewItem) KeepsApart() bool {
	return item.Verdict == VerdictBoth || !item.Undone.IsZero()
}
