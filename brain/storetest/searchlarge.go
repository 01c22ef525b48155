package storetest

import (
	"fmt"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

func searchLargeCases() []testCase {
	return []testCase{{"3,000 memories", searchLarge}}
}

// large is a brain of 3,000 memories with a word that nearly half of them
// have and two rarer ones.
type large struct {
	both, plain, first, second brain.Memory
	all                        []brain.Memory
}

func newLarge() large {
	l := large{
		both:   Memory("common aardvark binturong more"),
		plain:  Memory("absent aardvark binturong more"),
		first:  Memory("absent aardvark elsewhere more"),
		second: Memory("absent binturong elsewhere more"),
	}
	l.all = []brain.Memory{l.both, l.plain, l.first, l.second}
	for i := len(l.all); i < 3000; i++ {
		kind := [2]string{"common", "usual"}[i%2]
		m := Memory(fmt.Sprintf("%s text number%d of%d", kind, i, i%10), InTier(tiers.LongTerm),
			Expiring(Hours(float64(i%97))))
		l.all = append(l.all, m)
	}
	return l
}

// searchLarge stores once and asks many things.
func searchLarge(t *testing.T, b *db) {
	l := newLarge()
	b.put(l.all...)
	find := func(query string, limit int) []string {
		return hitIDs(b.search(brain.SearchQuery{Words: words.Parse(query), Limit: limit}))
	}
	t.Run("a common word alone fills the limit", func(t *testing.T) {
		same(t, "hits", 300, len(find("common", 300)))
		same(t, "all hits", 1499, len(find("common", 3000)))
	})
	t.Run("a common word with a rarer one finds", func(t *testing.T) {
		got := find("common aardvark", 40)
		same(t, "how many", 40, len(got))
		same(t, "the best", l.both.ID, got[0])
	})
	t.Run("a common word with two rarer ones does not find", func(t *testing.T) {
		got := find("common aardvark binturong", 4)
		same(t, "the best two", sorted(l.both.ID, l.plain.ID), sorted(got[:2]...))
		same(t, "the next", sorted(l.first.ID, l.second.ID), sorted(got[2:]...))
	})
	t.Run("a share of the words", func(t *testing.T) {
		q := brain.SearchQuery{Words: words.Parse("common aardvark binturong number77"), Limit: 3000}
		all := hitIDs(b.search(q))
		for share, n := range map[float64]int{0.5: 2, 0.2: 5} { // the common word weighs next to nothing
			q.Share = share
			some := hitIDs(b.search(q))
			same(t, fmt.Sprint("those with a share of ", share), all[:n], some[:min(n, len(some))])
		}
	})
	t.Run("a share of a common word alone fills the limit", func(t *testing.T) {
		q := brain.SearchQuery{Words: words.Parse("common"), Share: 0.5, Limit: 20}
		same(t, "hits", 20, len(hitIDs(b.search(q))))
	})
	t.Run("how many have a common word", func(t *testing.T) {
		got := view(b, func(r brain.Reader) (brain.Statistics, error) { return r.Statistics(false, "common", "aardvark") })
		if n := got.With["common"]; got.Records != 3000 || n < 750 || n > 2400 || got.With["aardvark"] != 3 {
			t.Errorf("statistics %+v, want 3000 texts, 1499 by estimate and 3", got)
		}
	})
	t.Run("a phrase with a common word", func(t *testing.T) {
		same(t, "hits", []string{l.both.ID}, find(`"common aardvark"`, 9))
	})
	t.Run("one of 3,000 by its only word", func(t *testing.T) {
		same(t, "hits", []string{l.all[2321].ID}, find("number2321", 9))
	})
	t.Run("a filter on a common word", func(t *testing.T) {
		q := brain.SearchQuery{Words: words.Parse("common"), Tiers: []tiers.Tier{tiers.Working}, Limit: 10}
		same(t, "hits", []string{l.both.ID}, hitIDs(b.search(q)))
	})
}
