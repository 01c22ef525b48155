package sqlite

import (
	"context"
	"iter"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

const everyRelation = `SELECT r.from_id, r.type, r.to_id, r.made FROM relation r WHERE r.brain = ?1 ORDER BY r.from_id, r.type, r.to_id`

func everyRecord() string {
	return "SELECT " + records().selected + " FROM record m NOT INDEXED WHERE m.brain = ?1 AND m.kind <> 'Lease' ORDER BY m.seq"
}

// Dump reads the whole brain from one snapshot.
func (s *Store) Dump(ctx context.Context, fn func(brain.Page) error) error {
	return s.view(ctx, func(t *tx) error {
		err := pages(t, memories().dest, memories().everything(), func(ms []brain.Memory) error { return fn(brain.Page{Memories: ms}) })
		if err == nil {
			err = pages(t, sources().dest, sources().everything(), func(ss []brain.Source) error { return fn(brain.Page{Sources: ss}) })
		}
		if err == nil {
			err = pages(t, sections().dest, sections().everything(), func(ss []brain.Section) error { return fn(brain.Page{Sections: ss}) })
		}
		if err == nil {
			err = pages(t, relationFields, everyRelation, func(rs []brain.Relation) error { return fn(brain.Page{Relations: rs}) })
		}
		if err == nil {
			err = pages(t, records().dest, everyRecord(), func(rs []brain.Record) error { return fn(brain.Page{Records: rs}) })
		}
		return err
	})
}

// pages calls fn with the rows of a query, a page at a time.
func pages[T any](t *tx, dest func(*T) []any, query string, fn func([]T) error) error {
	var page []T
	err := scan(t.ctx, t, dest, query, []any{t.s.brain}, func(v T) error {
		if page = append(page, v); len(page) < brain.PageSize {
			return nil
		}
		full := page
		page = nil
		return fn(full)
	})
	if err != nil || len(page) == 0 {
		return err
	}
	return fn(page)
}

// Load replaces the whole brain in one transaction. While it holds the lock of
// the file, first reads the brain with another connection.
func (s *Store) Load(ctx context.Context, pages iter.Seq2[brain.Page, error], first func() error) error {
	return s.write(ctx, func(t *tx) error {
		if first != nil {
			if err := first(); err != nil {
				return err
			}
		}
		t.clear()
		t.loaded = true
		for p, err := range pages {
			if err != nil {
				return err
			}
			if err := t.load(p); err != nil {
				return err
			}
		}
		return nil
	})
}

// clear removes everything in the brain but its leases. The numbers of docs continue,
// because marks of Written refer to earlier ones.
func (t *tx) clear() {
	t.dropVectors()
	for _, no := range []int64{t.partOf(false), t.partOf(true)} {
		for _, rows := range []string{"current_fts WHERE rowid", "past_fts WHERE rowid", "talk_fts WHERE rowid", "doc WHERE doc"} {
			t.exec("DELETE FROM "+rows+" BETWEEN ? AND ?", no<<partBits, (no+1)<<partBits-1)
		}
		for _, change := range []string{"UPDATE part SET docs = 0, terms = 0", "DELETE FROM census"} {
			t.exec(change+" WHERE part = ?", no)
		}
	}
	for _, rows := range []string{"memory WHERE", "source WHERE", "section WHERE", "relation WHERE", "stem WHERE", "record WHERE kind <> 'Lease' AND"} {
		t.exec("DELETE FROM "+rows+" brain = ?", t.s.brain)
	}
}

// load stores a page and then forgets it, so that memory does not grow with the
// brain.
func (t *tx) load(p brain.Page) error {
	if err := p.StoreNodes(t); err != nil {
		return err
	}
	missing, err := t.missing(p.Relations)
	if err != nil {
		return err
	}
	whole := slices.DeleteFunc(slices.Clone(p.Relations), func(r brain.Relation) bool {
		return slices.Contains(missing, r.From) || slices.Contains(missing, r.To)
	})
	t.putRelations(whole)
	err = t.finish()
	t.changes = newChanges()
	return err
}
