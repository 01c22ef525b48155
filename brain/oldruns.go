package brain

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"time"
)

// OldRuns returns runs that came before an instant, newest first.
func (b *Brain) OldRuns(ctx context.Context, before time.Time, limit int) ([]Run, error) {
	return b.runsBefore(ctx, before, limit)
}

// JournalLines are runs on their way out of the store, as the archive keeps
// them: each run followed by its actions, one record a line. They are read
// some at a time. An error ends the sequence.
func (b *Brain) JournalLines(ctx context.Context, runs []Run) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		for _, run := range runs {
			for rec, err := range b.runRecords(ctx, run) {
				var line json.RawMessage
				if err == nil {
					line, err = json.Marshal(rec)
				}
				if !yield(line, err) || err != nil {
					return
				}
			}
		}
	}
}

func (b *Brain) runRecords(ctx context.Context, run Run) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		rec, err := run.record()
		if !yield(rec, err) {
			return
		}
		for from := 1; from <= run.Actions; from += actionPage {
			recs, err := b.actionRecords(ctx, run, from)
			if err != nil {
				yield(Record{}, err)
				return
			}
			for _, rec := range recs {
				if !yield(rec, nil) {
					return
				}
			}
		}
	}
}

// dropBatch is how many records of old runs one transaction removes.
const dropBatch = 1000

// DropRuns removes runs that were archived: their actions first, so that a
// run of which only a part was dropped is still found.
func (b *Brain) DropRuns(ctx context.Context, runs []Run) error {
	var ids, actions []string
	for _, run := range runs {
		ids = append(ids, run.ID)
		for n := 1; n <= run.Actions; n++ {
			if actions = append(actions, actionID(run.ID, n)); len(actions) < dropBatch {
				continue
			}
			if err := b.drop(ctx, ActionRecord, actions); err != nil {
				return err
			}
			actions = actions[:0]
		}
	}
	if err := b.drop(ctx, ActionRecord, actions); err != nil {
		return err
	}
	return b.drop(ctx, RunRecord, ids)
}

func (b *Brain) drop(ctx context.Context, kind RecordKind, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	err := b.store.Update(ctx, func(tx Tx) error { return tx.DeleteRecords(kind, ids...) })
	if err != nil {
		return fmt.Errorf("drop old runs: %w", err)
	}
	return nil
}
