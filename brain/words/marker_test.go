package words_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain/words"
)

func TestMarkersOfSecretsAreNoWords(t *testing.T) {
	for text, want := range map[string][]string{
		"the key [redacted: github token] expires":    {"the", "key", "expir"},
		"token=[redacted: token] host=db":             {"token", "host", "db"},
		"[redacted: aws access key]":                  {},
		"[redacted: a][redacted: b] left":             {"left"},
		"was [redacted: by the censor, he said":       {"was", "redact", "by", "the", "censor", "he", "say"},
		"[redacted: ] and [redacted: x] and redacted": {"redact", "and", "and", "redact"},
	} {
		if got := words.Terms(text); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	q := words.Parse(`"key [redacted: github token] expires"`)
	if len(q.Phrases) != 1 || !slices.Equal(q.Phrases[0], []string{"key", "expir"}) {
		t.Errorf("phrases %v", q.Phrases)
	}
}

// Text that begins many markers and ends none must not take quadratic time.
func TestUnclosedMarkersAreWords(t *testing.T) {
	text := strings.Repeat("[redacted: , ", 50_000)
	if got := len(words.Terms(text)); got != 50_000 {
		t.Errorf("%d words, want 50000", got)
	}
}
