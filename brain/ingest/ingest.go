// Package ingest brings notes and imports into the graph. Both read the facts about a
// batch, decide on values without a store, and write the resulting plan in the same
// transaction.
package ingest

import (
	"context"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// Service brings notes and imports into the graph. It is safe for concurrent use.
type Service struct {
	base lifecycle.Base
}

// New returns the service.
func New(base lifecycle.Base) *Service { return &Service{base: base} }

// Ingested counts outcomes, bullets and sections of pages by what changed.
type Ingested struct {
	New, Changed, Unchanged, Gone int
	// GoneIDs are the outcomes and bullets that were removed from their notes, BackIDs those
	// that are there again. One that moves between two batches can be in both.
	GoneIDs, BackIDs []string
	// Redacted counts the secrets redacted in new and changed texts.
	Redacted int
}

// batch has the files of one notes directory that one transaction ingests.
type batch struct {
	dir   string // id of the directory
	files []Note // all of them, for their states
	notes []Note // those of them to compare
	now   time.Time
	newID func() string

	idPrefix string // of every id of the brain
}

// Ingest updates the graph to match complete files of one notes directory, in one
// transaction. Ingesting the same files again changes nothing.
func (s *Service) Ingest(ctx context.Context, dir string, notes []Note) (Ingested, error) {
	b := batch{dir: dir, files: notes, now: s.base.Now(), newID: s.base.NewID, idPrefix: s.base.IDPrefix}
	for _, n := range notes {
		if !n.StateOnly {
			b.notes = append(b.notes, s.CleanNote(n))
		}
	}
	var p plan
	err := lifecycle.Retry(func() error {
		return s.base.Store.Update(ctx, func(tx brain.Tx) error {
			known, err := read(tx, b)
			if err != nil {
				return err
			}
			p = decide(b, known)
			return write(tx, b, p)
		})
	})
	if err != nil {
		return Ingested{}, fmt.Errorf("ingest notes: %w", err)
	}
	s.base.ReportRedacted(p.answer.Redacted)
	return p.answer, nil
}
