package storetest

import (
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

func apartCases() []testCase {
	return []testCase{
		{"lists have tests alone or real ones alone", apartLists},
		{"due has tests alone or real ones alone", apartDue},
		{"counts count tests apart", apartCounts},
		{"sources have tests alone or real ones alone", apartSources},
		{"search has tests alone or real ones and sections", apartSearch},
		{"reads by id find tests", apartIDs},
	}
}

// realAndTest stores a memory of each kind that differ in nothing else.
func realAndTest(b *db) (ordinary, test brain.Memory) {
	due := func(m *brain.Memory) { m.PromoteDue = Hours(1) }
	ordinary, test = Memory("an okapi", due), Memory("an okapi", due, Test)
	b.put(ordinary, test)
	return ordinary, test
}

func apartLists(t *testing.T, h harness) {
	b := h.brain(t)
	ordinary, test := realAndTest(b)
	f := brain.ListFilter{Tier: tiers.Working, DueOnly: true, Limit: 9}
	same(t, "real ones", []string{ordinary.ID}, b.strongest(f))
	f.Tests = true
	same(t, "tests", []string{test.ID}, b.strongest(f))
}

func apartDue(t *testing.T, h harness) {
	b := h.brain(t)
	ordinary, test := realAndTest(b)
	for name, c := range map[string]struct {
		tests bool
		want  string
	}{"real ones": {false, ordinary.ID}, "tests": {true, test.ID}} {
		ds := due(b, Hours(2), c.tests)
		if len(ds) != 1 || ds[0].ID != c.want {
			t.Errorf("%s: due is %v, want %s alone", name, ds, c.want)
		}
	}
}

func apartCounts(t *testing.T, h harness) {
	b := h.brain(t)
	realAndTest(b)
	want := brain.Counts{ByTier: map[tiers.Tier]int{tiers.Working: 1}, Tests: 1}
	same(t, "counts", want, counts(b, Start))
}

func apartSources(t *testing.T, h harness) {
	b := h.brain(t)
	ordinary, test := Source(brain.Learning), Source(brain.Learning)
	test.IsTest = true
	b.putSources(ordinary, test)
	same(t, "real ones", []string{ordinary.ID}, listSources(b, brain.SourceFilter{}))
	same(t, "tests", []string{test.ID}, listSources(b, brain.SourceFilter{Tests: true}))
}

func apartSearch(t *testing.T, h harness) {
	b := h.brain(t)
	ordinary, test := realAndTest(b)
	section := Section("d", "f", 1, "an okapi")
	b.putSections(section)
	q := brain.SearchQuery{Words: words.Parse("okapi")}
	same(t, "real ones and sections", sorted(ordinary.ID, section.ID), sorted(hitIDs(b.search(q))...))
	q.AsOf, q.NoSections = Hours(1), true
	same(t, "real ones at an instant", []string{ordinary.ID}, hitIDs(b.search(q)))
	q.Tests = true
	same(t, "tests at an instant", []string{test.ID}, hitIDs(b.search(q)))
	q = brain.SearchQuery{Words: words.Parse("okapi"), Tests: true}
	same(t, "tests", []string{test.ID}, hitIDs(b.search(q)))
}

func apartIDs(t *testing.T, h harness) {
	b := h.brain(t)
	ordinary, test := realAndTest(b)
	same(t, "memories", []brain.Memory{test, ordinary}, b.memories(test.ID, ordinary.ID))
	same(t, "tests by prefix", []string{test.ID}, matching(b, brain.TestPrefix, 9))
}
