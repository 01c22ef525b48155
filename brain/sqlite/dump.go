package sqlite

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// loadCache is the size of the page cache of a load, in KiB. Ids are random, so each row changes
// as many pages as it has indexes; with the usual cache most of them are written again and again.
const loadCache = 128 << 10

const everyRelation = `SELECT m.from_id, m.type, m.to_id, m.made, m.checksum FROM relation m WHERE m.brain = ?1 ORDER BY m.from_id, m.type, m.to_id`

func everyRecord() string {
	return "SELECT " + records().selected + " FROM record m NOT INDEXED WHERE m.brain = ?1 AND m.kind <> 'Lease' ORDER BY m.seq"
}

// Dump reads the whole brain from one snapshot.
func (s *Store) Dump(ctx context.Context, fn func(brain.Page) error) error {
	return s.view(ctx, func(t *tx) error {
		d := &dump{t: t, fn: fn}
		d.memories()
		d.others()
		return d.ended
	})
}

// Scan reads one snapshot. Of the rest it has SQLite check the file: a row that lost its brain or
// its place in an index is found by no query.
func (s *Store) Scan(ctx context.Context, memories bool, fn func(brain.Page) error) error {
	err := s.view(ctx, func(t *tx) error {
		d := &dump{t: t, fn: fn}
		if memories {
			d.memories()
		} else {
			d.others()
		}
		return d.ended
	})
	if err != nil || memories {
		return err
	}
	if err = s.Check(ctx); IsDamage(err) {
		return fn(brain.Page{Unreadable: []brain.Unreadable{{Why: err.Error()}}})
	}
	return err
}

func (d *dump) memories() { emit(d, memories(), memories().everything()) }

// others dumps all but memories.
func (d *dump) others() {
	emit(d, sources(), sources().everything())
	emit(d, sections(), sections().everything())
	emit(d, relations(), everyRelation)
	emit(d, records(), everyRecord())
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
		cache := func(size int) error {
			_, err := t.c.exec(context.WithoutCancel(ctx), fmt.Sprintf("PRAGMA cache_size = -%d", size))
			return err
		}
		if err := cache(loadCache); err != nil {
			return err
		}
		defer func() { _ = cache(s.pool.cache) }() // it only limits the use of memory
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

// clear removes everything in the brain but its leases.
func (t *tx) clear() {
	t.dropVectors()
	var others bool
	if t.one("SELECT EXISTS (SELECT 1 FROM brain WHERE no <> ?)", []any{t.s.brain}, &others) == nil && !others {
		for _, table := range []string{"doc", "memory", "source", "section", "relation", "tally"} {
			t.exec("DELETE FROM " + table) // without a condition it takes no time
		}
		t.exec("INSERT INTO words (words) VALUES ('delete-all')")
		t.exec("INSERT INTO talk_words (talk_words) VALUES ('delete-all')")
		t.exec("DELETE FROM record WHERE kind <> 'Lease'")
		return
	}
	for _, rows := range []string{
		"words WHERE rowid IN (SELECT doc FROM doc WHERE brain = ? AND NOT talk)", "talk_words WHERE rowid IN (SELECT doc FROM doc WHERE brain = ? AND talk)",
		"doc WHERE brain = ?", "memory WHERE brain = ?", "source WHERE brain = ?", "section WHERE brain = ?", "relation WHERE brain = ?",
		"tally WHERE brain = ?", "record WHERE kind <> 'Lease' AND brain = ?",
	} {
		t.exec("DELETE FROM "+rows, t.s.brain)
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
