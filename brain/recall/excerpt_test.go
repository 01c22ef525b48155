package recall

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain/words"
)

// marked returns an excerpt with its marks in brackets.
func marked(e Excerpt) string {
	var out strings.Builder
	at := 0
	for _, m := range e.Marks {
		out.WriteString(e.Text[at:m.Start] + "[" + e.Text[m.Start:m.End] + "]")
		at = m.End
	}
	return out.String() + e.Text[at:]
}

func TestExcerpt(t *testing.T) {
	filler := strings.Repeat("Nothing of interest was said on that day. ", 20)
	for name, c := range map[string]struct{ query, text, want string }{
		"a short text is whole":      {"staging port", "Staging listens\n on the\tport 5433.", "[Staging] listens on the [port] 5433."},
		"by stem":                    {"deploy service", "We deployed the services.", "We [deployed] the [services]."},
		"umlauts":                    {"grosse uberraschung", "Eine Große Überraschung.", "Eine [Große] [Überraschung]."},
		"CJK":                        {"東京都", "私は東京都に住む", "私は[東京都]に住む"},
		"code":                       {"open store", "s, err := sqlite.Open(brain_store.path)", "s, err := sqlite.[Open](brain_[store].path)"},
		"without a match":            {"walrus", filler, "Nothing of interest was said on that day. Nothing of interest was said on that day. Nothing of interest was said on that day. Nothing of interest was said on that day. Nothing of interest was said on that day. Nothing of interest was said on that day. Nothing of interest was said on that day.…"},
		"from the sentence":          {"walrus", filler + "Then a walrus came. " + filler, "…Nothing of interest was said on that day. Nothing of interest was said on that day. Then a [walrus] came. Nothing of interest was said on that day. Nothing of interest was said on that day. Nothing of interest was said on that day. Nothing of interest was said on that day. Nothing of interest…"},
		"at the end":                 {"walrus", filler + "Then a walrus came.", "…Nothing of interest was said on that day. Nothing of interest was said on that day. Nothing of interest was said on that day. Nothing of interest was said on that day. Nothing of interest was said on that day. Nothing of interest was said on that day. Then a [walrus] came."},
		"most different words":       {"walrus ice", "A walrus, a walrus and a walrus. " + filler + "The walrus likes ice.", "…Nothing of interest was said on that day. Nothing of interest was said on that day. Nothing of interest was said on that day. Nothing of interest was said on that day. Nothing of interest was said on that day. Nothing of interest was said on that day. The [walrus] likes [ice]."},
		"control characters":         {"walrus", "a \x1b[31m walrus\x07", "a [31m [walrus]"},
		"a marker of a secret":       {"key walrus", "the key [redacted: token] of the walrus", "the [key] [redacted: token] of the [walrus]"},
		"one long word":              {strings.Repeat("a", 400), strings.Repeat("a", 400) + " b", "[" + strings.Repeat("a", 298) + "]…"},
		"a long line without blanks": {"walrus", strings.Repeat("x;", 500) + "walrus;" + strings.Repeat("y;", 500), "…" + strings.Repeat("x;", 48) + ";"},
	} {
		t.Run(name, func(t *testing.T) {
			got := marked(excerptOf(words.Parse(c.query), c.text, excerptLength))
			if name == "a long line without blanks" {
				if !strings.Contains(got, ";[walrus];y") || !strings.HasPrefix(got, "…") || !strings.HasSuffix(got, "…") {
					t.Errorf("the excerpt is %q", got)
				}
				return
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("excerpt (-want +got):\n%s", diff)
			}
		})
	}
}

// An excerpt is short, a part of the text, and has a match if the text has one.
func TestExcerptLaws(t *testing.T) {
	pieces := []string{"staging", "Ports", "ü", "東京都", "x.y_z", strings.Repeat("long", 100), "a.", "\n", "port", "\u00ad", "🔷", "\xff"}
	text := rapid.Custom(func(t *rapid.T) string {
		var out strings.Builder
		for _, p := range rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 200).Draw(t, "pieces") {
			out.WriteString(p)
			if rapid.Bool().Draw(t, "blank") {
				out.WriteString(" ")
			}
		}
		return out.String()
	})
	rapid.Check(t, func(t *rapid.T) {
		q, all, length := words.Parse("staging port 東京 long"), text.Draw(t, "text"), rapid.IntRange(70, 300).Draw(t, "length")
		e := excerptOf(q, all, length)
		if n := utf8.RuneCountInString(e.Text); n > length || !utf8.ValidString(e.Text) {
			t.Errorf("%d characters: %q", n, e.Text)
		}
		if len(q.Matches(strings.ToValidUTF8(all, " "))) > 0 && len(e.Marks) == 0 {
			t.Errorf("no mark in %q of %q", e.Text, all)
		}
		end := 0
		for _, m := range e.Marks {
			if m.Start < end || m.End <= m.Start || m.End > len(e.Text) || !utf8.ValidString(e.Text[m.Start:m.End]) {
				t.Errorf("marks %v of %q", e.Marks, e.Text)
			}
			end = m.End
		}
	})
}
