package words_test

import (
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain/words"
)

func TestKey(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"empty", "", ""},
		{"blanks", " \t\n ", ""},
		{"trimmed, collapsed, folded", "  Dark \t\n Mode ", "dark mode"},
		{"no-break space", "Dark\u00a0Mode", "dark mode"},
		{"punctuation counts", "node.js", "node.js"},
		{"diacritics count", "CAFÉ", "café"},
		{"composed", "Cafe\u0301", "café"},
		{"sharp s", "STRAẞE Straße", "strasse strasse"},
		{"final sigma", "ΛΟΓΟΣ λόγος", "λογοσ λόγοσ"},
		{"dotted capital", "İ I", "i i"},
		{"invalid UTF-8", "a\xffb", "a\uFFFDb"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := words.Key(tt.in); got != tt.want {
				t.Errorf("Key(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestKeyLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := mixture().Draw(t, "s")
		key := words.Key(s)
		if again := words.Key(key); again != key {
			t.Errorf("Key(%q) = %q, its key %q", s, key, again)
		}
		if !norm.NFC.IsNormalString(key) || !utf8.ValidString(key) {
			t.Errorf("Key(%q) = %q, not valid NFC", s, key)
		}
		if utf8.ValidString(s) && words.Key(norm.NFD.String(s)) != key {
			t.Errorf("Key of the decomposed %q differs", s)
		}
	})
}
