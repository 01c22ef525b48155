package consolidate

import (
	"context"
	"encoding/json"
	"iter"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// JournalArchive stores old runs outside the store.
type JournalArchive interface {
	// AppendJournal adds lines to the archive of a month, and reads them back before it
	// returns nil. If lines yields an error, it stops and adds nothing.
	AppendJournal(ctx context.Context, month time.Time, lines iter.Seq2[json.RawMessage, error]) error
}

// archive moves runs older than JournalKeep to the archive of their month. The
// store drops them only after they were written and read back; after a crash in
// between they are in both, which loses nothing.
func (r *Runner) archive(ctx context.Context, now time.Time) error {
	if r.o.Archive == nil || r.o.JournalKeep <= 0 {
		return nil
	}
	const batchSize = 1000
	for {
		old, err := r.journal.RunsBefore(ctx, now.Add(-r.o.JournalKeep), batchSize)
		if err != nil || len(old) == 0 {
			return err
		}
		months := map[time.Time][]brain.Run{}
		for _, run := range old {
			t := run.Started.UTC()
			month := time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
			months[month] = append(months[month], run)
		}
		for month, runs := range months {
			if err := r.o.Archive.AppendJournal(ctx, month, r.journal.JournalLines(ctx, runs)); err != nil {
				return err
			}
		}
		if err := r.journal.DropRuns(ctx, old); err != nil {
			return err
		}
	}
}
