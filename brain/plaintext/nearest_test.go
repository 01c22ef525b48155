package plaintext_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

func TestNearest(t *testing.T) {
	names := strings.Fields("recall decay help list status done core search claude-code gemini decision learning Käse helpful")
	for typed, want := range map[string]string{
		"recall": "recall", "recal": "recall", "serach": "search", "hlp": "help", "stauts": "status", "desicion": "decision",
		"DECISIOM": "decision", "learn": "learning", "claude": "claude-code", "claudecode": "claude-code", "gemini-cli": "gemini",
		"cone": "done core", "helpfuly": "helpful", "some": "", "käs": "Käse", "l": "", "li": "", "": "", "giraffe": "",
	} {
		if got := plaintext.Nearest(typed, names); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("nearest to %q are %q, want %q", typed, got, want)
		}
	}
}
