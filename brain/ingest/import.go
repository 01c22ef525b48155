package ingest

import (
	"context"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// RunImport is the kind of a run that imports memories, and ActImport that of
// its actions, one a memory.
const (
	RunImport                  = "import"
	ActImport brain.ActionKind = "import"
)

// ImportItem is one memory or section to import.
type ImportItem struct {
	Memory brain.Memory
	// Section is set for a section; Memory is then empty. Its id is derived from its text,
	// so that it is imported once.
	Section *brain.Section
	Source  *brain.Source // nil: there is none
	// Text is the text as a person wrote it, without the context that Content may add to
	// it; empty: Content.
	Text string
	// Bullet gives the memory the energy of a bullet, not that of an outcome.
	Bullet bool
	// AsIs keeps ids, tier, energy, dates and counters, as for an export of our
	// own. Otherwise the lifecycle of the memory begins at
	// its date of creation.
	AsIs bool
	// Relations start or end at the memory; both ends are ids.
	Relations []brain.Relation
	// Names are relations to memories by name. They wait until such a memory exists.
	Names []brain.NamedRelation
}

// ImportBatch has the items that one transaction imports.
type ImportBatch struct {
	Items []ImportItem
	// Relations are those of earlier batches with a missing end.
	Relations []brain.Relation
	// Mine reports whether a memory belongs to this import, so that its text does not
	// exclude other items. nil: none does.
	Mine func(id string) bool
	// Redacted is the number of secrets redacted from the items before.
	Redacted int
}

// ImportStatus is the outcome of importing one item.
type ImportStatus int

// What can become of an item.
const (
	Imported  ImportStatus = iota
	Held                   // the brain already has the id, identity or text
	Forgotten              // somebody forgot it
	Refused                // it is invalid, see the reason
)

// ImportResult is the result of importing one item.
type ImportResult struct {
	Status ImportStatus
	ID     string // of the memory; "" if it was forgotten or refused
	Reason string
}

// ImportAnswer is the answer to a batch.
type ImportAnswer struct {
	Results []ImportResult   // in the order of the items
	Missing []brain.Relation // relations with an end that does not exist
}

// importRequest is a batch to import into a brain whose ids begin with a prefix.
type importRequest struct {
	ImportBatch
	now      time.Time
	idPrefix string
}

// Import imports a batch of memories, in one transaction, as the next actions of a run, and
// returns the run after them. Items that the brain already has by id, by identity (the key
// of the source) or word for word are skipped, and so are forgotten ones. Importing the
// same batch again changes nothing. [journal.Service.Undo] of the run removes the imported
// memories again.
func (s *Service) Import(ctx context.Context, run brain.Run, batch ImportBatch) (ImportAnswer, brain.Run, error) {
	req := importRequest{s.cleanImport(batch), s.base.Now(), s.base.IDPrefix}
	var p importPlan
	next := run
	err := lifecycle.Retry(func() (err error) {
		_, next, err = s.base.Act(ctx, run, req.now, func(tx brain.Tx) ([]brain.Action, error) {
			known, err := readImport(tx, req.ImportBatch)
			if err != nil {
				return nil, err
			}
			p = decideImport(req, known)
			return p.actions, writeImport(tx, p, req)
		})
		return err
	})
	return p.answer, next, brain.Wrap(err, "import")
}
