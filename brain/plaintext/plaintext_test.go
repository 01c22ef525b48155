package plaintext_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

func TestOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"": "", " \n\t ": "", "plain": "plain", "two words": "two words", " a \r\n\r\n b\u00a0c ": "a b c",
		"bell\a rings": "bell rings", "esc\x1b[31m": "esc [31m", "é ü": "é ü", "bad\xff": "bad\uFFFD",
	} {
		if got := plaintext.OneLine(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestClip(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{{"abc", 3, "abc"}, {"abcd", 3, "abc"}, {"äöü", 2, "äö"}, {"äöü", 3, "äöü"}, {"a", 0, ""}, {"", -1, ""}, {"a", -1, ""}} {
		if got := plaintext.Clip(c.text, c.n); got != c.want {
			t.Errorf("%q to %d: %q, want %q", c.text, c.n, got, c.want)
		}
	}
}

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{
		{"short enough", 12, "short enough"},
		{"one two three", 9, "one two…"},
		{"one two, three", 12, "one two…"},
		{"a verylongword", 9, "a verylo…"},
		{"äöüäöü", 4, "äöü…"},
		{"one two", 4, "one…"},
	} {
		if got := plaintext.Shorten(c.text, c.n); got != c.want {
			t.Errorf("%q to %d: %q, want %q", c.text, c.n, got, c.want)
		}
	}
}

func TestFirstSentence(t *testing.T) {
	for text, want := range map[string]string{
		"One. Two.": "One.", "No stop": "No stop", "Use v1.2 now. Then rest.": "Use v1.2 now.",
		"See e.g. this one. And that.": "See e.g. this one.", "Really? Yes.": "Really?", "一。二。": "一。", "End.": "End.",
		"Das Fest ist am 10. Juli 2027. Danach nicht.": "Das Fest ist am 10. Juli 2027.", "Der Vertrag läuft am 31.12. aus. Ja.": "Der Vertrag läuft am 31.12. aus.",
		"Das war der 3. Versuch. Aus.": "Das war der 3. Versuch.", "Frist ist der 31.12. Danach nichts.": "Frist ist der 31.12.", "We have 12. No more.": "We have 12.",
		"See No. 5 first. Then 6.": "See No. 5 first.", "No. Keep it.": "No.", "no more yarn. pnpm only": "no more yarn.",
		"we use postgres 16. no more yarn": "we use postgres 16.", "Seit dem 3. läuft es. Ja.": "Seit dem 3. läuft es.",
		`They wrote "It rises. Sign it." Then`: `They wrote "It rises. Sign it."`, `A 27" one. And a 24" one.`: `A 27" one.`,
		"„Das ist so. Es bleibt so“, sagt sie. Gut.": "„Das ist so. Es bleibt so“, sagt sie.", "Call `a. b` now. Yes.": "Call `a. b` now.",
	} {
		if got := plaintext.FirstSentence(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestTokens(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a": 1, "abcd": 1, "abcde": 2} {
		if got := plaintext.Tokens(text); got != want {
			t.Errorf("%q: %d tokens, want %d", text, got, want)
		}
	}
}

func TestAnyTextFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOf(rapid.Byte()).Draw(t, "text"))
		n := rapid.IntRange(1, 40).Draw(t, "n")
		line := plaintext.OneLine(text)
		if strings.ContainsFunc(line, unicode.IsControl) || strings.TrimSpace(line) != line || !utf8.ValidString(line) {
			t.Fatalf("%q is not one clean line", line)
		}
		if again := plaintext.OneLine(line); again != line {
			t.Fatalf("%q became %q", line, again)
		}
		if short := plaintext.Shorten(line, n); utf8.RuneCountInString(short) > n || !utf8.ValidString(short) {
			t.Fatalf("%q does not fit %d characters", short, n)
		}
		if clip := plaintext.Clip(text, n); !strings.HasPrefix(text, clip) || utf8.RuneCountInString(clip) > n {
			t.Fatalf("%q is not the first %d characters of %q", clip, n, text)
		}
		if first := plaintext.FirstSentence(text); !strings.HasPrefix(text, first) {
			t.Fatalf("%q does not begin %q", first, text)
		}
	})
}

func TestSlug(t *testing.T) {
	for name, want := range map[string]string{
		"Anneli Virtanen": "anneli-virtanen", "../../etc/passwd": "etc-passwd", "...": "", "Łukasz": "łukasz",
		strings.Repeat("é", 50): strings.Repeat("é", 30),
	} {
		if got := plaintext.Slug(name, 60); got != want {
			t.Errorf("Slug(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "",
		"a\tb\nc":                "a\tb\nc",
		"a\r\nb\rc":              "a\nbc",
		"\x1b[31mred\a":          "[31mred",
		"\u009b2J\u0085\x7f\x00": "2J",
		"\u202a\u202e\u2066\u2069\u200e\u200f\u061c.":                ".",
		"\u05e9\u05dc\u05d5\u05dd 👩\u200d💻 \u0645\u06cc\u200c\u062e": "\u05e9\u05dc\u05d5\u05dd 👩\u200d💻 \u0645\u06cc\u200c\u062e",
		"\xff\x1b": "\uFFFD",
	} {
		if got := plaintext.Visible(text); got != want {
			t.Errorf("Visible(%q) = %q, want %q", text, got, want)
		}
		doc, err := plaintext.JSON(text, "")
		var back string
		if err != nil || json.Unmarshal(doc, &back) != nil || back != strings.ToValidUTF8(text, "\uFFFD") || plaintext.Visible(string(doc)) != string(doc) {
			t.Errorf("JSON(%q) = %q, %v", text, doc, err)
		}
	}
	if got := plaintext.OneLine("a\u202eb\x1b[0m \u200f c"); got != "ab [0m c" {
		t.Errorf("on one line: %q", got)
	}
}
