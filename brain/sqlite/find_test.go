package sqlite

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
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

// TestWordsOfPhrasesShareTheirDocs: what is read for the first word holds
// for all of them.
func TestWordsOfPhrasesShareTheirDocs(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "brain.db"), "phrases")
	c := newCorpus(8)
	var ms []brain.Memory
	for i, content := range []string{"red green blue", "red blue green", "blue red green blue", "blue"} {
		m := c.memory(i)
		m.Content = content
		ms = append(ms, m)
	}
	must(t, s.Update(t.Context(), func(x brain.Tx) error { return x.PutMemories(ms...) }))
	must(t, s.View(t.Context(), func(r brain.Reader) error {
		q := words.Parse(`"red green" "green blue"`)
		s, err := r.(*tx).scopeOf(brain.SearchQuery{Words: q}, 1)
		if err != nil {
			return err
		}
		terms, err := s.terms(findingTerms(q), q)
		if err != nil {
			return err
		}
		var found []string
		for _, n := range terms {
			found = append(found, n.word)
			if n.df != 2 || len(n.lists[0]) != 2 {
				t.Errorf("%s is in %v docs %v, want the 2 with both phrases", n.word, n.df, n.lists)
			}
		}
		if want := findingTerms(q); !slices.Equal(found, want) {
			t.Errorf("words %v, want %v", found, want)
		}
		return nil
	}))
}
