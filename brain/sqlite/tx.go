package sqlite

import (
	"cmp"
	"context"
	"database/sql"
)

// tx is one transaction: a snapshot for View, or with changes for Update. [brain.Tx]
// describes its methods.
type tx struct {
	s       *Store
	ctx     context.Context //nolint:containedctx // a tx lives as long as the call it was made for
	c       *conn
	changes *changes
	loaded  bool             // it replaces the whole brain
	docs    map[string]int64 // in a rebuild: the docs that texts had before, by the ids of their nodes

	unreadable map[string]error // why nodes, relations and records that it found are left out, by id
	buf        []byte           // for checksums
}

// fail returns the error of a statement for the caller. An Update keeps the first one, returns
// it from then on, also for reads, writes nothing more and is not committed.
func (t *tx) fail(err error) error {
	if t.changes == nil {
		return t.s.explain(t.ctx, "read", err)
	}
	t.changes.failed = cmp.Or(t.changes.failed, t.s.explain(t.ctx, "write", err))
	return t.changes.failed
}

// finish brings the search index and the counts up to date before the commit.
func (t *tx) finish() error {
	if t.changes.recount || len(t.unreadable) > 0 { // a damaged row may be gone, of which the doc is not known
		t.dropUnusedDocs()
	}
	t.finishIndex()
	t.finishTally()
	return t.changes.failed
}

// exec runs a statement that writes, unless one has failed.
func (t *tx) exec(query string, args ...any) (done sql.Result) {
	if t.changes.failed == nil {
		var err error
		done, err = t.c.exec(t.ctx, query, args...)
		_ = t.fail(err)
	}
	return done
}

// one reads one row.
func (t *tx) one(query string, args []any, dest ...any) error {
	return t.fail(t.c.one(t.ctx, query, args, dest...))
}
