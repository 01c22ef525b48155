package consolidate

import (
	"context"
	"encoding/json"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// rotateBatch is how many runs one transaction takes out of the store.
const rotateBatch = 100

// rotate moves runs older than JournalKeep to the archive of their month. They
// are written and read back before the store lets them go; after a crash in
// between they stand in both, which loses nothing.
func (r *Runner) rotate(ctx context.Context, now time.Time) error {
	if r.o.Archive == nil || r.o.JournalKeep <= 0 {
		return nil
	}
	for {
		old, err := r.brain.OldRuns(ctx, now.Add(-r.o.JournalKeep), rotateBatch)
		if err != nil || len(old) == 0 {
			return err
		}
		for month, entries := range byMonth(old) {
			if err := r.o.Archive.AppendJournal(ctx, month, entries); err != nil {
				return err
			}
		}
		if err := r.brain.DropRuns(ctx, old); err != nil {
			return err
		}
	}
}

func byMonth(runs []brain.OldRun) map[time.Time][]json.RawMessage {
	months := map[time.Time][]json.RawMessage{}
	for _, run := range runs {
		t := run.Run.Started.UTC()
		month := time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
		months[month] = append(months[month], run.Lines...)
	}
	return months
}
