package brain_test

import (
	"fmt"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
)

func TestUnknownBrainListsAFewBrainsOfPeople(t *testing.T) {
	stored := []string{"work", "default", "default~test", "work/loading"}
	if got, want := brain.UnknownBrain("werk", stored).Error(), "there is no brain werk; there are: default, work"; got != want {
		t.Errorf("the message is %q, want %q", got, want)
	}
	stored = []string{"a~test"}
	if got, want := brain.UnknownBrain("a", stored).Error(), "there is no brain a"; got != want {
		t.Errorf("the message is %q, want %q", got, want)
	}
	stored = nil
	for i := range 13 {
		stored = append(stored, fmt.Sprintf("b%02d", i))
	}
	want := "there is no brain x; there are: b00, b01, b02, b03, b04, b05, b06, b07, b08, b09 and 3 more"
	if got := brain.UnknownBrain("x", stored).Error(); got != want {
		t.Errorf("the message is %q, want %q", got, want)
	}
}
