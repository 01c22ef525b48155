package notes_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/integration/notes"
	"github.com/brainbridge/brainbridge/watcher"
	"github.com/brainbridge/brainbridge/watcher/unprivileged"
)

func TestBadFilesStopNothing(t *testing.T) {
	if unprivileged.Elsewhere(t) {
		return
	}
	spoil := map[string]func(r *rig){
		"latin1":    func(r *rig) { r.save("2026-02-05.md", "## [09:00] note: Caf\xe9\n") },
		"NUL":       func(r *rig) { r.save("2026-02-05.md", "one\ntwo \x00\n") },
		"too large": func(r *rig) { r.save("2026-02-05.md", strings.Repeat("a", 1<<16+1)) },
		"directory": func(r *rig) { r.remove("2026-02-05.md"); _ = os.Mkdir(r.path("2026-02-05.md"), 0o700) },
		"link out": func(r *rig) {
			r.remove("2026-02-05.md")
			if err := os.Symlink("/etc/passwd", r.path("2026-02-05.md")); err != nil {
				r.Fatal(err)
			}
		},
		"no permission": func(r *rig) { r.touch("2026-02-05.md"); _ = os.Chmod(r.path("2026-02-05.md"), 0) },
	}
	for name, bad := range spoil {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.save("2026-02-05.md", note)
			r.sync()
			bad(r)
			r.save("2026-02-06.md", "## [09:00] note: Walrus\n\nFine.\n")
			res := r.sync()
			if res.New != 1 || res.Gone != 0 || !slices.Equal(problemFiles(res.Problems), []string{"2026-02-05.md"}) {
				t.Errorf("result: %+v", res)
			}
			if s := r.source(r.once("heron").ID); !s.Removed.IsZero() {
				t.Error("what was known counts as gone")
			}
			updates := r.store.updates.Load()
			if res := r.sync(); len(res.Problems) != 1 {
				t.Errorf("the next sync says nothing: %+v", res)
			}
			if n := r.store.updates.Load() - updates; n != 1 {
				t.Errorf("%d writes for a problem that is known", n)
			}
			st, err := r.door.Status(t.Context())
			if err != nil || len(st.Problems) != 1 || st.Files != 2 || !st.LastScan.Equal(r.now) {
				t.Errorf("status: %+v, %v", st, err)
			}
			r.remove("2026-02-05.md")
			r.save("2026-02-05.md", note)
			if res := r.sync(); len(res.Problems) != 0 || res.Unchanged != 3 {
				t.Errorf("put right: %+v", res)
			}
		})
	}
}

func TestProblemNamesTheLine(t *testing.T) {
	r := newRig(t)
	r.save("2026-02-05.md", "one\ntwo \xff\n")
	r.save("2026-02-06.md", "# Day\n\n## [25:61] note: No such time\n")
	res := r.sync()
	if len(res.Problems) != 2 || res.Problems[0].Line != 2 || res.Problems[1].Line != 3 {
		t.Errorf("problems: %+v", res.Problems)
	}
}

func TestOddNames(t *testing.T) {
	r := newRig(t)
	r.save("knowledge/a\nb.md", "# Quokka\n\nhidden\n")
	r.save("knowledge/ö ü.md", "# Quokka\n\nseen\n")
	res := r.sync()
	if len(res.Problems) != 1 || res.Files != 1 {
		t.Errorf("result: %+v", res)
	}
	r.once("seen")
	r.remove("knowledge/a\nb.md")
	if res := r.sync(); len(res.Problems) != 0 {
		t.Errorf("the problem stays after its file: %+v", res)
	}
}

func TestUnreadableFolderLosesNothing(t *testing.T) {
	if unprivileged.Elsewhere(t) {
		return
	}
	r := newRig(t)
	r.save("knowledge/people/ada.md", "# Ada\n\nAda likes gliders.\n")
	r.sync()
	if err := os.Chmod(r.path("knowledge/people"), 0); err != nil {
		t.Fatal(err)
	}
	res := r.sync()
	_ = os.Chmod(r.path("knowledge/people"), 0o700)
	if len(res.Problems) != 1 {
		t.Errorf("problems: %+v", res.Problems)
	}
	r.once("gliders")
}

func TestTextTooLargeForAMemoryIsASection(t *testing.T) {
	r := newRig(t)
	r.door = notes.New(r.brain, with(notes.Options{Dir: r.dir, Brain: "default"}))
	r.save("2026-02-05.md", "## [09:00] note: Long\n\nwombat\n"+strings.Repeat("word\n", brain.MaxContent/5+1))
	res := r.sync()
	if res.New != 0 || len(res.Problems) != 1 || res.Problems[0].Line != 1 {
		t.Errorf("result: %+v", res)
	}
	if got := r.once("wombat"); got.MemoryType != "section" {
		t.Errorf("it is a %s", got.MemoryType)
	}
}

func TestSaveWithinTheClocksStepIsSeen(t *testing.T) {
	r := newRig(t)
	r.save("2026-02-05.md", "## [09:00] note: One\n\nalpha\n")
	if err := os.Chtimes(r.path("2026-02-05.md"), r.now, r.now); err != nil {
		t.Fatal(err)
	}
	r.sync()
	if err := os.WriteFile(r.path("2026-02-05.md"), []byte("## [09:00] note: One\n\nbravo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(r.path("2026-02-05.md"), r.now, r.now); err != nil {
		t.Fatal(err)
	}
	r.now = r.now.Add(time.Minute)
	r.wantSync(0, 1, 0, 0)
	r.once("bravo")
}

func TestRepeatedAndForeignIDs(t *testing.T) {
	r := newRig(t)
	c, err := r.brain.Capture.New(brain.Source{Kind: brain.Learning, Concept: "Bees", Learned: "honey"}, brain.Details{})
	if err != nil {
		t.Fatal(err)
	}
	held, err := r.brain.Capture.Capture(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	one := "## [09:00] note: A\n\n**ID:** " + brain.NewID() + "\n\n"
	r.save("2026-02-05.md", one+"first\n\n"+one+"second\n\n## [10:00] note: B\n\n**ID:** "+held.SourceID+
		"\n\nthird\n\n## [11:00] note: C\n\n**ID:** 7\n\nfourth\n\n## [12:00] note: D\n\n**ID:** "+held.MemoryID+"\n\nfifth\n")
	r.wantSync(5, 0, 0, 0)
	for _, word := range []string{"first", "second", "third", "fourth", "fifth", "honey"} {
		if found := r.recall(word); len(found) == 0 || !slices.ContainsFunc(found, func(f recall.Recalled) bool { return strings.Contains(f.Memory.Content, word) }) {
			t.Errorf("%q is not found", word)
		}
	}
	r.touch("2026-02-05.md")
	r.wantSync(0, 0, 5, 0)
}

func TestOwnership(t *testing.T) {
	r := newRig(t)
	id, err := r.door.Claim(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if again, err := r.door.Claim(t.Context()); again != id || err != nil {
		t.Errorf("own again: %s, %v", again, err)
	}
	if _, err = r.doorOf("work").Sync(t.Context(), nil); !errors.Is(err, brain.ErrBusy) || !strings.Contains(err.Error(), `"default"`) {
		t.Errorf("another brain: %v", err)
	}
	for _, damaged := range []string{"", "{", `{"brain":"default"}`, "null"} {
		if err := os.WriteFile(r.path(notes.OwnerFile), []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := r.door.Claim(t.Context())
		raw, _ := os.ReadFile(r.path(notes.OwnerFile))
		if !errors.Is(err, brain.ErrInvalid) || string(raw) != damaged {
			t.Errorf("damaged %q: %v, now %q", damaged, err, raw)
		}
	}
}

func TestOneOwnerOfManyClaims(t *testing.T) {
	r := newRig(t)
	ids, errs := make([]string, 16), make([]error, 16)
	var wg sync.WaitGroup
	for i := range ids {
		name := []string{"default", "work"}[i%2]
		wg.Go(func() { ids[i], errs[i] = r.doorOf(name).Claim(t.Context()) })
	}
	wg.Wait()
	owner, err := notes.ReadOwner(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range ids {
		mine := owner.Brain == []string{"default", "work"}[i%2]
		if mine && (errs[i] != nil || ids[i] != owner.ID) || !mine && !errors.Is(errs[i], brain.ErrBusy) {
			t.Errorf("claim %d: %s, %v; the owner is %+v", i, ids[i], errs[i], owner)
		}
	}
	left, _ := filepath.Glob(r.path(".brainbridge-*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestMissingDirectoryLosesNothing(t *testing.T) {
	r := newRig(t)
	r.save("2026-02-05.md", note)
	r.sync()
	id := r.once("heron").ID
	wantKept := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, brain.ErrNotFound) {
			t.Errorf("%s: %v", what, err)
		}
		if !r.source(id).Removed.IsZero() {
			t.Errorf("%s: the outcome counts as gone", what)
		}
	}
	r.rename("", "../away")
	_, err := r.door.Sync(t.Context(), nil)
	wantKept("no directory", err)
	_, err = r.door.SyncPaths(t.Context(), []string{"2026-02-05.md"})
	wantKept("no directory, take", err)
	if err := os.Mkdir(r.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	_, err = r.door.Sync(t.Context(), nil)
	wantKept("empty directory, as of a disk that is not mounted", err)
	c := r.outcome("note", "Walrus", "")
	_, _, err = r.door.Append(t.Context(), c)
	wantKept("append to it", err)
	r.remove("")
	r.rename("../away", "")
	r.wantSync(0, 0, 2, 0)
}

func TestLostOwnerFileComesBackWithItsID(t *testing.T) {
	r := newRig(t)
	r.save("2026-02-05.md", note)
	r.sync()
	before, _ := notes.ReadOwner(r.dir)
	r.remove(notes.OwnerFile)
	r.save("2026-02-05.md", "## [10"+strings.SplitN(note, "## [10", 2)[1])
	r.wantSync(0, 0, 1, 1)
	if after, err := notes.ReadOwner(r.dir); err != nil || after.ID != before.ID {
		t.Errorf("owner: %+v, %v; was %+v", after, err, before)
	}
}

// A directory keeps its id in another place: moved, or on a machine with another name. Its
// loss is noticed there, too.
func TestDirectoryInAnotherPlaceLosesNothing(t *testing.T) {
	for name, o := range map[string]notes.Options{"moved": {Dir: "moved"}, "another host": {Host: "there", Dir: "memory"}} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.save("2026-02-05.md", note)
			r.sync()
			before, _ := notes.ReadOwner(r.dir)
			dir := r.path("../" + o.Dir)
			if dir != r.dir {
				r.rename("", "../"+o.Dir)
			}
			r.dir, o.Dir, o.Brain = dir, dir, "default"
			r.door = notes.New(r.brain, with(o))
			r.wantSync(0, 0, 2, 0)

			r.remove(notes.OwnerFile)
			r.save("2026-02-05.md", strings.Replace(note, "heron", "egret", 1))
			r.wantSync(0, 1, 1, 0)
			if after, err := notes.ReadOwner(r.dir); err != nil || after.ID != before.ID {
				t.Errorf("owner: %+v, %v; was %+v", after, err, before)
			}
			id := r.once("egret").ID

			r.remove("")
			if err := os.Mkdir(r.dir, 0o700); err != nil {
				t.Fatal(err)
			}
			_, err := r.door.Sync(t.Context(), nil)
			if !errors.Is(err, brain.ErrNotFound) || !strings.Contains(err.Error(), "none of the known notes") {
				t.Errorf("empty directory: %v", err)
			}
			if _, err := notes.ReadOwner(r.dir); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the empty directory was claimed: %v", err)
			}
			if !r.source(id).Removed.IsZero() {
				t.Error("the outcome counts as gone")
			}
		})
	}
}

func TestTakeLooksAtItsPathsAlone(t *testing.T) {
	r := newRig(t)
	r.save("2026-02-05.md", note)
	r.save("2026-02-06.md", "## [09:00] note: Walrus\n\nFine.\n")
	r.save("knowledge/a/one.md", "# Quokka\n\nQuokkas hop.\n")
	take := func(paths ...string) notes.Result {
		t.Helper()
		res, err := r.door.SyncPaths(t.Context(), paths)
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	if res := take("2026-02-06.md", "README.md", "../x", "nothing.md"); res.New != 1 || res.Files != 1 {
		t.Errorf("one file: %+v", res)
	}
	if n := len(r.recall("heron")); n != 0 {
		t.Errorf("a file that was not named was read")
	}
	if res := take("knowledge/a/one.md"); res.Files != 1 || len(r.recall("quokka")) != 1 {
		t.Errorf("a file in a folder: %+v", res)
	}
	r.remove("knowledge")
	r.remove("2026-02-06.md")
	if res := take("knowledge/a/one.md", "2026-02-06.md"); res.Gone != 2 || len(r.recall("quokka")) != 0 {
		t.Errorf("gone: %+v", res)
	}
	if res := take(); res.Files != 0 || res.Problems == nil {
		t.Errorf("no paths: %+v", res)
	}
	r.wantSync(2, 0, 0, 0)
}

func TestManyBatches(t *testing.T) {
	r := newRig(t)
	for i := range 500 {
		day := time.Date(2020, 1, 1+i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		r.save(day+".md", fmt.Sprintf("- fixed: the tap\n- decided: number%d it is\n- lesson: never number%d\n", i, i))
	}
	seen := 0
	res, err := r.door.Sync(t.Context(), func(done, total int) {
		if done < seen || total != 500 {
			t.Errorf("progress %d of %d after %d", done, total, seen)
		}
		seen = done
	})
	if err != nil || res.New != 1500 || seen != 500 {
		t.Errorf("%+v, %v; progress %d", res, err, seen)
	}
	r.wantSync(0, 0, 1500, 0)
}

func TestABadDateInAFolderIsAProblem(t *testing.T) {
	r := newRig(t)
	for _, name := range []string{"journal/2026-02-30.md", "journal/2026-03-01.md", "knowledge/2026-02-30.md"} {
		r.save(name, "text\n")
	}
	if got := problemFiles(r.sync().Problems); !slices.Equal(got, []string{"journal/2026-02-30.md"}) {
		t.Errorf("problems of %v", got)
	}
}

func TestANameThatIsNoDateIsAProblem(t *testing.T) {
	r := newRig(t)
	bad := []string{"2026-02-30-slug.md", "2026-13-45.md"}
	for _, name := range append(bad, "2026-03-01.md", "2026-1-1.md", "2026-13-4.md", "20261-3-45.md") {
		r.save(name, "- decided: it stands in "+name+"\n")
	}
	got := r.sync()
	if diff := cmp.Diff(bad, problemFiles(got.Problems)); diff != "" || got.New != 6 || got.Files != 6 {
		t.Fatalf("%+v (-want +got):\n%s", got, diff)
	}
	if m := got.Problems[0].Message; !strings.Contains(m, "is not a date, so it is only searched as text; rename it") {
		t.Errorf("problem: %s", m)
	}
	before := r.store.updates.Load()
	if got = r.sync(); len(got.Problems) != len(bad) {
		t.Errorf("the next time the problems are %+v", got.Problems)
	}
	if n := r.store.updates.Load() - before; n > 2 {
		t.Errorf("a sync of nothing new wrote %d times", n)
	}
	r.rename(bad[1], "2026-12-05.md")
	if got = r.sync(); got.New != 1 || len(got.Problems) != 1 {
		t.Errorf("after giving one a date: %+v", got)
	}
	if s, err := r.door.Status(t.Context()); err != nil || len(s.Problems) != 1 || s.Files != 6 {
		t.Errorf("status is %+v, %v", s, err)
	}
}

func TestMatch(t *testing.T) {
	r := newRig(t)
	d := notes.New(r.brain, with(notes.Options{Dir: r.dir, Exclude: []string{"**/templates/**", "private"}, MemoryMD: r.path("MEMORY.md")}))
	for path, want := range map[string]bool{
		"2026-02-05.md": true, "2026-02-05-team.MD": true, "knowledge/a/b.md": true, "ideas.md": true, "vault/a/Page.markdown": true,
		"transcripts/2026-02-05-transcript.md": true, "2026-02-30.md": true,
		"2026-02-05.txt": false, "a.canvas": false, "MEMORY.md": false, "vault/MEMORY.md": true, "vault/Templates/day.md": false, "private": false,
	} {
		if got := d.Match(path); got != want {
			t.Errorf("Match(%q) = %v", path, got)
		}
	}
	for path, want := range map[string]bool{".": false, "knowledge": false, "other": false, "vault/Templates": true, "templates": true, "private": true} {
		if got := d.SkipDir(path); got != want {
			t.Errorf("SkipDir(%q) = %v", path, got)
		}
	}
}

func TestStatusCountsWhatIsReadAndNamesWhatIsNot(t *testing.T) {
	r := newRig(t)
	r.save("2026-02-05.md", note)
	r.save("ideas.md", "# Ideas\n\nA kite from old sails.\n")
	r.save("vault/a.md", "# A\n\none\n\n## B\n\ntwo\n")
	r.save("vault/a.canvas", "{}")
	r.save("vault/b.canvas", "{}")
	r.save("vault/Makefile", "all:\n")
	r.sync()
	s, err := r.door.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []notes.KindCount{{Kind: "daily", Files: 1, Outcomes: 2}, {Kind: "other", Files: 2, Sections: 3}}
	if diff := cmp.Diff(want, s.Kinds); diff != "" {
		t.Error(diff)
	}
	left := []watcher.LeftOut{
		{Reason: ".canvas: not in notes.include", Files: 2, Paths: []string{"vault/a.canvas", "vault/b.canvas"}},
		{Reason: "no extension: not in notes.include", Files: 1, Paths: []string{"vault/Makefile"}},
	}
	if diff := cmp.Diff(left, s.LeftOut); diff != "" {
		t.Error(diff)
	}
}
