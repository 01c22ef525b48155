package words_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain/words"
)

func TestMatches(t *testing.T) {
	tests := []struct {
		name, query, text string
		want              []string
	}{
		{"by stem and case", "deploying the service", "We DEPLOYED both services, the deploys too.", []string{"DEPLOYED", "services", "deploys"}},
		{"a stop word is not asked for", "the port", "the port", []string{"port"}},
		{"unless there is nothing else", "to be", "to do or to be", []string{"to", "to", "be"}},
		{"accents", "uber cafe", "Über das CAFÉ", []string{"Über", "CAFÉ"}},
		{"sharp s", "strasse", "Die Straße", []string{"Straße"}},
		{"code", "brain store", "open(brain_store.go)", []string{"brain", "store"}},
		{"numbers", "5433", "port=5433;", []string{"5433"}},
		{"quotes", "it listens", "it 'listens' on ‘listen’", []string{"listens", "listen"}},
		{"a contraction", "do", "I don't do it", []string{"don't", "do"}},
		{"Han by pairs", "京都", "東京都と京都", []string{"京都", "京都"}},
		{"one character", "京", "東京都", []string{"京"}},
		{"Han beside Latin", "東京 b", "b東京b", []string{"b", "東京", "b"}},
		{"Thai", "ปลา", "กินปลา", []string{"ปล", "ลา"}},
		{"an emoji", "🔷 x", "see 🔷🏽, x", []string{"🔷🏽", "x"}},
		{"a soft hyphen", "staging", "stag\u00ading", []string{"stag\u00ading"}},
		{"a name with a sign", "c++", "C, C# and C++11 (not Objective-C)", []string{"C++"}},
		{"not its letter", "C", "C++, C#, Objective-C, c", []string{"c"}},
		{"a name with a full stop", ".net dotnet", "on .NET 8, in the net", []string{".NET"}},
		{"a compound", "nodejs pihole", "Node.js on Pi‑hole", []string{"Node.js", "Pi‑hole"}},
		{"a compound and its parts", "e-mail", "E-mail", []string{"E-mail", "E", "mail"}},
		{"nothing", "walrus", "a whale", nil},
		{"invalid UTF-8", "b", "a\xffb", []string{"b"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, m := range words.Parse(tt.query).Matches(tt.text) {
				got = append(got, tt.text[m.Start:m.End])
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("matches (-want +got):\n%s", diff)
			}
		})
	}
}

// What matches has the term, and a text of everyday words has a match for each term.
func TestMatchesAgreeWithTerms(t *testing.T) {
	pieces := []string{
		"Staging", "brain_store.go", "don't", "it's", "'quoted'", "Größe", "CAFÉ", "東京都", "ひらがな", "서울은", "กินปลา", "🔷", "5433", "v1.2.3", "user's",
		"[redacted: token]", "x=1", "it", "the", "…", "\n", "Привет", "naïve", "東京API", "C++",
	}
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOf(rapid.SampledFrom(pieces)).Draw(t, "pieces"), " ")
	})
	rapid.Check(t, func(t *rapid.T) {
		q, everyday, other := words.Parse(text.Draw(t, "query")), text.Draw(t, "text"), mixture().Draw(t, "other")
		for _, text := range []string{everyday, other} {
			for _, m := range q.Matches(text) {
				if !slices.Contains(q.Terms, m.Term) || !slices.Contains(strings.Fields(words.Index(text[m.Start:m.End])), m.Term) {
					t.Errorf("%q is a match of %q in %q", text[m.Start:m.End], m.Term, text)
				}
			}
		}
		matched := q.Matches(everyday)
		for _, term := range words.Terms(everyday) {
			found := slices.ContainsFunc(matched, func(m words.Match) bool { return m.Term == term })
			if slices.Contains(q.Terms, term) && !found {
				t.Errorf("%q has the term %q, but no match", everyday, term)
			}
		}
	})
}

// A finder finds the terms where Terms has them. The texts have stop words, irregular
// forms, contractions and scripts without blanks.
func TestFinderFindsTerms(t *testing.T) {
	word := rapid.OneOf(
		rapid.SampledFrom([]string{
			"bought", "buys", "went", "go", "isn't", "cannot", "the", "of", "Größe", "groesse", "東京都", "京都", "🚀", "dark_mode",
			"pi-hole", "pihole", "what-if", "node.js", "C#", "lying", "lie", "dying", "writing", "wrote", "l'école", "O'Brien's", "C++", "5433", "willing",
		}),
		rapid.StringMatching(`[a-z]{1,6}(ing|ed|s|ly)?`),
	)
	rapid.Check(t, func(t *rapid.T) {
		text := ""
		for _, w := range rapid.SliceOfN(word, 0, 30).Draw(t, "text") {
			text += w + " "
		}
		terms := words.Parse(word.Draw(t, "first") + " " + word.Draw(t, "second")).Terms
		if len(terms) == 0 {
			return
		}
		var got, want []string
		length := words.NewFinder(terms).Find(text, func(term int) { got = append(got, terms[term]) })
		for term := range strings.FieldsSeq(words.Index(text)) {
			if slices.Contains(terms, term) {
				want = append(want, term)
			}
		}
		slices.Sort(got) // compounds come with their parts
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("found %v of %v in %q, want %v", got, terms, text, want)
		}
		if len(got) > 0 && length == 0 || length > max(1, len(words.Terms(text))) {
			t.Fatalf("found %v in %d words", got, length)
		}
	})
}

// The length of a text counts no stop words.
func TestLengthOfAText(t *testing.T) {
	length := words.NewFinder([]string{"port", "stage"}).Find("The staging of it is moved to another port", func(int) {})
	if length != 4 {
		t.Errorf("length %d, want 4", length)
	}
}
