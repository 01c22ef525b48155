package sqlite

import (
	"context"

	"github.com/brainbridge/brainbridge/brain"
)

// tx is one transaction: a snapshot for View, or with changes for Update.
type tx struct {
	s       *Store
	ctx     context.Context //nolint:containedctx // a tx lives as long as the call it was made for
	c       *conn
	changes *changes
}

var _ brain.Tx = (*tx)(nil)

// fail returns the error of a read for the caller.
func (t *tx) fail(doing string, err error) error {
	return t.s.sorted(t.ctx, doing, err)
}

// failWrite returns the error of a write for the caller and keeps the first one:
// a transaction with a failed write is not committed.
func (t *tx) failWrite(doing string, err error) error {
	err = t.s.sorted(t.ctx, doing, err)
	if err != nil && t.changes.failed == nil {
		t.changes.failed = err
	}
	return err
}

// finish brings the search index and the counts up to date before the commit.
func (t *tx) finish() error {
	if t.changes.failed != nil {
		return t.changes.failed
	}
	err := t.finishIndex()
	if err == nil {
		err = t.finishCensus()
	}
	return t.failWrite("write the search index", err)
}

func (t *tx) exec(query string, args ...any) error {
	_, err := t.c.exec(t.ctx, query, args...)
	return err
}
