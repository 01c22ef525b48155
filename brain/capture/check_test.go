package capture

import (
	"errors"
	"slices"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
)

func TestParseRelations(t *testing.T) {
	got, err := ParseRelations([]string{"applies_to:3f2a1b9c", "part_of:a:b"})
	want := []brain.NewRelation{{Type: "applies_to", To: "3f2a1b9c"}, {Type: "part_of", To: "a:b"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []string{"applies_to", "applies_to:", ""} {
		if _, err := ParseRelations([]string{bad}); !errors.Is(err, brain.ErrInvalid) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
