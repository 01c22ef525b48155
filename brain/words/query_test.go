package words_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain/words"
)

func TestParse(t *testing.T) {
	tests := []struct {
		name, query, terms string
		phrases            []string
	}{
		{"empty", "", "", nil},
		{"nothing to find", `"" ... '`, "", nil},
		{"words", "Redis deploys", "redi deploy", nil},
		{"question", "What did we decide about the deploys?", "decid deploy", nil},
		{"each word once", "redis Redis redis", "redi", nil},
		{"only stop words", "to be or to do", "or do", nil},
		{"only question words", "What is this?", "what this", nil},
		{"only stop words, in the order typed", "what is it that we have", "what have", nil},
		{"only German stop words", "was ist das", "ist das", nil},
		{"negation finds", "why don't we use redis", "not use redi", nil},
		{"negation alone", "not", "not", nil},
		{"phrase", `deploy "on Fridays" never`, "deploy friday never", []string{"on friday"}},
		{"phrase of stop words", `"to be" concert`, "concert", []string{"to be"}},
		{"only a phrase of stop words", `"to be"`, "to be", []string{"to be"}},
		{"two phrases", `"a b""c d"`, "b c d", []string{"a b", "c d"}},
		{"curly quotes", "“dark mode” x", "dark mode x", []string{"dark mode"}},
		{
			"other quotes", "„dark mode“ «light mode»", "dark mode light",
			[]string{"dark mode", "light mode"},
		},
		{"apostrophes are no quotes", "the ‘dark mode’ of 'x'", "dark mode x", nil},
		{"not closed", `redis "dark mode`, "redi dark mode", nil},
		{"third quote", `"a redis" b "c d`, "redi b c d", []string{"a redi"}},
		{"the same phrase twice", `"dark mode" "Dark Modes"`, "dark mode", []string{"dark mode"}},
		{"empty phrase", `"" redis " - "`, "redi", nil},
		{"inches", `5" disk "dark mode" 3"`, "5 disk dark mode 3", []string{"dark mode"}},
		{"pairs stand for characters", "東京都", "東京 京都", nil},
		{"one character", "猫", "猫", nil},
		{"a phrase keeps characters", `"東京"`, "東京", []string{"東 東京 京"}},
		{"emoji", "🎉", "🎉", nil},
		{"a compound also as one word", "the on-call e-mail", "call e mail oncal email", nil},
		{"a phrase keeps only the parts", `"pi-hole dns"`, "pi hole dns pihol", []string{"pi hole dns"}},
		{"a name with a sign", "C++ or C", "cpp c", nil},
		{"query syntax", `a* OR (b:c)^2 NOT d~`, "astar b c 2 not d", nil},
		{"invalid UTF-8", "\"ab\xff cd\" \xc3", "ab cd", []string{"ab cd"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := words.Query{Text: tt.query}
			want.Terms = append(want.Terms, strings.Fields(tt.terms)...)
			for _, p := range tt.phrases {
				want.Phrases = append(want.Phrases, strings.Fields(p))
			}
			got := words.Parse(tt.query)
			got.Typed, got.Compounds = nil, nil
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Parse(%q): %s", tt.query, diff)
			}
			if got.Empty() != (tt.terms == "") {
				t.Errorf("Parse(%q).Empty() = %t", tt.query, got.Empty())
			}
		})
	}
}

func TestEveryWordOfATextIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := mixture().Draw(t, "text")
		terms := strings.Fields(words.Index(text))
		for _, w := range strings.Fields(text) {
			for _, find := range words.Parse(w).Terms {
				if !slices.Contains(terms, find) {
					t.Errorf("Parse(%q) looks for %q, text %q has %q", w, find, text, terms)
				}
			}
		}
	})
}

// checkParse fails unless the promises of Query hold for query.
func checkParse(t interface {
	Helper()
	Errorf(string, ...any)
}, query string,
) {
	t.Helper()
	q, index := words.Parse(query), " "+words.Index(query)+" "
	if q.Empty() != (strings.TrimSpace(index) == "") {
		t.Errorf("Parse(%q).Empty() = %t, Index %q", query, q.Empty(), index)
	}
	for i, term := range q.Terms {
		if slices.Contains(q.Terms[:i], term) || !strings.Contains(index, " "+term+" ") {
			t.Errorf("Parse(%q): term %q is there twice or not in %q", query, term, index)
		}
	}
	for _, phrase := range q.Phrases {
		if len(phrase) == 0 || !strings.Contains(index, " "+strings.Join(phrase, " ")+" ") {
			t.Errorf("Parse(%q): phrase %q is not in %q", query, phrase, index)
		}
	}
}

func TestParseLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkParse(t, mixture().Draw(t, "query")) })
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", `why don't we "use redis"`, `“東京” "x`, "5\" \"\" «\xff»", "not",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) { checkParse(t, query) })
}

func TestStop(t *testing.T) {
	for _, w := range []string{"the", "The", "to", "what", "HOW", "does", "themselves"} {
		if !words.Stop(w) {
			t.Errorf("Stop(%q) = false, want true", w)
		}
	}
	for _, w := range []string{
		"not", "No", "never", "without", "cannot", "can't", "don't", "nor", "none", "nothing",
		"neither", "nobody", "nowhere", "redis", "may", "", "東京",
	} {
		if words.Stop(w) {
			t.Errorf("Stop(%q) = true, want false", w)
		}
	}
}

// Of a question with a long text behind it, the question is searched for, and of the text the
// longest words.
func TestALongQuestionKeepsItsStart(t *testing.T) {
	pasted := make([]string, 80)
	for i := range pasted {
		pasted[i] = fmt.Sprintf("invoice%04d", i)
	}
	got := words.Parse("Which staging port is right for " + strings.Join(pasted, " ") + " repository99 end").Terms
	want := slices.Concat([]string{"stage", "port", "right"}, pasted[:60], []string{"repository99"})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestALongPhraseKeepsItsStart(t *testing.T) {
	long := strings.Repeat("on call ", 31) // 62 words
	want := [][]string{strings.Fields(long), {"dark", "mode"}}
	if diff := cmp.Diff(want, words.Parse(`"`+long+`" "dark mode is on" "dim"`).Phrases); diff != "" {
		t.Error(diff)
	}
}

func TestLongest(t *testing.T) {
	terms := words.Parse(`one "three" fifteen 人工 twelve`).Terms
	if got := words.Longest(terms, 3); !slices.Equal(got, []string{"three", "fifteen", "twelv"}) {
		t.Errorf("the 3 longest of %q are %q", terms, got)
	}
	if got := words.Longest(terms, 9); !slices.Equal(got, terms) {
		t.Errorf("all of %q are %q", terms, got)
	}
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		words.Parse(`What did we decide about the "redis cache" in production?`)
	}
}
