package review

import (
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// writeConflicts stores a plan, and returns the review items it added less those withdrawn.
func writeConflicts(tx brain.Tx, p conflictPlan, now time.Time) (asked int, err error) {
	if err := tx.DeleteRelations(p.unlink...); err != nil {
		return 0, err
	}
	rels := p.link
	if p.ask.From != "" {
		rels = brain.Unique(append(rels, p.ask))
	}
	asks := false
	for _, rel := range rels {
		open, err := isOpen(tx, rel)
		if err == nil && open {
			asks = asks || rel == p.ask
			err = tx.PutRelations(rel)
		}
		if err != nil {
			return 0, err
		}
	}
	if !asks {
		return 0, nil
	}
	const reason = "they say different things about the same subject; the newer one applies until you decide"
	made, err := flag(tx, brain.ReviewItem{Kind: brain.ReviewConflict, Reason: reason, Memories: []string{p.ask.From, p.ask.To}}, now)
	if err != nil || !made {
		return 0, err
	}
	withdrawn, err := withdraw(tx, p.ask.To)
	return 1 - withdrawn, err
}

// isOpen reports whether two memories are current and no person decided about them.
func isOpen(tx brain.Tx, rel brain.Relation) (bool, error) {
	ms, err := tx.Memories(rel.From, rel.To)
	if err != nil || len(ms) < 2 || !ms[0].Current() || !ms[1].Current() {
		return false, err
	}
	item, err := reviewOf(tx, rel.From, rel.To)
	return err == nil && !item.State.Decided(), err
}

// reviewOf returns the review item about two memories, without an id if there is none.
func reviewOf(r brain.Reader, a, z string) (brain.ReviewItem, error) {
	ms, err := r.Memories(a, z)
	if err != nil || len(ms) < 2 {
		return brain.ReviewItem{}, err
	}
	return reviewAbout(r, ms...)
}

// reviewAbout is reviewOf for memories that were read.
func reviewAbout(r brain.RecordReader, ms ...brain.Memory) (brain.ReviewItem, error) {
	return brain.First(brain.Bodies[brain.ReviewItem](r.Records(brain.ReviewRecord, brain.ReviewID(brain.Fingerprint(ms), ms))))
}

// withdraw deletes the pending items about a contested memory and those that it differs
// from, because only the newest claim is worth a question. It returns how many it deleted.
func withdraw(tx brain.Tx, past string) (int, error) {
	rels, err := tx.Differences(past)
	if err != nil {
		return 0, err
	}
	var moot []string
	for _, rel := range rels {
		if rel.From != past {
			continue
		}
		item, err := reviewOf(tx, rel.From, rel.To)
		if err != nil {
			return 0, err
		}
		if item.State == brain.ReviewPending && item.Kind == brain.ReviewConflict {
			moot = append(moot, item.ID)
		}
	}
	return len(moot), tx.DeleteRecords(brain.ReviewRecord, moot...)
}
