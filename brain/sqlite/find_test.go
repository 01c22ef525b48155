package sqlite

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/brain/words"
)

// TestLongPhrase quotes a whole text: it finds that text, and not one of the
// same words in another order.
func TestLongPhrase(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "brain.db"), "phrases")
	c := newCorpus(7)
	same, other := c.memory(1), c.memory(2)
	same.Content = c.text(3000)
	turned := strings.Fields(same.Content)
	slices.Reverse(turned)
	other.Content = strings.Join(turned, " ")
	must(t, s.Update(t.Context(), func(x brain.Tx) error { return x.PutMemories(same, other) }))

	q := brain.SearchQuery{Words: words.Parse(`"` + same.Content + `"`), Limit: 5}
	var hits []brain.Hit
	must(t, s.View(t.Context(), func(r brain.Reader) (err error) {
		hits, err = r.Search(q)
		return err
	}))
	if len(hits) != 1 || hits[0].ID != same.ID || hits[0].Score <= 0 {
		t.Errorf("hits %v, want %s alone", hits, same.ID)
	}
}

// A word that more than a fifth of the texts have finds nothing beside two rarer ones.
func TestCommonWordsDoNotFind(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "brain.db"), "common")
	must(t, s.Update(t.Context(), func(x brain.Tx) error {
		return errors.Join(x.PutMemories(storetest.Memory("a walrus"), storetest.Memory("a heron")), x.PutMemories(storetest.Memories(8, "the server")...))
	}))
	for query, want := range map[string]int{"server": 8, "server walrus": 9, "server walrus heron": 2} {
		must(t, s.View(t.Context(), func(r brain.Reader) error {
			hits, err := r.Search(brain.SearchQuery{Words: words.Parse(query), Limit: 99})
			if len(hits) != want {
				t.Errorf("%q finds %d memories, want %d", query, len(hits), want)
			}
			return err
		}))
	}
}
