package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// mixed opens a store with n memories of many tiers, types and projects, of
// which one in 20 is an entity and one in 10 was judged.
func mixed(b *testing.B, n int) *Store {
	b.Helper()
	dir := os.Getenv("BENCH_DIR") // to keep the file between runs
	if dir == "" {
		dir = b.TempDir()
	}
	s := open(b, filepath.Join(dir, fmt.Sprintf("mixed-%d.db", n)), "bench")
	var counts brain.Counts
	must(b, s.View(b.Context(), func(r brain.Reader) (err error) {
		counts, err = r.Counts(benchStart)
		return err
	}))
	if counts.ByTier[tiers.LongTerm] > 0 {
		return s
	}
	c := newCorpus(1)
	for i := 0; i < n; i += 1000 {
		ms := make([]brain.Memory, 1000)
		for j := range ms {
			ms[j] = c.mixed(i + j)
		}
		must(b, s.Update(b.Context(), func(tx brain.Tx) error {
			if err := tx.PutMemories(ms...); err != nil {
				return err
			}
			return tx.PutRelations(related(ms)...)
		}))
	}
	return s
}

func (c *corpus) mixed(i int) brain.Memory {
	m := c.memory(i)
	m.MemoryType = fmt.Sprint("type", i%8)
	m.Project = fmt.Sprint("project", c.rand.IntN(12))
	m.Tier = []tiers.Tier{tiers.Expired, tiers.Expired, tiers.LongTerm, tiers.LongTerm, tiers.ArchivedWorking}[c.rand.IntN(5)]
	if i%50 == 1 { // what a busy week leaves in the tiers of hours and days
		m.Tier = []tiers.Tier{tiers.Working, tiers.ShortTerm}[c.rand.IntN(2)]
	}
	if i%20 == 0 {
		m.Tier, m.Entity, m.EntityKey = tiers.LongTerm, true, fmt.Sprint("entity", i)
	}
	if i%10 == 0 {
		m.HelpfulCount, m.NotHelpfulCount, m.LastUsed = i%3, 1, m.Created.Add(time.Hour)
	}
	return m
}

// related joins every other entity with the next one.
func related(ms []brain.Memory) []brain.Relation {
	var rs []brain.Relation
	last := ""
	for i, m := range ms {
		if !m.Entity {
			continue
		}
		if last != "" && i%40 == 0 {
			rs = append(rs, brain.Relation{From: last, Type: "mentions", To: m.ID})
		}
		last = m.ID
	}
	return rs
}

// BenchmarkWritten reads every text, as a full search for duplicates does.
func BenchmarkWritten(b *testing.B) {
	s := mixed(b, benchMemories())
	for b.Loop() {
		mark, n := "", 0
		for last := false; !last; {
			must(b, s.View(b.Context(), func(r brain.Reader) error {
				ms, next, err := r.Written(mark, 1000)
				mark, last, n = next, len(ms) < 1000, n+len(ms)
				return err
			}))
		}
		if n != benchMemories() {
			b.Fatalf("read %d memories, want %d", n, benchMemories())
		}
	}
}
