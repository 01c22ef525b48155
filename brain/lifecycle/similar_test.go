package lifecycle_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/tiers"
)

// Only a rare word makes texts similar: one in at most a twentieth of all texts, or in three.
func TestSimilarShareARareWord(t *testing.T) {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "brain.db"), "x")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	put := func(ms ...brain.Memory) {
		t.Helper()
		if err := s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(ms...) }); err != nil {
			t.Fatal(err)
		}
	}
	similar := func(project, text string) (ids []string) {
		t.Helper()
		m := storetest.Memory(text)
		m.Project = project
		err := s.View(t.Context(), func(r brain.Reader) error {
			found, err := lifecycle.Similar(r, &m, brain.Vector{}, 9)
			ids = brain.Map(found, func(m lifecycle.Match) string { return m.ID })
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(ids)
		return ids
	}
	m, past := storetest.Memory("the walrus has tusks"), storetest.Memory("a walrus of old", storetest.InTier(tiers.Superseded))
	ours, theirs := storetest.Memory("our walrus"), storetest.Memory("their walrus")
	ours.Project, theirs.Project = "atlas", "other"
	put(m, past, ours, theirs)
	put(storetest.Memories(100, "padding")...)
	if got := similar("", "seen a walrus"); !slices.Equal(got, []string{m.ID}) {
		t.Errorf("without a project: %v", got)
	}
	both := []string{m.ID, ours.ID}
	slices.Sort(both)
	if got := similar("atlas", "seen a walrus"); !slices.Equal(got, both) {
		t.Errorf("in a project: %v", got)
	}
	put(storetest.Memories(3, "one more walrus")...)
	if got := similar("", "seen a walrus"); len(got) > 0 {
		t.Errorf("a word of six texts in 106: %v", got)
	}
	if got := similar("", "a giraffe"); len(got) > 0 {
		t.Errorf("an unknown word: %v", got)
	}
}
