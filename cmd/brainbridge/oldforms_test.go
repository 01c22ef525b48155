package main

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestModernArgs(t *testing.T) {
	for _, c := range []struct{ give, want []string }{
		{[]string{"-memoryStatus"}, []string{"status", "--with-tests"}},
		{[]string{"-testMemory", "text", "0.5", "working"}, []string{"test-memory", "text", "0.5", "working"}},
		{[]string{"--brain=x", "-learned", "a", "b"}, []string{"--brain=x", "learn", "a", "b"}},
		{[]string{"--brain", "x", "-learned", "a", "b"}, []string{"--brain", "x", "learn", "a", "b"}},
		{[]string{"-decayEnergy", "--testOnly"}, []string{"decay", "--test-only"}},
		{[]string{"MATCH (n) RETURN n"}, []string{"query", "MATCH (n) RETURN n"}},
		{[]string{"--json", "match(n) return n"}, []string{"--json", "query", "match(n) return n"}},
		{[]string{"MATCH (n) RETURN n", "--json"}, []string{"query", "MATCH (n) RETURN n", "--json"}},
		{[]string{"SHOW INDEXES"}, []string{"query", "SHOW INDEXES"}},
		{[]string{"USE THE NEW API FOR IMPORTS"}, []string{"USE THE NEW API FOR IMPORTS"}},
		{[]string{"SET UP THE DATABASE"}, []string{"SET UP THE DATABASE"}},
		// What is not of the table stays as it is.
		{[]string{"show", "abcdef"}, []string{"show", "abcdef"}},
		{[]string{"recall", "MATCH (n) RETURN n"}, []string{"recall", "MATCH (n) RETURN n"}},
		{[]string{"learn", "x", "-learned"}, []string{"learn", "x", "-learned"}},
		{[]string{"learn", "--", "--testOnly"}, []string{"learn", "--", "--testOnly"}},
		{[]string{"create", "it"}, []string{"create", "it"}},
		{[]string{"MATCH"}, []string{"MATCH"}},
		{nil, nil},
	} {
		if got, _ := modernArgs(c.give); !slices.Equal(got, c.want) {
			t.Errorf("%q becomes %q, want %q", c.give, got, c.want)
		}
	}
}

// Today's form of any line is itself: the table is applied once.
func TestModernArgsTwice(t *testing.T) {
	words := []string{
		"-memoryStatus", "-learned", "-testMemory", "--testOnly", "--brain", "--brain=x", "--json", "-q",
		"MATCH (n) RETURN n", "recall", "x", "--", "-",
	}
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SliceOfN(rapid.SampledFrom(words), 0, 6).Draw(t, "line")
		before := slices.Clone(line)
		once, _ := modernArgs(line)
		if !slices.Equal(line, before) {
			t.Fatalf("%q was changed in place", before)
		}
		if twice, _ := modernArgs(once); !slices.Equal(once, twice) {
			t.Fatalf("%q becomes %q and then %q", line, once, twice)
		}
	})
}
