package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// tx is one transaction: a snapshot for View, or with changes for Update.
type tx struct {
	s       *Store
	ctx     context.Context //nolint:containedctx // a tx lives as long as the call it was made for
	c       *conn
	changes *changes
}

var (
	_ brain.Reader = (*tx)(nil)
	_ brain.Tx     = (*tx)(nil)
)

// fail sorts an error of a read.
func (t *tx) fail(doing string, err error) error {
	return t.s.sorted(t.ctx, doing, err)
}

// failWrite sorts an error of a write and keeps the first one: what a
// transaction wrote is stored whole or not at all.
func (t *tx) failWrite(doing string, err error) error {
	err = t.s.sorted(t.ctx, doing, err)
	if err != nil && t.changes.failed == nil {
		t.changes.failed = err
	}
	return err
}

// finish brings the index in step, before the commit.
func (t *tx) finish() error {
	if t.changes.failed != nil {
		return t.changes.failed
	}
	if err := t.flushIndex(); err != nil {
		return t.failWrite("write the search index", err)
	}
	return nil
}

func (t *tx) exec(query string, args ...any) error {
	_, err := t.c.exec(t.ctx, query, args...)
	return err
}

// collect runs a query and returns its rows; dest says where the columns of a
// row go.
func collect[T any](t *tx, dest func(*T) []any, query string, args ...any) ([]T, error) {
	return gather(t.ctx, t, dest, query, args...)
}

// keyed is collect for what is looked up by its keys, see brief.
func keyed[T any](t *tx, dest func(*T) []any, query string, args ...any) ([]T, error) {
	return gather(brief(t.ctx), t, dest, query, args...)
}

// gather runs a query with a context of its own. The one of the transaction is
// looked at before and between two rows: keys may be many.
func gather[T any](ctx context.Context, t *tx, dest func(*T) []any, query string, args ...any) ([]T, error) {
	if err := t.ctx.Err(); err != nil {
		return nil, err
	}
	rows, err := t.c.query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var out []T
	for rows.Next() {
		if err := t.ctx.Err(); err != nil {
			return nil, err
		}
		var v T
		if err := rows.Scan(dest(&v)...); err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

// text is the destination of a query with one column.
func text(s *string) []any { return []any{s} }

// asJSON renders a list for json_each, each value once: one statement serves
// any number of ids.
func asJSON[T comparable](list []T) string {
	seen := make(map[T]struct{}, len(list))
	unique := slices.DeleteFunc(slices.Clone(list), func(v T) bool {
		_, twice := seen[v]
		seen[v] = struct{}{}
		return twice
	})
	b, err := json.Marshal(unique)
	if err != nil {
		panic(fmt.Sprintf("a list of plain values has no JSON: %v", err)) // cannot be
	}
	return string(b)
}

// changed runs a statement and says how many rows it changed.
func (t *tx) changed(query string, args ...any) (int64, error) {
	var res sql.Result
	res, err := t.c.exec(t.ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}
