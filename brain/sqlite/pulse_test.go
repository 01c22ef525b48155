package sqlite

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
)

// What a touch moves and what it leaves are together a life, each column once.
func TestPulseAndStandingAreALife(t *testing.T) {
	names := func(columns string) (all []string) {
		for n := range strings.SplitSeq(columns, ",") {
			all = append(all, strings.TrimSpace(n))
		}
		return all
	}
	whole, moved := names(lifeColumns), names(pulseColumns)
	left := slices.DeleteFunc(slices.Clone(whole), func(n string) bool { return slices.Contains(moved, n) })
	if len(left)+len(moved) != len(whole) {
		t.Errorf("%v are not all in %v", moved, whole)
	}
	want := []string{
		"tier", "expired_from", "valid_from", "valid_to", "entity", "helpful_count", "not_helpful_count", "last_used",
		"entity_key", "version", "source_node_id", `"group"`, "position",
	}
	if !slices.Equal(left, want) {
		t.Errorf("a touch leaves %v; standing knows %v", left, want)
	}
	if n := reflect.TypeFor[standing]().NumField(); n != len(left) {
		t.Errorf("standing has %d fields for %d columns", n, len(left))
	}
	var m brain.Memory
	if n := len(pulse(&m)); n != len(moved) {
		t.Errorf("%d fields for %d columns", n, len(moved))
	}
}
