package brain

import (
	"slices"
	"time"
)

// reverseMerge writes the state before a merge. Relations that the keeper got
// since stay with it; those of a memory that a model made, and what it gained,
// go to the first of its sources. It leaves no redirect to a model's memory.
// The cluster is remembered, so that no run merges it again.
func (u *undoer) reverseMerge(a Action, here map[string]Memory) error {
	made := a.Changes[0].After
	if a.Changes[0].Before != nil {
		made = nil
	} else if err := u.handOver(a, *made); err != nil {
		return err
	}
	var back []Memory
	for _, c := range a.Changes {
		if c.Before == nil {
			continue
		}
		g := gain{u.tl, *c.After, here[c.id()], u.now}
		if made != nil && len(back) == 0 {
			g.since, g.here = *made, here[made.ID]
		}
		back = append(back, restored(u.tl, c, here[c.id()], g))
	}
	if err := u.tx.PutMemories(back...); err != nil {
		return err
	}
	if err := reverseRest(u.tx, a); err != nil {
		return err
	}
	return u.rememberUndone(a)
}

// handOver gives the relations that a memory got since it was made by a merge
// to the first source, and removes it.
func (u *undoer) handOver(a Action, made Memory) error {
	held, err := u.tx.Relations(made.ID)
	if err != nil {
		return err
	}
	s := settlement{moved: map[string]string{made.ID: a.IDs[1]}}
	var back []Relation
	for _, r := range held {
		if moved := s.redirected(r); moved != r && moved.From != moved.To && !slices.Contains(a.Linked, r) {
			back = append(back, moved)
		}
	}
	if err := u.tx.DeleteMemories(made.ID); err != nil {
		return err
	}
	return u.tx.PutRelations(back...)
}

// relatedOnly reports whether nothing but relations and touches changed
// between two states of a memory: such a change does not keep a merge from being undone.
func relatedOnly(since, here Memory) bool {
	return says(since) == says(here) && slices.Equal(since.Tags, here.Tags) && since.Tier == here.Tier &&
		since.ValidFrom.Equal(here.ValidFrom) && since.ValidTo.Equal(here.ValidTo) && since.SourceNodeID == here.SourceNodeID
}

// namesFree says what keeps entities from getting their names back.
func (u *undoer) namesFree(a Action) (string, error) {
	ours := map[string]bool{}
	var keys []string
	for _, c := range a.Changes {
		ours[c.id()] = true
		if c.Before != nil && c.Before.EntityKey != "" {
			keys = append(keys, c.Before.EntityKey)
		}
	}
	if len(keys) == 0 {
		return "", nil
	}
	held, err := u.tx.MemoriesByEntity(keys...)
	for _, m := range held {
		if !ours[m.ID] {
			return "its name or identity is taken by another memory now", err
		}
	}
	return "", err
}

// rememberUndone notes that these memories are not to be merged again. What a
// person had accepted of the review queue waits there again.
func (u *undoer) rememberUndone(a Action) error {
	var ms []Memory
	for _, c := range a.Changes {
		if c.Before != nil {
			ms = append(ms, *c.Before)
		}
	}
	fingerprint := Fingerprint(ms)
	for _, rec := range a.Removed { // put back by reverseRest
		if rec.Kind == ReviewRecord {
			fingerprint = rec.Key
		}
	}
	held, err := u.tx.Records(ReviewRecord, reviewID(fingerprint, ms[0].IsTest))
	if err != nil {
		return err
	}
	items, err := bodies[ReviewItem](held)
	if err != nil {
		return err
	}
	item := undoneItem(a, ms, u.now)
	if len(items) > 0 && items[0].State == ReviewPending {
		item = items[0]
	}
	item.Undone = u.now
	rec, err := item.record()
	if err != nil {
		return err
	}
	return u.tx.PutRecords(rec)
}

func undoneItem(a Action, ms []Memory, now time.Time) ReviewItem {
	kind := ReviewMerge
	if a.Changes[0].Before == nil {
		kind = ReviewModelMerge
	}
	fingerprint, test := Fingerprint(ms), ms[0].IsTest
	item := ReviewItem{
		ID: reviewID(fingerprint, test), Fingerprint: fingerprint, Kind: kind, IsTest: test,
		Reason: "merged (" + a.Reason + ") and undone", Created: a.At,
		State: ReviewRejected, Decision: decidedUndone, Decided: now, RunID: a.RunID,
	}
	for i := range ms {
		item.Memories = append(item.Memories, ms[i].ID)
		item.Texts = append(item.Texts, ms[i].ContentHash)
	}
	return item
}
