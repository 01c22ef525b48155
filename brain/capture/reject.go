package capture

import (
	"context"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// Causes of a rejection.
const (
	RejectedDuplicate = "duplicate" // it says what is stored
	RejectedScore     = "score"     // below the threshold
	RejectedEcho      = "echo"      // it repeats a text that a recall returned
)

// reject counts a capture that is not stored.
func (s *Service) reject(ctx context.Context, c brain.Capture, j brain.Judgement) error {
	cause, counts := RejectedScore, []lifecycle.Tally{lifecycle.TallyGated, lifecycle.TallyRejected}
	if j.DuplicateOf != "" {
		cause, counts = RejectedDuplicate, append(counts, lifecycle.TallyDuplicates)
	}
	err := s.base.Store.Update(ctx, func(tx brain.Tx) error {
		isNew, err := putRejection(tx, c, j, cause)
		if err != nil || !isNew {
			return err
		}
		if j.DuplicateOf != "" {
			err = s.confirm(tx, j.DuplicateOf, c.At)
		}
		for _, t := range counts {
			if err == nil {
				err = lifecycle.AddTally(tx, t, 1, c.At)
			}
		}
		return err
	})
	return brain.Wrap(err, "reject a capture")
}

// confirm records that a memory was captured again: an access, which revives it.
func (s *Service) confirm(tx brain.Tx, id string, now time.Time) error {
	confirmation := lifecycle.Touch{
		Kind: lifecycle.EventConfirm, ID: s.base.NewID(),
		Count: func(m *brain.Memory, _ time.Time) { m.Confirmations++ },
	}
	_, err := s.touchIn(tx, id, now, confirmation, lifecycle.AccessTouch())
	return err
}

// putRejection stores a rejection, drops the oldest above the limit, and reports if it is
// new.
func putRejection(tx brain.Tx, c brain.Capture, j brain.Judgement, cause string) (bool, error) {
	held, err := tx.Records(brain.RejectionRecord, c.Memory.ID)
	if err != nil || len(held) > 0 {
		return false, err
	}
	rejection := brain.Rejection{ID: c.Memory.ID, At: c.At, Name: plaintext.Clip(c.Memory.Name, brain.DerivedName), Cause: cause, Judgement: j}
	rec, err := brain.NewRecord(brain.RejectionRecord, c.Memory.ID, string(lifecycle.TallyRejected), cause, c.At, rejection)
	if err != nil {
		return false, err
	}
	latest, err := tx.LatestRecords(brain.RejectionRecord, time.Time{}, brain.RejectionsKept+1)
	lifecycle.Put(&err, lifecycle.DeleteRecords(tx), latest[min(len(latest), brain.RejectionsKept-1):]...)
	lifecycle.Put(&err, tx.PutRecords, rec)
	return err == nil, err
}
