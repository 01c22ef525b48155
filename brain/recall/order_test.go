package recall_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

// answers of a query are looked at.
const answers = 10

// A store chooses the candidates by the BM25 of its database, which has other parameters; Lucene
// also rounds lengths and shares statistics between the brains of a test server. So for words
// that most texts have, it may miss one of the best; it does so for few queries.
const missed = 15

// The order of recall is that of the formula in docs/recall.md, computed here over all
// records without an index.
func TestRecallOrdersByTheFormula(t *testing.T) {
	random := rand.New(rand.NewPCG(16, 1))
	records := conversations(random, 500)
	queries := make([]string, 200)
	for i := range queries {
		queries[i] = randomWords(random, 1+random.IntN(6))
	}
	stores := map[string]func(t *testing.T) brain.Store{
		"sqlite": func(t *testing.T) brain.Store {
			return opened[*sqlite.Store](t)(sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "brain.db"), "order"))
		},
		"neo4j": func(t *testing.T) brain.Store {
			return opened[*neo4j.Store](t)(neo4j.Open(t.Context(), neo4j.Config{URI: neo4jtest.Server(t), Brain: "order-" + brain.NewID()}))
		},
	}
	for name, open := range stores {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			if err := s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(records...) }); err != nil {
				t.Fatal(err)
			}
			svc := services.New(s, services.Options{Now: func() time.Time { return records[0].Created }})
			var differing []string
			for _, text := range queries {
				got, err := svc.Recall.Recall(t.Context(), recall.Query{Words: words.Parse(text), Limit: answers, NoTouch: true})
				if err != nil {
					t.Fatal(err)
				}
				if diff := compareOrder(text, reference(records, text), got.Results); diff != "" {
					differing = append(differing, diff)
				}
			}
			if len(differing) > missed {
				t.Errorf("%d queries of %d, at most %d:\n%s", len(differing), len(queries), missed, strings.Join(differing, "\n"))
			}
		})
	}
}

func opened[S brain.Store](t *testing.T) func(S, error) brain.Store {
	return func(s S, err error) brain.Store {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
}

// compareOrder says where the answers are not the best of the reference, in its order but
// for equal scores.
func compareOrder(query string, want []scored, got []recall.Recalled) string {
	if len(got) != min(answers, len(want)) {
		return fmt.Sprintf("%q: %d answers, want %d of %d", query, len(got), min(answers, len(want)), len(want))
	}
	byID := map[string]float64{}
	for _, w := range want {
		byID[w.id] = w.score
	}
	for i, g := range got {
		if math.Abs(byID[g.Memory.ID]-want[i].score) > 1e-9 {
			return fmt.Sprintf("%q: answer %d is %s with %.6f, want %s with %.6f", query, i, g.Memory.ID, byID[g.Memory.ID], want[i].id, want[i].score)
		}
	}
	return ""
}

const vocabulary = "gate amber rope winter copper engine lantern meadow orbit pencil quarry ribbon saddle tunnel umbrella velvet walnut xylem yonder zigzag " +
	"anchor basket candle dagger elbow falcon garlic hammer island jacket kettle ladder magnet napkin oyster pepper quiver rocket sunset thunder"

// randomWords returns words, those at the beginning of the vocabulary more often.
func randomWords(random *rand.Rand, n int) string {
	all := strings.Fields(vocabulary)
	chosen := make([]string, n)
	for i := range chosen {
		chosen[i] = all[int(float64(len(all))*math.Pow(random.Float64(), 1.5))]
	}
	return strings.Join(chosen, " ")
}

// conversations returns records in groups of ten; every third ten have no group.
func conversations(random *rand.Rand, n int) []brain.Memory {
	start := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	ms := make([]brain.Memory, n)
	for i := range ms {
		m := brain.Memory{ID: fmt.Sprintf("r%03d", i), Content: randomWords(random, 3+random.IntN(25)), MemoryType: "note", Created: start}
		if group := i / 10; group%3 > 0 {
			m.Group, m.Position = fmt.Sprint("group ", group), i%10*7
		}
		if random.IntN(4) == 0 {
			m.Name = randomWords(random, 2)
		}
		m.State = tiers.State{Tier: tiers.LongTerm, Energy: 1, Base: 1}
		m.Complete()
		ms[i] = m
	}
	return ms
}

type scored struct {
	id    string
	score float64
}

// entry is what the reference knows of a record.
type entry struct {
	brain.Memory
	x          map[string]float64 // frequency of each word, relative to the length
	length     int
	prev, next int // in the group, -1 for none
	own        float64
}

// reference returns all answers to a query of words without stop words and stand-ins.
func reference(records []brain.Memory, query string) []scored {
	asked := slices.Compact(slices.Sorted(slices.Values(words.Terms(query))))
	entries := entriesOf(records)
	idf := map[string]float64{}
	for _, term := range asked {
		n := 0.0
		for _, e := range entries {
			if e.x[term] > 0 {
				n++
			}
		}
		idf[term] = math.Log(1 + (float64(len(entries))-n+0.5)/(n+0.5))
	}
	saturate := func(x func(term string) float64) (sum float64) {
		for _, term := range asked {
			sum += idf[term] * x(term) / (x(term) + 0.9)
		}
		return sum
	}
	order := make([]int, len(entries))
	for i := range entries {
		order[i] = i
		entries[i].own = saturate(func(term string) float64 { return entries[i].x[term] })
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(entries[b].own, entries[a].own) })
	candidates := slices.DeleteFunc(order[:50], func(i int) bool { return entries[i].own == 0 })
	in := known(entries, candidates)
	r := map[int]float64{}
	best := 0.0
	for i := range in {
		r[i] = saturate(func(term string) float64 { return entries[i].x[term] + in.around(entries, i, term) })
		best = max(best, r[i])
	}
	var all []scored
	for i := range in {
		e := &entries[i]
		if e.own == 0 {
			continue
		}
		all = append(all, scored{e.ID, r[i] / best})
	}
	slices.SortFunc(all, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.id, b.id)) })
	return all
}

func entriesOf(records []brain.Memory) []entry {
	entries, total := make([]entry, len(records)), 0
	for i, m := range records {
		e := entry{Memory: m, x: map[string]float64{}, prev: -1, next: -1}
		text := m.Indexed()
		for _, term := range words.Terms(text.Name) {
			e.x[term] += 2
			e.length++
		}
		for _, term := range append(words.Terms(text.Content), words.Terms(text.Rest)...) {
			e.x[term]++
			e.length++
		}
		if i > 0 && m.Group != "" && records[i-1].Group == m.Group {
			e.prev = i - 1
		}
		if i+1 < len(records) && m.Group != "" && records[i+1].Group == m.Group {
			e.next = i + 1
		}
		total += e.length
		entries[i] = e
	}
	for _, e := range entries {
		for term := range e.x {
			e.x[term] /= 0.25 + 0.75*float64(e.length)/(float64(total)/float64(len(entries)))
		}
	}
	return entries
}

// links are the records of a search with the records before and after each that it knows.
type links map[int]struct{ prev, next int }

// known returns candidates and two neighbours of each on both sides.
func known(entries []entry, candidates []int) links {
	in := links{}
	link := func(a, b int) {
		x, y := in[a], in[b]
		x.next, y.prev = b, a
		in[a], in[b] = x, y
	}
	ensure := func(i int) {
		if _, ok := in[i]; !ok {
			in[i] = struct{ prev, next int }{-1, -1}
		}
	}
	for _, c := range candidates {
		ensure(c)
		for i, d := c, 0; d < 2 && entries[i].prev >= 0; d++ {
			ensure(entries[i].prev)
			link(entries[i].prev, i)
			i = entries[i].prev
		}
		for i, d := c, 0; d < 2 && entries[i].next >= 0; d++ {
			ensure(entries[i].next)
			link(i, entries[i].next)
			i = entries[i].next
		}
	}
	return in
}

// around returns what the neighbours of a record add to the frequency of a word.
func (in links) around(entries []entry, i int, term string) (sum float64) {
	at := func(j int, weight float64) {
		if j >= 0 {
			sum += weight * entries[j].x[term]
		}
	}
	if p := in[i].prev; p >= 0 {
		at(p, 0.25)
		at(in[p].prev, 0.15)
	}
	if n := in[i].next; n >= 0 {
		at(n, 0.12)
		at(in[n].next, 0.08)
	}
	return sum
}
