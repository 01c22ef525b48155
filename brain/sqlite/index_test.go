package sqlite

import (
	"context"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/tiers"
)

func one(t rapid.TB, s *Store, query string, dest ...any) {
	t.Helper()
	err := s.View(context.Background(), func(r brain.Reader) error {
		return r.(*tx).c.one(context.Background(), query, nil, dest...)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestIndexStaysInStep makes random changes to a few memories and checks that the index
// agrees with them.
func TestIndexStaysInStep(t *testing.T) {
	path := filepath.Join(t.TempDir(), "brain.db")
	rapid.Check(t, func(rt *rapid.T) {
		s, err := Open(t.Context(), path, rapid.StringMatching(`[a-z]{20}`).Draw(rt, "brain"))
		if err != nil {
			rt.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		ids := []string{storetest.NewID(), storetest.NewID(), storetest.NewID(), storetest.NewID()}
		for range rapid.IntRange(1, 12).Draw(rt, "updates") {
			err := s.Update(t.Context(), func(x brain.Tx) error {
				for range rapid.IntRange(1, 4).Draw(rt, "writes") {
					if err := anyWrite(rt, x, ids); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				rt.Fatal(err)
			}
			checkIndex(rt, s)
		}
	})
}

func anyWrite(rt *rapid.T, x brain.Tx, ids []string) error {
	id := rapid.SampledFrom(ids).Draw(rt, "id")
	m := storetest.Memory(rapid.SampledFrom([]string{"apple", "apple pear", "plum"}).Draw(rt, "text"))
	m.ID = id
	m.Tier = rapid.SampledFrom(tiers.All()).Draw(rt, "tier")
	m.MemoryType = rapid.SampledFrom([]string{"fact", "decision"}).Draw(rt, "type")
	if rapid.Bool().Draw(rt, "read first") {
		if _, err := x.Memories(ids...); err != nil {
			return err
		}
	}
	switch rapid.IntRange(0, 3).Draw(rt, "what") {
	case 0:
		return x.PutLives(m)
	case 1:
		return x.DeleteNodes(id)
	}
	return x.PutMemories(m)
}

func checkIndex(rt *rapid.T, s *Store) {
	var misplaced, orphans, docs, terms, texts, length, rows, words, uncounted, miscounted int
	one(rt, s, `SELECT
		(SELECT count(*) FROM doc d WHERE past = EXISTS (SELECT 1 FROM memory m WHERE m.doc = d.doc AND `+isCurrent+`)),
		(SELECT count(*) FROM doc d WHERE NOT EXISTS (SELECT 1 FROM memory m WHERE m.doc = d.doc AND m.brain = d.brain))
			+ (SELECT count(*) FROM memory WHERE doc NOT IN (SELECT doc FROM doc)),
		(SELECT count(*) FROM doc WHERE NOT past), (SELECT ifnull(sum(size), 0) FROM doc WHERE NOT past),
		(SELECT ifnull(sum(number), 0) FROM tally WHERE what = 'notes'), (SELECT ifnull(sum(size), 0) FROM tally WHERE what = 'notes'),
		(SELECT count(*) FROM doc), (SELECT count(*) FROM words),
		(SELECT count(*) FROM (SELECT brain, tier, count(*) FROM memory GROUP BY 1, 2 EXCEPT SELECT brain, what, number FROM tally)),
		(SELECT count(*) FROM (SELECT brain, what, number FROM tally WHERE number <> 0 AND what <> 'notes' EXCEPT SELECT brain, tier, count(*) FROM memory GROUP BY 1, 2))`,
		&misplaced, &orphans, &docs, &terms, &texts, &length, &rows, &words, &uncounted, &miscounted)
	if misplaced != 0 || orphans != 0 {
		rt.Fatalf("%d docs are in the wrong state, %d belong to no memory", misplaced, orphans)
	}
	if docs != texts || terms != length || rows != words {
		rt.Fatalf("%d docs with %d terms, counted as %d with %d; %d docs in all, and %d rows with their words", docs, terms, texts, length, rows, words)
	}
	if uncounted != 0 || miscounted != 0 {
		rt.Fatalf("the tally lacks %d tiers and has %d wrong ones", uncounted, miscounted)
	}
}
