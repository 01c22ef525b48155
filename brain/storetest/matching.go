package storetest

import (
	"slices"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

func matchingCases() []testCase {
	return []testCase{
		{"prefixes find memories, sources, sections, runs and redirects", matchingKinds},
		{"a prefix is taken literally", matchingLiteral},
		{"matches ascend, and are limited for each prefix", matchingSeveral},
	}
}

func matching(b *db, prefix string, limit int) []string {
	b.t.Helper()
	return view(b, func(r brain.Reader) ([]string, error) { return r.Matching(limit, prefix) })
}

func matchingKinds(t *testing.T, b *db) {
	memory, archived, source := Memory("m"), Memory("a"), Source(brain.Activity)
	test, section := Memory("t"), Section("d", "f", 1, "s")
	run, redirect := Record(brain.RunRecord, "", "", Start), Record(brain.RedirectRecord, "", "target", Start)
	action, config := Record(brain.ActionRecord, "", "", Start), Record(brain.ConfigRecord, "", "", Start)
	archived.Tier = tiers.ArchivedWorking
	for i, id := range []*string{
		&source.ID, &memory.ID, &redirect.ID, &archived.ID, &run.ID, &test.ID,
		&section.ID, &action.ID, &config.ID,
	} {
		*id = "abc" + string(rune('0'+i)) + NewID()
	}
	b.put(memory, archived, test)
	b.putSources(source)
	b.putSections(section)
	b.putRecords(run, redirect, action, config)
	all := []string{source.ID, memory.ID, redirect.ID, archived.ID, run.ID, test.ID, section.ID}
	same(t, "a prefix of all", all, matching(b, "abc", 100))
	for _, id := range all {
		same(t, "a prefix of one", []string{id}, matching(b, id[:8], 100))
		same(t, "the whole id", []string{id}, matching(b, id, 100))
		same(t, "more than the id", 0, len(matching(b, id+"0", 100)))
	}
	same(t, "another prefix", 0, len(matching(b, "bc", 100)))
	same(t, "a limit", all[:3], matching(b, "abc", 3))
	b.deleteMemories(memory.ID)
	b.update(func(tx brain.Tx) error { return tx.DeleteRecords(run.Kind, run.ID) })
	left := slices.DeleteFunc(all, func(id string) bool { return id == memory.ID || id == run.ID })
	same(t, "a prefix of those that are left", left, matching(b, "abc", 100))
}

func matchingLiteral(t *testing.T, b *db) {
	ids := []string{"test_1", "testX1", "te%st", "te*st", "te?st", "te[s]t", "TEST_1", "te\\st", "te'st", "tést"}
	var ms []brain.Memory
	for _, id := range ids {
		ms = append(ms, Memory("literal", func(m *brain.Memory) { m.ID = id }))
	}
	b.put(ms...)
	for prefix, want := range map[string][]string{
		"test_": {"test_1"}, "te%": {"te%st"}, "te*": {"te*st"}, "te?": {"te?st"}, "te[s": {"te[s]t"},
		"TE": {"TEST_1"}, "te\\": {"te\\st"}, "te'": {"te'st"}, "t\u00e9": {"tést"}, "%": nil, "_": nil, ".*": nil,
	} {
		same(t, "prefix "+prefix, want, matching(b, prefix, 100))
	}
}

func matchingSeveral(t *testing.T, b *db) {
	var ms []brain.Memory
	for _, id := range []string{"a1", "a2", "a3", "ab1", "b1", "c1"} {
		ms = append(ms, Memory("several", func(m *brain.Memory) { m.ID = id }))
	}
	b.put(ms...)
	for _, c := range []struct{ prefixes, want []string }{
		{[]string{"b", "a"}, []string{"a1", "a2", "b1"}},
		{[]string{"ab", "a", "d"}, []string{"a1", "a2", "ab1"}},
		{[]string{"c", "c"}, []string{"c1"}},
		{nil, nil},
	} {
		got := view(b, func(r brain.Reader) ([]string, error) { return r.Matching(2, c.prefixes...) })
		if !slices.Equal(c.want, got) {
			t.Errorf("%v match %v, want %v", c.prefixes, got, c.want)
		}
	}
}
