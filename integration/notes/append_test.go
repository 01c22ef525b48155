package notes_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/notes"
)

func (r *rig) outcome(kind, title, body string) notes.Capture {
	r.Helper()
	c, err := r.door.NewCapture(kind, title, body, brain.Details{})
	if err != nil {
		r.Fatal(err)
	}
	return c
}

func (r *rig) text(name string) string {
	r.Helper()
	raw, err := os.ReadFile(r.path(name))
	if err != nil {
		r.Fatal(err)
	}
	return string(raw)
}

func TestAppendWritesTheNoteAndTheGraph(t *testing.T) {
	r := newRig(t)
	r.remove("")
	c, err := r.door.NewCapture("Decision", "Keep the heron", "An insight because of\n# fish\n", brain.Details{Project: "lake", Tags: []string{"birds"}})
	if err != nil {
		t.Fatal(err)
	}
	got, path, err := r.door.Append(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if got.SourceID != c.Graph.Source.ID || got.MemoryID != brain.OutcomeMemoryID(got.SourceID) || got.Energy <= 0 {
		t.Errorf("answer: %+v", got)
	}
	if path != "2026-02-06.md" || !strings.HasPrefix(r.text(path), "# 2026-02-06 - Daily Notes\n\n## [12:00] ") {
		t.Errorf("%s:\n%s", path, r.text(path))
	}
	v := r.once("fish")
	r.wantPlace(v, path, 3)
	if v.ID != got.MemoryID || v.Content != "An insight because of\n# fish\n" || v.Importance != brain.Important || v.Project != "lake" {
		t.Errorf("memory: %+v", v)
	}
	r.wantSync(0, 0, 1, 0)
}

func TestAppendKeepsTheBytesOfThePerson(t *testing.T) {
	for _, old := range []string{"no newline at the end", "crlf\r\n\r\n- fixed a thing\r\n", "```\nfence that stays open\n", "", note} {
		r := newRig(t)
		if old != "" {
			r.save("2026-02-06.md", old)
		}
		if _, path, err := r.door.Append(t.Context(), r.outcome("lesson", "Walrus", "tusks")); err != nil || !strings.HasPrefix(r.text(path), old) {
			t.Errorf("%q: %v", old, err)
		}
		r.once("tusks")
		r.sync()
		r.once("tusks")
	}
}

func TestAppendRefusals(t *testing.T) {
	r := newRig(t)
	for _, bad := range [][3]string{{"two words", "t", ""}, {"", "t", ""}, {"note", " ", ""}, {"note", "t", "a\x00"}, {"note", "t", strings.Repeat("a", brain.MaxContent+1)}} {
		if _, err := r.door.NewCapture(bad[0], bad[1], bad[2], brain.Details{}); !errors.Is(err, brain.ErrInvalid) {
			t.Errorf("%.20q: %v", bad, err)
		}
	}
	c, err := r.door.NewCapture("note", "Walrus", "", brain.Details{Relate: []brain.NewRelation{{Type: "part_of", To: brain.NewID()}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, path, err := r.door.Append(t.Context(), c); !errors.Is(err, brain.ErrNotFound) || path != "" {
		t.Errorf("relation to nothing: %s, %v", path, err)
	}
	if _, err := os.Stat(r.path("2026-02-06.md")); err == nil || len(r.recall("walrus")) > 0 {
		t.Error("something of it was written")
	}
	r.save("2026-02-06.md", "caf\xe9")
	if _, _, err := r.door.Append(t.Context(), r.outcome("note", "Seal", "")); !errors.Is(err, brain.ErrInvalid) || r.text("2026-02-06.md") != "caf\xe9" {
		t.Errorf("a note that is no UTF-8: %v", err)
	}
}

func TestNoteThatCannotBeWrittenLeavesNothing(t *testing.T) {
	const file = "2026-02-06.md"
	for name, spoil := range map[string]struct {
		do   func(r *rig)
		want error
	}{
		"saved all the time": {func(r *rig) { r.save(file, r.text(file)+"\n") }, brain.ErrBusy},
		"a folder now":       {func(r *rig) { r.remove(file); _ = os.Mkdir(r.path(file), 0o700) }, brain.ErrInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.save(file, note)
			r.save("knowledge/z.md", "# Zoo\n\nSee [[Walrus]] penguins.\n")
			r.sync()
			c := r.outcome("note", "Walrus", "tusks")
			r.door.BeforeReplace(func() { spoil.do(r) })
			_, path, err := r.door.Append(t.Context(), c)
			r.door.BeforeReplace(func() {})
			if !errors.Is(err, spoil.want) || path != "" {
				t.Errorf("%q, %v", path, err)
			}
			if _, err := r.brain.Recall.Show(t.Context(), c.Graph.Memory.ID, true); !errors.Is(err, brain.ErrNotFound) {
				t.Errorf("the person was told that it failed, and it is there: %v", err)
			}
			r.remove(file)
			r.save(file, note)
			r.wantSync(0, 0, 3, 0)
			if _, _, err := r.door.Append(t.Context(), r.outcome("note", "Walrus", "tusks")); err != nil {
				t.Error(err)
			}
			r.wantRelation(r.once("penguins").ID, "mentions", r.once("tusks").ID)
		})
	}
}

func TestNoteSavedMeanwhileIsReadAgain(t *testing.T) {
	const file = "2026-02-06.md"
	r := newRig(t)
	r.save(file, note)
	r.sync()
	c := r.outcome("note", "Walrus", "tusks")
	r.door.BeforeReplace(func() {
		r.door.BeforeReplace(func() {})
		r.save(file, note+"\n## [11:00] note: Seal\n\nwhiskers\n")
	})
	if _, _, err := r.door.Append(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if text := r.text(file); !strings.Contains(text, "whiskers") || strings.Count(text, "tusks") != 1 {
		t.Errorf("the note:\n%s", text)
	}
	r.once("whiskers")
	r.once("tusks")
}

func TestNotesDirectoryIsAsAnyOther(t *testing.T) {
	r := newRig(t)
	r.remove("")
	if err := os.Mkdir(r.dir+"-other", 0o755); err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.door.Append(t.Context(), r.outcome("note", "Walrus", "tusks")); err != nil {
		t.Fatal(err)
	}
	got, err := os.Stat(r.dir)
	want, otherErr := os.Stat(r.dir + "-other")
	if err := errors.Join(err, otherErr); err != nil || got.Mode() != want.Mode() {
		t.Errorf("mode %s, want %s: %v", got.Mode(), want.Mode(), err)
	}
}

func TestAppendRelates(t *testing.T) {
	r := newRig(t)
	_, _, err := r.door.Append(t.Context(), r.outcome("note", "Zoo", "gates"))
	if err != nil {
		t.Fatal(err)
	}
	zoo := r.once("gates").ID
	c, err := r.door.NewCapture("note", "Walrus", "tusks, see [[Zoo]]", brain.Details{Relate: []brain.NewRelation{{Type: "part_of", To: zoo[:8]}}})
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := r.door.Append(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	r.wantRelation(got.MemoryID, "part_of", zoo)
	r.wantRelation(got.MemoryID, "mentions", zoo)
}

func TestForgottenTextCanBeCapturedByHand(t *testing.T) {
	r := newRig(t)
	for range 2 {
		if _, _, err := r.door.Append(t.Context(), r.outcome("note", "Walrus", "tusks")); err != nil {
			t.Fatal(err)
		}
		id := r.once("tusks").ID
		if _, _, err := r.brain.Journal.Forget(t.Context(), id, "test"); err != nil {
			t.Fatal(err)
		}
		r.touch("2026-02-06.md")
		r.sync()
		if n := len(r.recall("tusks")); n != 0 {
			t.Fatalf("forgotten and recalled %d times", n)
		}
	}
}

func TestAppendWhileTheStoreIsAway(t *testing.T) {
	r := newRig(t)
	r.sync()
	r.store.down.Store(true)
	c := r.outcome("note", "Walrus", "tusks of [[Ivory]]")
	_, path, err := r.door.Append(t.Context(), c)
	if !errors.Is(err, brain.ErrUnavailable) || path == "" || !strings.Contains(r.text(path), "tusks") {
		t.Fatalf("%s, %v", path, err)
	}
	r.store.down.Store(false)
	if _, err := r.brain.Capture.Capture(t.Context(), c.Graph); err != nil { // as the spool does
		t.Fatal(err)
	}
	r.sync()
	v := r.once("tusks")
	r.wantPlace(v, path, 3)
	if v.ID != c.Graph.Memory.ID {
		t.Error("spool and note made two memories")
	}
	ivory, err := r.brain.Capture.NewMemory(brain.Memory{Name: "Ivory", Content: "white"}, brain.Details{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.brain.Capture.Capture(t.Context(), ivory)
	if err != nil {
		t.Fatal(err)
	}
	r.wantRelation(v.ID, "mentions", got.MemoryID)
}

// held is all that the graph has of an outcome, with names for its ids.
type held struct {
	Memory    brain.Memory
	Source    brain.Source
	Relations []string
}

func (r *rig) held(c notes.Capture) held {
	r.Helper()
	var out held
	err := r.store.View(r.Context(), func(rd brain.Reader) error {
		ms, err := rd.Memories(c.Graph.Memory.ID)
		if err != nil || len(ms) != 1 {
			r.Fatalf("memories: %v, %v", ms, err)
		}
		ss, err := rd.Sources(c.Graph.Source.ID)
		if err != nil || len(ss) != 1 {
			r.Fatalf("sources: %v, %v", ss, err)
		}
		out = held{Memory: ms[0], Source: ss[0]}
		rels, err := rd.Relations(ms[0].ID)
		for _, rel := range rels {
			other, err := rd.Memories(rel.To)
			if err != nil || len(other) == 0 {
				return err
			}
			out.Relations = append(out.Relations, rel.Type+" "+other[0].Name)
		}
		return err
	})
	if err != nil {
		r.Fatal(err)
	}
	slices.Sort(out.Relations)
	m, s := &out.Memory, &out.Source
	m.ID, m.SourceNodeID, m.Version, m.Group = "", "", 0, strings.TrimPrefix(m.Group, s.Dir)
	s.ID, s.Key, s.Dir, s.Body = "", "", "", strings.ReplaceAll(s.Body, c.Graph.Source.ID, "ID")
	s.BodyHash = ""
	return out
}

func TestCaptureAndNoteInAnyOrderGiveTheSame(t *testing.T) {
	outcome := func(r *rig) notes.Capture {
		c, err := r.door.NewCapture("decision", "Walrus", "tusks of [[Zoo]]", brain.Details{
			Project: "lake", Tags: []string{"ice"}, Relate: []brain.NewRelation{{Type: "part_of", To: r.once("gates").ID}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	spool := func(r *rig, c notes.Capture) {
		if _, err := r.brain.Capture.Capture(t.Context(), c.Graph); err != nil {
			t.Fatal(err)
		}
	}
	orders := map[string]func(r *rig, c notes.Capture){
		"spool, note": func(r *rig, c notes.Capture) { spool(r, c); r.now = r.now.Add(time.Minute); r.sync() },
		"note, spool": func(r *rig, c notes.Capture) { r.sync(); r.now = r.now.Add(time.Minute); spool(r, c) },
		"again":       func(r *rig, c notes.Capture) { spool(r, c); r.sync(); spool(r, c); r.touch("2026-02-06.md"); r.sync() },
	}
	run := func(away bool, bring func(*rig, notes.Capture)) held {
		r := newRig(t)
		if _, _, err := r.door.Append(t.Context(), r.outcome("note", "Zoo", "gates")); err != nil {
			t.Fatal(err)
		}
		r.now = r.now.Add(90*time.Minute + 5*time.Second)
		r.store.down.Store(away)
		c := outcome(r)
		if _, _, err := r.door.Append(t.Context(), c); errors.Is(err, brain.ErrUnavailable) != away {
			t.Fatal(err)
		}
		r.store.down.Store(false)
		r.now = r.now.Add(2 * time.Hour)
		bring(r, c)
		return r.held(c)
	}
	want := run(false, func(r *rig, _ notes.Capture) { r.sync() })
	if m := want.Memory; m.Project != "lake" || m.SessionID != "s" || len(m.Tags) != 1 || len(want.Relations) != 3 {
		t.Errorf("captured with the store there: %+v", want)
	}
	for name, bring := range orders {
		if diff := cmp.Diff(want, run(true, bring)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A capture that comes late completes what its note began; it does not take
// back what was done since.
func TestLateCaptureKeepsWhatWasDoneSince(t *testing.T) {
	r := newRig(t)
	r.sync()
	r.store.down.Store(true)
	c, err := r.door.NewCapture("note", "Walrus", "tusks", brain.Details{Project: "lake"})
	if err != nil {
		t.Fatal(err)
	}
	_, path, _ := r.door.Append(t.Context(), c)
	r.store.down.Store(false)
	r.sync()
	if _, err := r.brain.Capture.Boost(t.Context(), c.Graph.Memory.ID, 1); err != nil {
		t.Fatal(err)
	}
	r.save(path, strings.Replace(r.text(path), "tusks", "whiskers", 1))
	r.sync()
	before := r.once("whiskers")
	if _, err := r.brain.Capture.Capture(t.Context(), c.Graph); err != nil {
		t.Fatal(err)
	}
	after := r.once("whiskers")
	if after.Project != "lake" || *after.Energy != *before.Energy || !after.ValidFrom.Equal(*before.ValidFrom) {
		t.Errorf("%+v, was %+v", after, before)
	}
	r.touch(path)
	r.wantSync(0, 0, 1, 0)
}

func TestTwentyAppendsAtOnce(t *testing.T) {
	r := newRig(t)
	r.save("2026-02-06.md", "mine\r\n")
	const n = 20
	ids, errs := make([]string, n), make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		door := r.doorOf("default")
		wg.Go(func() {
			c, err := door.NewCapture("note", "Walrus", fmt.Sprint("tusks ", i), brain.Details{})
			if err != nil {
				errs[i] = err
				return
			}
			got, _, err := door.Append(t.Context(), c)
			ids[i], errs[i] = got.MemoryID, err
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	for i := range n {
		if errs[i] != nil {
			t.Errorf("append %d: %v", i, errs[i])
		}
		seen[ids[i]] = true
	}
	text := r.text("2026-02-06.md")
	if len(seen) != n || strings.Count(text, "**ID:**") != n || !strings.HasPrefix(text, "mine\r\n") || len(r.recall("tusks")) != n {
		t.Errorf("%d ids, %d in the note, %d recalled", len(seen), strings.Count(text, "**ID:**"), len(r.recall("tusks")))
	}
	r.wantSync(0, 0, n, 0)
}
