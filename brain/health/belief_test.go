package health

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
)

func memory(id, content string) brain.Memory {
	return brain.Memory{ID: id, Name: id, Content: content}
}

func TestWordsWeighABelief(t *testing.T) {
	belief := memory("belief", "The nightly backup must finish before 06:00")
	for content, want := range map[string]string{
		"Nothing of it.\nThe nightly backup did finish before 06:00 today.": "for",
		"The nightly backup does not finish before 06:00.":                  "against",
		"The nightly backup must finish before 07:00":                       "against",
		"A backup is a copy.": "nothing",
		"The backup of v1.2.3 went well. It was nightly, and it could finish.": "nothing",
	} {
		b := byWords(belief, []brain.Memory{memory("m", content)})
		got := "nothing"
		switch {
		case len(b.Supports) == 1:
			got = "for"
		case len(b.Contradicts) == 1:
			got = "against"
		}
		if got != want {
			t.Errorf("%q: %s, want %s (%+v)", content, got, want, b)
		}
	}
}

// Every quote is in its memory, whatever the texts, and no model can make one up.
func TestQuotesAreInTheirMemories(t *testing.T) {
	text := rapid.StringMatching(`([a-d]{1,3}[ .!?\n]){0,12}`)
	rapid.Check(t, func(t *rapid.T) {
		near := []brain.Memory{memory("x", text.Draw(t, "x")), memory("y", text.Draw(t, "y"))}
		belief := memory("b", text.Draw(t, "belief"))
		said := []Verdict{
			{"x", true, text.Draw(t, "quote")}, {"y", false, near[1].Content}, {"z", true, near[0].Content},
		}
		for _, b := range []Belief{byWords(belief, near), byModel(belief, near, said)} {
			for _, q := range slices.Concat(b.Supports, b.Contradicts) {
				at := slices.IndexFunc(near, func(m brain.Memory) bool { return m.ID == q.ID })
				if at < 0 || q.Quote == "" || !strings.Contains(near[at].Content, q.Quote) {
					t.Fatalf("%q is quoted from %v", q.Quote, near)
				}
			}
			if b.JudgedBy == judgedByModel && len(b.Supports)+len(b.Contradicts)+b.Dropped != len(said) {
				t.Fatalf("of %d answers %+v is left", len(said), b)
			}
		}
	})
}
