package minilm

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func (v vocabulary) pieces(tb testing.TB, text string, limit int) string {
	tb.Helper()
	all := tinyPieces()
	var names []string
	for _, id := range v.tokenize(text, limit) {
		names = append(names, all[id])
	}
	return strings.Join(names, " ")
}

func TestTextsAreSplitIntoPieces(t *testing.T) {
	m := openTiny(t)
	for text, want := range map[string]string{
		"":                                       "",
		"The  COOKIE,\tthe heron!":               "the cookie , the heron !",
		"cookies unbelievable":                   "cookie ##s un ##believ ##able",
		"cookiex":                                "[UNK]",
		"543":                                    "[UNK]",
		"43.5":                                   "43 . 5",
		"c++ c#":                                 "c + + c #",
		"na\u00efve Naïve":                       "naive naive",
		"智the智":                                  "智 the 智",
		"a ≠ b":                                  "[UNK] = [UNK]",
		"the\u200b\u0000 he\u00adron\ufffd":      "the heron",
		"the\u00a0heron\u2028the":                "the heron the",
		"the\U0002b820 the\u0383":                "[UNK] [UNK]",
		"\ue001the\u0007":                        "the",
		"\xffthe\xc3 heron":                      "the heron",
		strings.Repeat("x", 101):                 "[UNK]",
		strings.Repeat("c+", 3) + "\u0301\u00b5": "c + c + c + µ",
	} {
		want = strings.TrimSpace("[CLS] " + want)
		if got := m.vocabulary.pieces(t, text, 16); got != want+" [SEP]" {
			t.Errorf("%q: %s; want %s [SEP]", text, got, want)
		}
	}
}

func TestALongTextIsCut(t *testing.T) {
	m := openTiny(t)
	for words, want := range map[int]string{2: "[CLS] the the [SEP]", 3: "[CLS] the the the", 900: "[CLS] the the the"} {
		if got := m.vocabulary.pieces(t, strings.Repeat("the ", words), 4); got != want {
			t.Errorf("%d words: %s; want %s", words, got, want)
		}
	}
	if n, err := m.Pieces(strings.Repeat("cookies ", 100)); n != tiny.positions || err != nil {
		t.Errorf("%d pieces, %v", n, err)
	}
	if n, err := m.Pieces("cookies"); n != 4 || err != nil {
		t.Errorf("%d pieces, %v", n, err)
	}
}

// Every text gives pieces of the vocabulary between the two marks, at most as many as fit,
// and case does not matter.
func FuzzTokenize(f *testing.F) {
	c, err := parse(tinyFile(f))
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{"", "The cookies!", "智能 ≠ naïve", "\xff\u0301\u200b", strings.Repeat("unbelievable", 20), "ﬁ ǅ İ ß"} {
		f.Add(text, 8)
	}
	f.Fuzz(func(t *testing.T, text string, limit int) {
		limit = 2 + int(uint(limit)%300)
		ids := c.vocabulary.tokenize(text, limit)
		if len(ids) < 2 || len(ids) > limit || ids[0] != c.vocabulary.first || len(ids) < limit && ids[len(ids)-1] != c.vocabulary.last {
			t.Fatalf("%q: %v", text, ids)
		}
		for _, id := range ids {
			if id < 0 || id >= c.vocabulary.count {
				t.Fatalf("%q: %v", text, ids)
			}
		}
		if len(text) < 1000 && utf8.ValidString(text) && isASCII(text) && !slices.Equal(ids, c.vocabulary.tokenize(strings.ToUpper(text), limit)) {
			t.Errorf("%q has other pieces in capitals", text)
		}
	})
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}
