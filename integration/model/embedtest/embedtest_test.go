package embedtest_test

import (
	"slices"
	"testing"

	"github.com/brainbridge/brainbridge/integration/model/embedtest"
)

func TestTextsThatMeanTheSameAreAlike(t *testing.T) {
	stored := embedtest.Vector("The doctor bought a new car", 64)
	alike := func(text string) (dot float32) {
		for i, x := range embedtest.Vector(text, 64) {
			dot += x * stored[i]
		}
		return dot
	}
	if got := alike("a physician purchases the vehicle"); got < 0.8 {
		t.Errorf("in other words: %.2f", got)
	}
	if got := alike("staging listens on another port"); got > 0.4 {
		t.Errorf("about something else: %.2f", got)
	}
	if !slices.Equal(stored, embedtest.Vector("The doctor bought a new car", 64)) {
		t.Error("the same text has another vector")
	}
	if got := alike("of the"); got > 0.4 || got != got {
		t.Errorf("a text of stop words: %.2f", got)
	}
}
