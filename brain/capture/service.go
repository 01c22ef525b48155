package capture

import (
	"context"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/words"
)

// Service makes and stores captures, and changes memories that a caller names.
// It is safe for concurrent use.
type Service struct {
	base    lifecycle.Base
	compare Comparer
	spool   Spool
}

// Spool keeps captures while the store is away.
type Spool interface {
	// Add keeps a capture durably.
	Add(ctx context.Context, c brain.Capture) error
}

// Comparer prepares a text for comparisons. The function that it returns reports
// how similar another text is, in [0, 1], and whether the two contradict each
// other.
type Comparer func(text string) func(other string) (similarity float64, contradicts bool)

// New returns the service. The relevance filter compares texts with compare; nil
// compares them word by word. Without a spool a capture fails while the store is
// away.
func New(base lifecycle.Base, compare Comparer, spool Spool) *Service {
	if compare == nil {
		compare = sameWords
	}
	return &Service{base: base, compare: compare, spool: spool}
}

// sameWords compares texts letter by letter, but for case and blanks.
func sameWords(text string) func(other string) (float64, bool) {
	key := words.Key(text)
	return func(other string) (float64, bool) {
		if words.Key(other) == key {
			return 1, false
		}
		return 0, false
	}
}
