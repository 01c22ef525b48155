package review

import (
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// writeConflicts stores a plan, and returns the number of review items that it added, less
// those that it withdrew.
func writeConflicts(tx brain.Tx, p conflictPlan, now time.Time) (asked int, err error) {
	if err := tx.DeleteRelations(p.unlink...); err != nil {
		return 0, err
	}
	rels := p.link
	if p.ask.From != "" {
		rels = brain.Unique(append(rels, p.ask))
	}
	for _, rel := range rels {
		open, err := isOpen(tx, rel)
		if err != nil {
			return 0, err
		}
		if !open {
			continue
		}
		if err := tx.PutRelations(rel); err != nil {
			return 0, err
		}
		if rel != p.ask {
			continue
		}
		made, err := flag(tx, conflictItem(rel), now)
		if err != nil {
			return 0, err
		}
		if !made {
			continue
		}
		withdrawn, err := withdraw(tx, rel.To)
		if err != nil {
			return 0, err
		}
		asked += 1 - withdrawn
	}
	return asked, nil
}

// isOpen reports whether the memories of a conflict are current and no person has
// decided about it.
func isOpen(tx brain.Tx, rel brain.Relation) (bool, error) {
	ms, err := tx.Memories(rel.From, rel.To)
	if err != nil || len(ms) < 2 || !ms[0].Current() || !ms[1].Current() {
		return false, err
	}
	item, err := reviewOf(tx, rel.From, rel.To)
	return err == nil && (item == nil || !item.State.Decided()), err
}

// reviewOf returns the review item about two memories; nil if there is none.
func reviewOf(r brain.Reader, a, z string) (*brain.ReviewItem, error) {
	ms, err := r.Memories(a, z)
	if err != nil || len(ms) < 2 {
		return nil, err
	}
	return reviewAbout(r, ms...)
}

// reviewAbout is reviewOf for memories that were read.
func reviewAbout(r brain.RecordReader, ms ...brain.Memory) (*brain.ReviewItem, error) {
	id := brain.ReviewID(brain.Fingerprint(ms), ms)
	items, err := brain.Bodies[brain.ReviewItem](r.Records(brain.ReviewRecord, id))
	if err != nil || len(items) == 0 {
		return nil, err
	}
	return &items[0], nil
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
		if item != nil && item.State == brain.ReviewPending && item.Kind == brain.ReviewConflict {
			moot = append(moot, item.ID)
		}
	}
	return len(moot), tx.DeleteRecords(brain.ReviewRecord, moot...)
}

func conflictItem(rel brain.Relation) brain.ReviewItem {
	reason := "they say different things about the same subject; the newer one applies until you decide"
	return brain.ReviewItem{Kind: brain.ReviewConflict, Reason: reason, Memories: []string{rel.From, rel.To}}
}
