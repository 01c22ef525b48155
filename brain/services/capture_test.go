package services_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
)

func TestCaptureLeavesTheCallersTagsAlone(t *testing.T) {
	l := newLab(t)
	held := []string{"a", "b", "c"}
	c, err := l.Capture.New(brain.Source{Kind: brain.Learning, Concept: "walrus", Learned: "tusks"}, brain.Details{Tags: held[:2], Project: "lake"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a", "b", "c"}, held); diff != "" {
		t.Errorf("the caller's array (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a", "b"}, c.Memory.Tags); diff != "" {
		t.Errorf("tags (-want +got):\n%s", diff)
	}
}
