package sqlite

import (
	"context"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

// rowCounts are the numbers of rows of the index.
type rowCounts struct {
	current, past, docs int // rows of the three tables
	next                int64
}

func indexRows(t rapid.TB, s *Store) (n rowCounts) {
	t.Helper()
	one(t, s, `SELECT (SELECT count(*) FROM current_fts), (SELECT count(*) FROM past_fts),
		(SELECT count(*) FROM doc), ifnull((SELECT max(next) FROM part), 0)`, &n.current, &n.past, &n.docs, &n.next)
	return n
}

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
// is the same as if it were built from scratch.
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
	if rapid.Bool().Draw(rt, "promoted") {
		m.PromotedFrom = rapid.SampledFrom(ids).Draw(rt, "from")
	}
	if rapid.Bool().Draw(rt, "read first") {
		if _, err := x.Memories(ids...); err != nil {
			return err
		}
	}
	switch rapid.IntRange(0, 3).Draw(rt, "what") {
	case 0:
		return x.PutLives(m)
	case 1:
		return x.DeleteMemories(id)
	}
	return x.PutMemories(m)
}

func checkIndex(rt *rapid.T, s *Store) {
	var misplaced, orphans, docs, terms, counted, countedTerms, rows int
	one(rt, s, `SELECT
		(SELECT count(*) FROM doc d WHERE past = EXISTS (SELECT 1 FROM memory m WHERE m.doc = d.doc AND `+isCurrent+`)),
		(SELECT count(*) FROM doc d WHERE NOT EXISTS (SELECT 1 FROM memory m WHERE m.doc = d.doc))
			+ (SELECT count(*) FROM memory WHERE doc NOT IN (SELECT doc FROM doc)),
		(SELECT count(*) FROM doc WHERE NOT past), (SELECT ifnull(sum(size), 0) FROM doc WHERE NOT past),
		(SELECT ifnull(sum(docs), 0) FROM part), (SELECT ifnull(sum(terms), 0) FROM part),
		(SELECT count(*) FROM current_fts)`,
		&misplaced, &orphans, &docs, &terms, &counted, &countedTerms, &rows)
	if misplaced != 0 || orphans != 0 {
		rt.Fatalf("%d docs are in the wrong table, %d belong to no memory", misplaced, orphans)
	}
	if docs != counted || terms != countedTerms || docs != rows {
		rt.Fatalf("%d docs with %d terms and %d rows, counted as %d with %d", docs, terms, rows, counted, countedTerms)
	}
	var inWrongPart int
	one(rt, s, `SELECT count(*) FROM memory WHERE doc >> 40 <> brain`, &inWrongPart)
	if inWrongPart != 0 {
		rt.Fatalf("%d memories are in the part of another brain", inWrongPart)
	}
	const classes = `SELECT brain, tier, memory_type, count(*), count(created), ifnull(sum(created / 1000), 0)
		FROM memory GROUP BY 1, 2, 3`
	var uncounted, miscounted int
	one(rt, s, `SELECT (SELECT count(*) FROM (`+classes+` EXCEPT SELECT * FROM census)),
		(SELECT count(*) FROM (SELECT * FROM census WHERE memories <> 0 EXCEPT `+classes+`))`, &uncounted, &miscounted)
	if uncounted != 0 || miscounted != 0 {
		rt.Fatalf("the census lacks %d classes and has %d wrong ones", uncounted, miscounted)
	}
}

// TestSearchIsBM25 compares the scores of a search with the formula, computed over all
// memories.
func TestSearchIsBM25(t *testing.T) {
	path := filepath.Join(t.TempDir(), "brain.db")
	vocabulary := []string{"ant", "bee", "cat", "dog", "eel", "fox", "gnu", "hen"}
	text := rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, 12)
	join := func(ws []string) (s string) {
		for _, w := range ws {
			s += w + " "
		}
		return s
	}
	rapid.Check(t, func(rt *rapid.T) {
		s, err := Open(t.Context(), path, rapid.StringMatching(`[a-z]{20}`).Draw(rt, "brain"))
		if err != nil {
			rt.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		var ms []brain.Memory
		for range rapid.IntRange(1, 20).Draw(rt, "memories") {
			m := storetest.Memory("x")
			m.Name, m.Content = join(text.Draw(rt, "name")), join(text.Draw(rt, "content"))
			m.Tags = rapid.SliceOfN(rapid.SampledFrom(vocabulary), 0, 2).Draw(rt, "tags")
			ms = append(ms, m)
		}
		query := words.Parse(join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, 4).Draw(rt, "query")))
		if err := s.Update(t.Context(), func(x brain.Tx) error { return x.PutMemories(ms...) }); err != nil {
			rt.Fatal(err)
		}
		var hits []brain.Hit
		err = s.View(t.Context(), func(r brain.Reader) (err error) {
			hits, err = r.Search(brain.SearchQuery{Words: query, Limit: 100})
			return err
		})
		if err != nil {
			rt.Fatal(err)
		}
		compareHits(rt, hits, bm25(ms, query.Terms))
	})
}

func compareHits(rt *rapid.T, got, want []brain.Hit) {
	if len(got) != len(want) {
		rt.Fatalf("%d hits, want %d", len(got), len(want))
	}
	scores := map[string]float64{}
	for _, h := range want {
		scores[h.ID] = h.Score
	}
	for i, h := range got {
		if math.Abs(scores[h.ID]-h.Score) > 1e-9 {
			rt.Fatalf("hit %d has score %v, want %v", i, h.Score, scores[h.ID])
		}
		if i > 0 && (got[i-1].Score < h.Score || got[i-1].Score == h.Score && got[i-1].ID > h.ID) {
			rt.Fatalf("hit %d is out of order", i)
		}
	}
}

// bm25 is the textbook formula with k1 = 0.9 and b = 0.75; words in the name count twice.
func bm25(ms []brain.Memory, terms []string) (hits []brain.Hit) {
	total := 0.0
	df := map[string]float64{}
	counts := make([]map[string]float64, len(ms))
	lengths := make([]float64, len(ms))
	for i, m := range ms {
		counts[i] = map[string]float64{}
		x := m.Indexed()
		for _, w := range words.Terms(x.Name) {
			counts[i][w] += 2
		}
		for _, w := range slices.Concat(words.Terms(x.Content), words.Terms(x.Rest)) {
			counts[i][w]++
		}
		lengths[i] = float64(x.Length())
		total += lengths[i]
		for w := range maps.Keys(counts[i]) {
			df[w]++
		}
	}
	n, average := float64(len(ms)), total/float64(len(ms))
	for i, m := range ms {
		score := 0.0
		for _, w := range terms {
			tf := counts[i][w]
			idf := math.Log(1 + (n-df[w]+0.5)/(df[w]+0.5))
			score += idf * tf * 1.9 / (tf + 0.9*(0.25+0.75*lengths[i]/average))
		}
		if score > 0 {
			hits = append(hits, brain.Hit{ID: m.ID, Score: score})
		}
	}
	return hits
}
