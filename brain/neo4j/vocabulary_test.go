package neo4j

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// No two brains share a term of a field.
func TestVocabulariesAreApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number, term := rapid.IntRange(1, 5000), rapid.StringMatching("[0-9a-z]{1,3}")
		a, x := number.Draw(t, "a"), term.Draw(t, "x")
		b, y := number.Draw(t, "b"), term.Draw(t, "y")
		same := a == b && x == y
		v, w := newVocabulary(a), newVocabulary(b)
		if got := v.current == w.current && v.prefix+x == w.prefix+y; got != same {
			t.Errorf("%q of brain %d and %q of brain %d are the same term of a field: %v", x, a, y, b, got)
		}
	})
}

// Brains that follow each other have statistics of their own.
func TestBrainsTakeTheFieldsInTurn(t *testing.T) {
	taken := make(map[string]bool)
	for number := 7; number < 7+slots; number++ {
		v := newVocabulary(number)
		if taken[v.current] || taken[v.past] {
			t.Errorf("brain %d shares %s with one of the %d before it", number, v.current, number-7)
		}
		taken[v.current], taken[v.past] = true, true
	}
	if _, words := allFields(); len(taken) != len(words) {
		t.Errorf("%d of %d fields are used", len(taken), len(words))
	}
}

// A brain keeps its number, whoever opens it, and two have different ones.
func TestABrainKeepsItsNumber(t *testing.T) {
	name := fresh(t)
	first, again, other := openTest(t, name), openTest(t, name), openTest(t, fresh(t))
	if first.vocabulary != again.vocabulary || first.vocabulary == other.vocabulary || first.vocabulary == (vocabulary{}) {
		t.Errorf("the same brain has %v and %v, another one %v", first.vocabulary, again.vocabulary, other.vocabulary)
	}
}

// What is archived leaves the statistics of what is current, and comes back.
func TestWordsMoveWithTheTier(t *testing.T) {
	s := openTest(t, fresh(t))
	m := brain.Memory{ID: "m", Name: "zebra", Content: strings.Repeat("c ", 9)}
	for _, tier := range []tiers.Tier{tiers.Working, tiers.ArchivedWorking, tiers.ArchivedWorking, tiers.Expired} {
		m.Tier = tier
		err := s.Update(t.Context(), func(tx brain.Tx) error {
			ms, err := tx.Memories("m")
			if err == nil && len(ms) == 0 {
				return tx.PutMemories(m)
			}
			return errors.Join(err, tx.PutLives(m))
		})
		if err != nil {
			t.Fatal(err)
		}
		v := s.vocabulary
		row := cypher(t, s, "MATCH (n:Memory {brain: $brain}) RETURN n."+v.current+", n."+v.past, nil).Rows[0]
		want := v.terms(m.Indexed())
		if v.field(tier) == v.past {
			row[0], row[1] = row[1], row[0]
		}
		if row[0] != want || row[1] != nil {
			t.Errorf("%s: its field holds %v and the other one %v; want %q alone", tier, row[0], row[1], want)
		}
	}
	cypher(t, s, "MATCH (n:Memory {brain: $brain}) DELETE n", nil)
}
