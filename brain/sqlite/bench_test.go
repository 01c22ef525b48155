package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

// benchMemories is the size of the large store: 100,000, or what
// BENCH_MEMORIES says.
func benchMemories() int {
	if n, err := strconv.Atoi(os.Getenv("BENCH_MEMORIES")); err == nil {
		return n
	}
	return 100_000
}

// corpus makes texts whose words have the frequencies of real ones (Zipf).
type corpus struct {
	rand *rand.Rand
	zipf *rand.Zipf
}

func newCorpus(seed uint64) *corpus {
	r := rand.New(rand.NewPCG(seed, 1))
	return &corpus{r, rand.NewZipf(r, 1.07, 2, 60_000)}
}

// word makes a word that no stemmer changes much: syllables in base 50.
func (c *corpus) word() string {
	const first, second = "bdfgklmnpt", "aiouo"
	var b strings.Builder
	for n := c.zipf.Uint64() + 50; n > 0; n /= 50 {
		b.WriteByte(first[n%10])
		b.WriteByte(second[n/10%5])
	}
	return b.String() + "x"
}

func (c *corpus) text(n int) string {
	ws := make([]string, n)
	for i := range ws {
		ws[i] = c.word()
	}
	return strings.Join(ws, " ")
}

var benchStart = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func (c *corpus) memory(i int) brain.Memory {
	at := benchStart.Add(time.Duration(i) * time.Second)
	return brain.Memory{
		ID: uuid.NewString(), Name: c.text(6), Content: c.text(34), MemoryType: "outcome",
		ContentHash: strconv.Itoa(i), Created: at, Importance: brain.Important, Version: 1,
		NameKey: strconv.Itoa(i),
		State: tiers.State{
			Tier: tiers.LongTerm, Energy: 5, Base: 5, BaseAt: at, LastDecay: at,
			ExpiresAt: at.AddDate(1, 0, 0), ValidFrom: at,
		},
	}
}

// large opens a store with n memories.
func large(b *testing.B, n int) *Store {
	b.Helper()
	dir := os.Getenv("BENCH_DIR") // to keep the file between runs
	if dir == "" {
		dir = b.TempDir()
	}
	s := open(b, filepath.Join(dir, fmt.Sprintf("bench-%d.db", n)), "bench")
	var counts brain.Counts
	must(b, s.View(b.Context(), func(r brain.Reader) (err error) {
		counts, err = r.Counts(benchStart)
		return err
	}))
	if counts.ByTier[tiers.LongTerm] >= n {
		return s
	}
	c := newCorpus(1)
	for i := 0; i < n; i += 1000 {
		ms := make([]brain.Memory, 1000)
		for j := range ms {
			ms[j] = c.memory(i + j)
		}
		must(b, s.Update(b.Context(), func(tx brain.Tx) error { return tx.PutMemories(ms...) }))
	}
	return s
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func BenchmarkSearch(b *testing.B) {
	s := large(b, benchMemories())
	for name, n := range map[string]int{"1word": 1, "2words": 2, "3words": 3, "4words": 4, "12words": 12} {
		b.Run(name, func(b *testing.B) {
			c := newCorpus(2)
			var took []time.Duration
			for b.Loop() {
				q := brain.SearchQuery{Words: words.Parse(c.text(n)), Limit: 50}
				start := time.Now()
				must(b, s.View(b.Context(), func(r brain.Reader) error {
					_, err := r.Search(q)
					return err
				}))
				took = append(took, time.Since(start))
			}
			percentiles(b, took)
		})
	}
}

func percentiles(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2].Seconds()*1000, "p50-ms")
	b.ReportMetric(took[len(took)*95/100].Seconds()*1000, "p95-ms")
}

// BenchmarkPromotions writes what a run does: 1,000 promotions, 10 a
// transaction, with relations and journal.
func BenchmarkPromotions(b *testing.B) {
	s := large(b, benchMemories())
	for b.Loop() {
		b.StopTimer()
		ids := benchDue(b, s, 1000)
		b.StartTimer()
		for batch := range slices.Chunk(ids, 10) {
			must(b, s.Update(context.Background(), func(tx brain.Tx) error { return promote(tx, batch) }))
		}
	}
}

func benchDue(b *testing.B, s *Store, n int) []string {
	b.Helper()
	c := newCorpus(rand.Uint64())
	var ids []string
	must(b, s.Update(b.Context(), func(tx brain.Tx) error {
		for i := range n {
			m := c.memory(i)
			m.Tier, m.PromoteDue = tiers.Working, benchStart
			src := brain.Source{ID: uuid.NewString(), Kind: brain.Crystallization, Created: m.Created}
			ids = append(ids, m.ID)
			if err := tx.PutMemories(m); err != nil {
				return err
			}
			if err := tx.PutSources(src); err != nil {
				return err
			}
			if err := tx.PutRelations(brain.Relation{From: src.ID, Type: brain.HasMemory, To: m.ID}); err != nil {
				return err
			}
		}
		return nil
	}))
	return ids
}

// promote reads, replaces and journals memories as a consolidation run does.
func promote(tx brain.Tx, ids []string) error {
	ms, err := tx.Memories(ids...)
	if err != nil {
		return err
	}
	var archived []brain.Memory
	var journal []brain.Record
	var rs []brain.Relation
	for i := range ms {
		was := ms[i]
		was.ID = uuid.NewString()
		was.Tier, was.ValidTo, was.PromoteDue = tiers.ArchivedWorking, benchStart, time.Time{}
		ms[i].Tier, ms[i].PromoteDue, ms[i].PromotedFrom = tiers.ShortTerm, time.Time{}, was.ID
		archived = append(archived, was)
		rs = append(rs, brain.Relation{From: was.ID, Type: brain.PromotedTo, To: ms[i].ID})
		journal = append(journal, brain.Record{
			Kind: brain.ActionRecord, ID: uuid.NewString(), Owner: "run", Key: ms[i].ID, At: benchStart,
			Body: []byte(`{"before":"` + ms[i].Content + `"}`),
		})
	}
	return errors.Join(tx.PutLives(ms...), tx.PutMemories(archived...), tx.PutRelations(rs...), tx.PutRecords(journal...))
}

// BenchmarkSweep expires 1,000 memories, 100 a transaction, with journal.
func BenchmarkSweep(b *testing.B) {
	s := large(b, benchMemories())
	for b.Loop() {
		b.StopTimer()
		benchDue(b, s, 1000)
		b.StartTimer()
		var due []lifecycle.Due
		must(b, s.View(b.Context(), func(r brain.Reader) (err error) {
			due, err = lifecycle.ReadDue(r, benchStart)
			return err
		}))
		for batch := range slices.Chunk(due[:1000], 100) {
			must(b, s.Update(b.Context(), func(tx brain.Tx) error { return expire(tx, batch) }))
		}
	}
}

func expire(tx brain.Tx, due []lifecycle.Due) error {
	var ids []string
	for _, d := range due {
		ids = append(ids, d.ID)
	}
	ms, err := tx.Memories(ids...)
	if err != nil {
		return err
	}
	var journal []brain.Record
	for i := range ms {
		ms[i].Tier, ms[i].ExpiredFrom, ms[i].PromoteDue = tiers.Expired, ms[i].Tier, time.Time{}
		journal = append(journal, brain.Record{
			Kind: brain.ActionRecord, ID: uuid.NewString(), Owner: "run", Key: ms[i].ID, At: benchStart,
			Body: []byte(`{"before":"` + ms[i].Content + `"}`),
		})
	}
	if err := tx.PutLives(ms...); err != nil {
		return err
	}
	return tx.PutRecords(journal...)
}

func BenchmarkNothingDue(b *testing.B) {
	s := large(b, benchMemories())
	for b.Loop() {
		must(b, s.View(b.Context(), func(r brain.Reader) error {
			_, err := lifecycle.ReadDue(r, benchStart.AddDate(-1, 0, 0))
			return err
		}))
	}
}

// BenchmarkCapture opens, writes one memory and closes, as a command does.
func BenchmarkCapture(b *testing.B) {
	path := filepath.Join(b.TempDir(), "brain.db")
	c := newCorpus(3)
	open(b, path, "bench")
	for b.Loop() {
		s, err := Open(b.Context(), path, "bench")
		must(b, err)
		m := c.memory(1)
		must(b, s.Update(b.Context(), func(tx brain.Tx) error { return tx.PutMemories(m) }))
		must(b, s.Close())
	}
}

// BenchmarkFirstScan stores 50,000 outcomes with their memories and sections.
func BenchmarkFirstScan(b *testing.B) {
	for b.Loop() {
		s := open(b, filepath.Join(b.TempDir(), uuid.NewString()), "bench")
		c := newCorpus(4)
		for i := range 100 {
			must(b, s.Update(b.Context(), func(tx brain.Tx) error { return scanBatch(tx, c, i, 500) }))
		}
	}
}

func scanBatch(tx brain.Tx, c *corpus, batch, n int) error {
	var ms []brain.Memory
	var ss []brain.Source
	var rs []brain.Relation
	var sections []brain.Section
	for i := range n {
		m := c.memory(i)
		id := uuid.NewString()
		file := fmt.Sprintf("%d.md", (batch*n+i)/5)
		ms = append(ms, m)
		ss = append(ss, brain.Source{
			ID: id, Kind: brain.Outcome, Created: m.Created, Date: "2026-01-01", Title: m.Name, Body: m.Content,
			File: file, Line: i, TitleKey: id, Key: id, Dir: "dir",
		})
		rs = append(rs, brain.Relation{From: id, Type: brain.HasMemory, To: m.ID})
		if i%5 == 0 {
			sections = append(sections, brain.Section{
				ID: uuid.NewString(), Key: id, Dir: "dir", File: file, Heading: c.text(3), Text: c.text(20),
			})
		}
	}
	for _, write := range []func() error{
		func() error { return tx.PutMemories(ms...) },
		func() error { return tx.PutSources(ss...) },
		func() error { return tx.PutRelations(rs...) },
		func() error { return tx.PutSections(sections...) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}
