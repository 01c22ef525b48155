package backups

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain/sqlite"
)

var usual = Retention{Newest: 3, Daily: 7, Weekly: 4}

func at(prefix string, t time.Time) Backup {
	return Backup{Path: "/b/" + prefix + t.UTC().Format(nameTime), Created: t, Brain: "one"}
}

func names(all []Backup) (names []string) {
	for _, b := range all {
		names = append(names, filepath.Base(b.Path))
	}
	return names
}

// kept are the backups that a prune leaves, newest first.
func (r Retention) kept(all []Backup, now time.Time) []Backup {
	gone := names(r.outdated(all, now))
	return slices.DeleteFunc(slices.Clone(all), func(b Backup) bool { return slices.Contains(gone, filepath.Base(b.Path)) })
}

func TestNightlyBackupsAreThinnedOut(t *testing.T) {
	night := time.Date(2026, 3, 29, 3, 30, 0, 0, time.UTC) // a Sunday
	var all []Backup
	for n := range 60 {
		all = append(all, at("brain-", night.AddDate(0, 0, -n)))
	}
	want := []string{"29", "28", "27", "26", "25", "24", "23", "22", "15", "08"} // a week of days, and three Sundays
	got := usual.kept(all, night.Add(time.Hour))
	for i, b := range got {
		if i < len(want) && b.Created.Format("02") != want[i] || len(got) != len(want) {
			t.Fatalf("kept %v, want the days %v", names(got), want)
		}
	}
}

// However they came, the newest ones stay, and the newest one that can be restored in full; the
// rest is bounded; a second prune finds nothing.
func TestAPruneKeepsWhatItPromises(t *testing.T) {
	now := time.Date(2026, 3, 29, 4, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		var all []Backup
		made := now
		for range rapid.IntRange(0, 60).Draw(t, "backups") {
			made = made.Add(-time.Duration(rapid.IntRange(1, 300).Draw(t, "hours")) * time.Hour)
			b := at(rapid.SampledFrom([]string{"brain-", "brain-", "broken-"}).Draw(t, "prefix"), made)
			if rapid.IntRange(0, 4).Draw(t, "lacks") == 0 {
				b.LeftOut = []LeftOut{{Kind: "Memory", ID: "x", Why: "damaged"}}
			}
			all = append(all, b)
		}
		kept := usual.kept(all, now)
		if again := usual.outdated(kept, now); len(again) > 0 {
			t.Fatalf("a second prune removes %v", names(again))
		}
		mine := slices.DeleteFunc(slices.Clone(all), Backup.replaced)
		whole := slices.IndexFunc(mine, Backup.Intact)
		for i, b := range mine {
			if (i < 3 || i == whole) && !slices.Contains(names(kept), filepath.Base(b.Path)) {
				t.Fatalf("%s of %v was removed", b.Path, names(mine))
			}
		}
		if n := len(slices.DeleteFunc(slices.Clone(kept), Backup.replaced)); n > 3+7+4+1 {
			t.Fatalf("%d are kept: %v", n, names(kept))
		}
		for _, b := range all {
			if b.replaced() && (now.Sub(b.Created) <= replacedAge) != slices.Contains(names(kept), filepath.Base(b.Path)) {
				t.Fatalf("%s: kept %v", b.Path, names(kept))
			}
		}
	})
}

func TestAPruneLeavesOtherBrainsAndDamagedBackupsAlone(t *testing.T) {
	p := newPlace(t)
	var made []string
	for range 4 {
		p.now = p.now.Add(time.Minute)
		made = append(made, p.create().Path)
	}
	if err := os.Remove(filepath.Join(made[0], manifestSum)); err != nil {
		t.Fatal(err)
	}
	one := Retention{Newest: 1}
	if done, err := Prune(t.Context(), p.options().Dir, "other", one, p.now, false); err != nil || len(done.Removed)+len(done.Kept) > 0 {
		t.Errorf("of another brain: %+v, %v", done, err)
	}
	if done, err := Prune(t.Context(), p.options().Dir, "one", one, p.now, true); err != nil || len(done.Removed) != 2 {
		t.Errorf("a dry run: %+v, %v; want two", done, err)
	}
	done, err := Prune(t.Context(), p.options().Dir, "one", one, p.now, false)
	if err != nil || len(done.Removed) != 2 || len(done.Kept) != 1 || done.Kept[0].Path != made[3] {
		t.Errorf("pruned %+v, %v", done, err)
	}
	entries, err := os.ReadDir(p.options().Dir)
	if err != nil || len(entries) != 3 { // with the lock
		t.Errorf("the folder has %v, %v; want the newest and the damaged one", entries, err)
	}
}

func TestTheNewestBackupIsFoundByItsName(t *testing.T) {
	p := newPlace(t)
	first := p.create()
	p.now = p.now.Add(24 * time.Hour)
	second := p.create()
	for by, want := range map[time.Time]string{p.now: second.Path, p.now.Add(-time.Second): first.Path, noon.Add(-time.Second): ""} {
		if b, err := Newest(p.options().Dir, "one", by); err != nil || b.Path != want {
			t.Errorf("by %v: %s, %v; want %q", by, b.Path, err, want)
		}
	}
	if b, err := Newest(p.options().Dir, "other", p.now); err != nil || b.Path != "" {
		t.Errorf("of another brain: %s, %v", b.Path, err)
	}
}

func TestARehearsalFindsWhatARestoreWouldLose(t *testing.T) {
	p := newPlace(t)
	a, z := p.remember("one text"), p.remember("another")
	if _, _, err := p.brain.Capture.Relate(t.Context(), a, "applies_to", z); err != nil {
		t.Fatal(err)
	}
	rehearse := func(v Verified) error {
		s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "brain.db"), "one")
		if err != nil {
			t.Fatal(err)
		}
		return errors.Join(Rehearse(t.Context(), v, s), s.Close())
	}
	v, err := Verify(t.Context(), p.create().Path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := rehearse(v); err != nil {
		t.Error(err)
	}
	raw, err := os.ReadFile(filepath.Join(v.Path, graphFile))
	if err == nil {
		raw[len(raw)/2] ^= 1
		err = os.WriteFile(filepath.Join(v.Path, graphFile), raw, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := rehearse(v); err == nil {
		t.Error("a damaged graph was restored")
	}
}

func TestSumsTellBrainsApart(t *testing.T) {
	p := newPlace(t)
	id := p.remember("one text")
	before, err := Of(t.Context(), p.brain.Base.Store)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.brain.Capture.Boost(t.Context(), id, 3); err != nil {
		t.Fatal(err)
	}
	after, err := Of(t.Context(), p.brain.Base.Store)
	if err != nil {
		t.Fatal(err)
	}
	if differ := before.Differ(after); !strings.HasPrefix(differ, "Memory (1 and 1)") || strings.Contains(differ, "Relation") {
		t.Errorf("they differ in %q, want the memory", differ)
	}
	if differ := after.Differ(after); differ != "" {
		t.Errorf("a brain differs from itself in %q", differ)
	}
}
