package backups

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
	"github.com/brainbridge/brainbridge/brain/storetest"
)

// decodedPages are the pages of a graph given as text.
func decodedPages(graph string) iter.Seq2[brain.Page, error] {
	return func(yield func(brain.Page, error) bool) { decodePages(strings.NewReader(graph), yield) }
}

// FuzzGraph reads any bytes as a graph: it ends, and what is no graph is an
// error.
func FuzzGraph(f *testing.F) {
	for _, s := range []string{"", `{"memory":{"id":"a"}}`, `{"again":["a"]}` + "\n" + `{"relation":{"from":"a"}}`, "{}", "[1]", `{"memory":`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		n := 0
		decodePages(bytes.NewReader(raw), func(p brain.Page, err error) bool {
			n += p.Len()
			return err == nil
		})
		if n > len(raw) {
			t.Errorf("%d nodes of %d bytes", n, len(raw))
		}
	})
}

// BenchmarkBackup makes and restores a backup of 100,000 memories with their
// sources, or as many as BENCH_MEMORIES says, on SQLite or where BENCH_STORE says.
func BenchmarkBackup(b *testing.B) {
	n := 100_000
	if _, err := fmt.Sscan(os.Getenv("BENCH_MEMORIES"), &n); err != nil {
		n = 100_000
	}
	p := newPlace(b)
	if os.Getenv("BENCH_STORE") == "neo4j" {
		s, err := neo4j.Open(b.Context(), neo4j.Config{URI: neo4jtest.Server(b), Brain: "bench-" + brain.NewID()})
		if err != nil {
			b.Fatal(err)
		}
		p = placeOn(b, s)
	}
	for done := 0; done < n; done += 1000 {
		var page brain.Page
		for i := range 1000 {
			m, s := storetest.Memory(fmt.Sprintf("text %d about %x and other things of the usual length, some of which are rare", done+i, done+i)), storetest.Source(brain.Learning)
			page.Memories, page.Sources = append(page.Memories, m), append(page.Sources, s)
			page.Relations = append(page.Relations, brain.Relation{From: s.ID, Type: brain.HasMemory, To: m.ID})
		}
		if err := p.brain.Base.Store.Update(b.Context(), func(tx brain.Tx) error {
			return errors.Join(tx.PutMemories(page.Memories...), tx.PutSources(page.Sources...), tx.PutRelations(page.Relations...))
		}); err != nil {
			b.Fatal(err)
		}
	}
	var made Backup
	b.Run("create", func(b *testing.B) {
		for b.Loop() {
			made = p.create()
		}
		b.ReportMetric(float64(made.Bytes), "bytes")
	})
	b.Run("restore", func(b *testing.B) {
		for b.Loop() {
			p.restore(made.Path)
		}
	})
}
