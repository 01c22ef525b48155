package sqlite

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/storetest"
)

// A capture is one transaction of at most 15 statements, with the search for similar
// memories, and nothing follows it.
func TestACaptureIsAFewStatements(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "brain.db"), "x")
	must(t, s.Update(t.Context(), func(tx brain.Tx) error {
		var ms []brain.Memory
		for i := range 300 {
			ms = append(ms, storetest.Memory(fmt.Sprintf("the staging server %d of region %d listens on port %d", i, i/9, 5000+i)))
		}
		return tx.PutMemories(ms...)
	}))
	b := services.New(s, services.Options{})
	c := s.pool.pop()
	var ran []string
	c.trace = func(query string) { ran = append(ran, query) }
	s.pool.push(c)
	for text, most := range map[string]int{"the staging server 7 of region 3 is called walrus": 15, "x": 15} {
		ran = nil
		capture, err := b.Capture.New(brain.Source{Kind: brain.Learning, Concept: "learned", Learned: text}, brain.Details{})
		must(t, err)
		capture.LookUp = true
		done, err := b.Capture.Capture(t.Context(), capture)
		must(t, err)
		if len(done.Similar) != 3 && text != "x" {
			t.Errorf("%q is similar to %v", text, done.Similar)
		}
		inside := len(ran) - 2
		if inside > most || ran[0] != "BEGIN IMMEDIATE" || ran[len(ran)-1] != "COMMIT" {
			t.Errorf("%d statements between BEGIN and COMMIT, want at most %d:\n%s", inside, most, strings.Join(ran, "\n"))
		}
	}
}
