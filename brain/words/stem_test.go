package words

import (
	"testing"

	"pgregory.net/rapid"
)

// The memory of stem must not change what Porter2 answers.
func TestStemIsPorter2(t *testing.T) {
	endings := []string{
		"", "s", "sses", "ied", "ies", "us", "ss", "eed", "eedly", "ed", "edly", "ing", "ingly", "y",
		"tional", "enci", "anci", "abli", "entli", "izer", "ization", "ational", "ation", "ator",
		"alism", "aliti", "alli", "fulness", "ousli", "ousness", "iveness", "iviti", "biliti", "bli",
		"ogi", "fulli", "lessli", "li", "alize", "icate", "iciti", "ical", "ful", "ness", "ative",
		"al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ism", "ate",
		"iti", "ous", "ive", "ize", "ion", "sion", "e", "l", "ll",
	}
	check := func(t interface{ Errorf(string, ...any) }, w string) {
		want := porter2(w)
		for range 2 { // first by the library, then from memory
			if got := stem(w); got != want {
				t.Errorf("stem(%q) = %q, want %q", w, got, want)
			}
		}
	}
	for _, ending := range endings {
		for _, root := range []string{"", "b", "cr", "yo", "tr", "rel", "oper", "happ", "consol", "gener", "rationali"} {
			check(t, root+ending)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.StringMatching(`[a-z]{1,12}`).Draw(t, "root") + rapid.SampledFrom(endings).Draw(t, "ending")
		check(t, w)
	})
}

func TestStemOfSpecialWords(t *testing.T) {
	for _, w := range []string{
		"skis", "skies", "dying", "idly", "only", "sky", "news", "howe", "atlas", "bias", "andes",
		"inning", "outings", "herring", "proceed", "exceeding", "succeeded", "generate", "communal",
	} {
		if got, want := stem(w), porter2(w); got != want {
			t.Errorf("stem(%q) = %q, want %q", w, got, want)
		}
	}
}

func BenchmarkStemNew(b *testing.B) {
	for b.Loop() {
		porter2("consolidation")
	}
}
