package services_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
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

// A capture from the spool is counted once, also if the memory that it confirmed was
// corrected before it came again.
func TestACaptureComesOutOfTheSpoolAgainAfterACorrection(t *testing.T) {
	l := newLab(t)
	capture := func() brain.Capture {
		c, err := l.Capture.NewMemory(brain.Memory{Content: "the walrus eats clams"}, brain.Details{})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first, again := capture(), capture()
	drain := func() {
		t.Helper()
		if note, err := l.Capture.CaptureSpooled(t.Context(), again); err != nil || note != "" {
			t.Fatalf("%q, %v", note, err)
		}
	}
	if _, err := l.Capture.Capture(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	drain()
	corrected, _, err := l.Capture.Correct(t.Context(), first.Memory.ID, "", "the walrus eats fish")
	if err != nil {
		t.Fatal(err)
	}
	for _, gate := range []*brain.Gate{nil, {}} {
		again.Gate = gate
		drain()
		found, err := lifecycle.Read(t.Context(), l.Base, func(r brain.Reader) (brain.Memory, error) {
			said, err := r.ListMemories(brain.ListFilter{By: brain.ByText, Keys: []string{first.Memory.TextKey()}})
			if len(said) > 0 {
				t.Errorf("stored again: %v", brain.IDs(said))
			}
			m, newestErr := lifecycle.Newest(r, again.Memory.ID)
			return m, errors.Join(err, newestErr)
		})
		if err != nil || found.ID != corrected.ID || found.Confirmations != corrected.Confirmations {
			t.Errorf("its id leads to %+v, %v; want %+v", found, err, corrected)
		}
	}
}

// A capture from the spool loses only what cannot be stored, and all of that is said.
func TestACaptureFromTheSpoolKeepsTheRelationsThatItCanHave(t *testing.T) {
	l := newLab(t)
	known, entity := l.learn("walrus", "tusks"), l.entity("Ada", "plays chess").ID
	m := brain.Memory{Name: "Ada", Content: "writes programs"}
	m.Entity = true
	c, err := l.Capture.NewMemory(m, brain.Details{})
	if err != nil {
		t.Fatal(err)
	}
	const unknown = "00000000-0000-4000-8000-000000000000"
	c.Relate = []brain.NewRelation{{Type: "knows", To: known}, {Type: "knows", To: unknown}}
	c.Replaces = []string{entity}
	note, err := l.Capture.CaptureSpooled(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	for _, dropped := range []string{"is a plain memory", "without its relations to " + unknown, "replaces nothing"} {
		if !strings.Contains(note, dropped) {
			t.Errorf("the note is %q, want %q in it", note, dropped)
		}
	}
	if !slices.ContainsFunc(l.show(c.Memory.ID).Relations, func(r brain.Relation) bool { return r.To == known }) {
		t.Error("the relation to a known memory is not stored")
	}
}
