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
	same(t, "hits of a common word up to a limit", 300, len(find("common", 300)))
	same(t, "hits of a common word", 1499, len(find("common", 3000)))
	got := find("common aardvark", 40)
	same(t, "the best of a common word and a rarer one, and how many", []any{l.both.ID, 40}, []any{got[0], len(got)})
	got = find("common aardvark binturong", 4)
	same(t, "the best two of a common word, which finds none, and two rarer ones", sorted(l.both.ID, l.plain.ID), sorted(got[:2]...))
	same(t, "the next", sorted(l.first.ID, l.second.ID), sorted(got[2:]...))
	q := brain.SearchQuery{Words: words.Parse("common aardvark binturong number77"), Limit: 3000}
	all := hitIDs(b.search(q))
	for share, n := range map[float64]int{0.5: 2, 0.2: 5} { // the common word weighs next to nothing
		q.Share = share
		some := hitIDs(b.search(q))
		same(t, fmt.Sprint("those with a share of the words of ", share), all[:n], some[:min(n, len(some))])
	}
	q = brain.SearchQuery{Words: words.Parse("common"), Share: 0.5, Limit: 20}
	same(t, "hits with a share of a common word alone", 20, len(b.search(q)))
	stats := view(b, func(r brain.Reader) (brain.Statistics, error) { return r.Statistics(false, "common", "aardvark") })
	if n := stats.With["common"]; stats.Records != 3000 || n < 750 || n > 2400 || stats.With["aardvark"] != 3 {
		t.Errorf("statistics %+v, want 3000 texts, 1499 by estimate and 3", stats)
	}
	same(t, "a phrase with a common word", []string{l.both.ID}, find(`"common aardvark"`, 9))
	same(t, "one of 3,000 by its only word", []string{l.all[2321].ID}, find("number2321", 9))
	q = brain.SearchQuery{Words: words.Parse("common"), Tiers: []tiers.Tier{tiers.Working}, Limit: 10}
	same(t, "a filter on a common word", []string{l.both.ID}, hitIDs(b.search(q)))
}
