// Package journal reads and undoes runs and returns the history of a memory. It archives
// and removes memories, finds those that a rule allows to forget, and restores them.
package journal

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// Service reads and undoes runs, and tells histories. It is safe for concurrent use.
type Service struct {
	base lifecycle.Base
}

// New returns the service.
func New(base lifecycle.Base) *Service { return &Service{base} }

// Runs returns the newest runs, newest first.
func (s *Service) Runs(ctx context.Context, limit int) ([]brain.Run, error) {
	return s.RunsBefore(ctx, time.Time{}, limit)
}

// RunsBefore returns the runs before an instant (zero: no bound), newest first.
func (s *Service) RunsBefore(ctx context.Context, before time.Time, limit int) ([]brain.Run, error) {
	return lifecycle.Read(ctx, s.base, func(r brain.Reader) ([]brain.Run, error) {
		return brain.Bodies[brain.Run](r.ListRecords(brain.RunRecord, brain.RecordFilter{Before: before, Limit: limit}))
	})
}

// Run returns one run by its id or a unique prefix of it.
func (s *Service) Run(ctx context.Context, id string) (brain.Run, error) {
	return lifecycle.Read(ctx, s.base, func(r brain.Reader) (brain.Run, error) {
		full, err := lifecycle.UniqueID(id, "`brainbridge runs` shows the ids", func(prefix string) ([]string, error) { return r.Matching(3, prefix) })
		if err != nil {
			return brain.Run{}, err
		}
		run, err := brain.First(brain.Bodies[brain.Run](r.Records(brain.RunRecord, full)))
		if err == nil && run.ID == "" {
			err = brain.Errorf(brain.ErrNotFound, "`brainbridge runs` lists them", "there is no run %s", id)
		}
		return run, err
	})
}

// Actions reads the actions of a run in order, page by page. An error ends the sequence.
func (s *Service) Actions(ctx context.Context, run brain.Run) iter.Seq2[brain.Action, error] {
	return func(yield func(brain.Action, error) bool) {
		for rec, err := range s.runRecords(ctx, run) {
			var a brain.Action
			switch {
			case err == nil && rec.Kind == brain.RunRecord:
				continue
			case err == nil:
				if a, err = brain.Body[brain.Action](rec); err != nil {
					continue // health names it
				}
			}
			if !yield(a, brain.Wrap(err, "read the actions of run %s", run.ID)) || err != nil {
				return
			}
		}
	}
}

// JournalLines returns runs as they are archived: each run followed by its actions, one
// record per line. An error ends the sequence.
func (s *Service) JournalLines(ctx context.Context, runs []brain.Run) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		for _, run := range runs {
			for rec, err := range s.runRecords(ctx, run) {
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

// actionPage is the number of actions of a run that are kept in memory at a time. With the
// states before and after, each takes some 3 kB.
const actionPage = 200

// runRecords reads the record of a run and those of its actions.
func (s *Service) runRecords(ctx context.Context, run brain.Run) iter.Seq2[brain.Record, error] {
	return func(yield func(brain.Record, error) bool) {
		rec, err := run.Record()
		if !yield(rec, err) {
			return
		}
		for ids := range slices.Chunk(lifecycle.ActionIDs(run.ID, 1, run.Actions), actionPage) {
			recs, err := lifecycle.Read(ctx, s.base, func(r brain.Reader) ([]brain.Record, error) {
				return r.Records(brain.ActionRecord, ids...)
			})
			if err != nil {
				yield(brain.Record{}, err)
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

const dropBatch = 1000 // records that one transaction removes

// DropRuns removes runs that were archived: their actions first, so that a
// run of which only a part was dropped is still found.
func (s *Service) DropRuns(ctx context.Context, runs []brain.Run) error {
	var ids, actions []string
	for _, run := range runs {
		ids, actions = append(ids, run.ID), append(actions, lifecycle.ActionIDs(run.ID, 1, run.Actions)...)
	}
	drop := func(kind brain.RecordKind, ids []string) (err error) {
		for batch := range slices.Chunk(ids, dropBatch) {
			if err == nil {
				err = s.base.Store.Update(ctx, func(tx brain.Tx) error { return tx.DeleteRecords(kind, batch...) })
			}
		}
		return brain.Wrap(err, "drop old runs")
	}
	if err := drop(brain.ActionRecord, actions); err != nil {
		return err
	}
	return drop(brain.RunRecord, ids)
}
