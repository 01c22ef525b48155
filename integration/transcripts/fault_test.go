package transcripts_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/integration/transcripts"
	"github.com/brainbridge/brainbridge/watcher/transcript/fixture"
	"github.com/brainbridge/brainbridge/watcher/unprivileged"
)

// Each bad line is named, and the rest goes on.
func TestBadInputStopsNothing(t *testing.T) {
	r := newRig(t)
	good := say("s", "2026-02-05T10:00:00Z", "user", "We decided to keep the old queue.")
	r.session("bad",
		`not json`, `"a bare string"`, `42`, `["an","array"]`, ``,
		`{"type":"spaceship","uuid":"x","timestamp":"2026-02-05T10:00:00Z"}`,
		`{"type":"user","uuid":"y","sessionId":"s","timestamp":"2026-02-05T10:01:00Z","message":{"role":"wizard","content":"hm"}}`,
		`{"type":"user","uuid":"z","sessionId":"s","timestamp":"2026-02-05T10:01:00Z","message":{"role":"user","content":[{"type":"image","source":{"type":"base64","data":"`+strings.Repeat("QUJD", 200_000)+`"}}]}}`,
		good,
		`{"type":"user","uuid":"f","sessionId":"s","timestamp":"2036-02-05T10:00:00Z","message":{"role":"user","content":"from the future"}}`,
		`{"type":"user","uuid":"n","sessionId":"s","message":{"role":"user","content":"We agreed to move the office to Lisbon."}}`)
	r.add(r.session("cut", say("c", "2026-02-05T11:00:00Z", "user", "We chose the blue one for the doors.")), good[:40])
	r.session("empty")
	d := r.one("2026-02-05")
	if !d.Done || d.Added != 3 || d.Failures != 0 {
		t.Errorf("%+v", d)
	}
	said := messages(d.Problems)
	for _, want := range []string{
		"bad.jsonl:1:", "bad.jsonl:2:", "bad.jsonl:3:", "bad.jsonl:4:", "bad.jsonl:10:",
		"cut.jsonl:2:",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("nothing is said of %s in\n%s", want, said)
		}
	}
	// What is wrong is named each time that somebody asks.
	if again := messages(r.one("2026-02-05").Problems); again != said {
		t.Errorf("asked again it says\n%s", again)
	}
}

// The problems of a file with three days are listed once, and again when one of its days is
// asked for.
func TestAProblemIsToldOnce(t *testing.T) {
	r := newRig(t)
	r.session("one", "not json", say("s", "2026-02-04T10:00:00Z", "user", "The first."),
		say("s", "2026-02-05T10:00:00Z", "user", "The second."), "nor this", say("s", "2026-02-06T10:00:00Z", "user", "The third."))
	rep := r.extract("")
	for _, d := range rep.Days {
		if d.Problems == nil || len(d.Problems) > 0 {
			t.Errorf("%s has the problems %v", d.Date, d.Problems)
		}
	}
	if len(rep.Days) != 3 || len(rep.Problems) != 2 {
		t.Errorf("%d days, and the problems\n%s", len(rep.Days), messages(rep.Problems))
	}
	if d := r.one("2026-02-06"); len(d.Problems) != 2 {
		t.Errorf("asked for the last day: %+v", d)
	}
}

func TestAFileThatCannotBeReadStopsNothing(t *testing.T) {
	if unprivileged.Elsewhere(t) {
		return
	}
	r := newRig(t)
	closed := r.session("closed", say("c", "2026-02-05T11:00:00Z", "user", "We chose the blue one for the doors."))
	if err := os.Chmod(closed, 0); err != nil {
		t.Fatal(err)
	}
	r.session("open", say("s", "2026-02-05T10:00:00Z", "user", "We decided to keep the old queue."))
	rep := r.extract("")
	if len(rep.Days) != 1 || rep.Days[0].Added != 1 || !strings.Contains(messages(rep.Problems), "closed.jsonl:0: cannot be read: permission denied") {
		t.Errorf("%+v", rep)
	}
	if err := os.Chmod(closed, 0o600); err != nil {
		t.Fatal(err)
	}
	if rep := r.extract(""); len(rep.Days) != 1 || rep.Days[0].Added != 1 || len(rep.Problems) != 0 {
		t.Errorf("once it can be read: %+v", rep)
	}
}

// A note that has to be put right first keeps its own day open, and no other.
func TestABadNoteKeepsItsDayOpen(t *testing.T) {
	r := newRig(t)
	r.session("one",
		say("s", "2026-02-05T10:00:00Z", "user", "We decided to keep the old queue."),
		say("s", "2026-02-06T10:00:00Z", "user", "We agreed to move the office to Lisbon."))
	note := filepath.Join(r.dir, "2026-02-05.md")
	if err := errors.Join(os.MkdirAll(r.dir, 0o700), os.WriteFile(note, []byte("Caf\xe9"), 0o600)); err != nil {
		t.Fatal(err)
	}
	rep := r.extract("")
	if len(rep.Days) != 2 || rep.Days[0].Done || !rep.Days[1].Done || !strings.Contains(messages(rep.Days[0].Problems), "UTF-8") {
		t.Errorf("%+v", rep.Days)
	}
	if got, err := os.ReadFile(note); err != nil || string(got) != "Caf\xe9" {
		t.Errorf("the note is %q, %v", got, err)
	}
	if err := os.Remove(note); err != nil {
		t.Fatal(err)
	}
	if rep := r.extract(""); len(rep.Days) != 1 || !rep.Days[0].Done || rep.Days[0].Added != 1 {
		t.Errorf("once the note is right: %+v", rep.Days)
	}
}

// The folder of the transcripts is a link to a place outside the notes: nothing is
// written there, whether the place exists or not.
func TestALinkOutOfTheNotesIsRefused(t *testing.T) {
	for _, missing := range []string{"", "missing"} {
		refuseLink(t, missing)
	}
}

func refuseLink(t *testing.T, missing string) {
	t.Helper()
	r := newRig(t)
	outside := t.TempDir()
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(outside, missing), filepath.Join(r.dir, "transcripts")); err != nil {
		t.Fatal(err)
	}
	r.session("one", say("s", "2026-02-05T10:00:00Z", "user", "We decided to keep the old queue."))
	if _, err := r.door().Extract(t.Context(), transcripts.Request{}); err == nil || !strings.Contains(err.Error(), "outside the notes directory") {
		t.Errorf("error %v", err)
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}

func TestOneProcessAtATime(t *testing.T) {
	r := newRig(t)
	if err := os.MkdirAll(filepath.Dir(r.o.Lock), 0o700); err != nil {
		t.Fatal(err)
	}
	unlock, err := durable.Lock{Path: r.o.Lock}.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if _, err := r.door().Extract(t.Context(), transcripts.Request{}); !errors.Is(err, brain.ErrBusy) {
		t.Errorf("error %v, want busy", err)
	}
}

// The process dies at any step: the next one finishes, and nothing is there
// twice.
func TestDyingAnywhereLosesAndDoublesNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, r *rig) {
		day := fixture.Generate(fixture.Options{Characters: 12_000, Sessions: 4, Planted: 2})
		if err := day.Write(r.home); err != nil {
			t.Fatal(err)
		}
		var files map[string]string
		for died := 0; ; died++ {
			fresh := *r
			fresh.dir = filepath.Join(t.TempDir(), "memory")
			fresh.o.Dir, fresh.o.Host = fresh.dir, fmt.Sprintf("host-%d", died)
			fresh.dieAfter(t, died)
			left := fresh.store.left
			fresh.store.left = -1
			fresh.extract("")
			if rep := fresh.extract(""); len(rep.Days) > 0 {
				t.Fatalf("dead after %d steps: the third run still has to do %+v", died, rep.Days)
			}
			got := fresh.relative()
			if files == nil {
				files = got
			}
			if !maps.Equal(got, files) {
				t.Fatalf("dead after %d steps: the files are %v, want %v", died, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(files)))
			}
			fresh.checkOnce(t, died)
			if left > 0 {
				t.Logf("%d steps", died)
				return
			}
		}
	})
}

// dieAfter runs until a number of steps is done. The brain is of its own, so
// that the runs do not know of each other.
func (r *rig) dieAfter(t *testing.T, steps int) {
	t.Helper()
	r.store = &breaking{Store: r.another(t), left: int64(steps)}
	r.brain = services.New(r.store, services.Options{Now: func() time.Time { return r.now }})
	_, err := r.door().Extract(t.Context(), transcripts.Request{})
	if err == nil && r.store.left == 0 {
		return
	}
	if err != nil && !errors.Is(err, errDied) {
		t.Fatalf("dead after %d steps: %v", steps, err)
	}
}

// relative are the files of the notes, by their path within, without what
// names the directory.
func (r *rig) relative() map[string]string {
	r.Helper()
	all := map[string]string{}
	for path, text := range r.snapshot() {
		rel, err := filepath.Rel(r.dir, path)
		if err != nil {
			r.Fatal(err)
		}
		if rel != ".brainbridge" {
			all[rel] = text
		}
	}
	return all
}

// checkOnce: no outcome has two memories.
func (r *rig) checkOnce(t *testing.T, died int) {
	t.Helper()
	ss, err := r.brain.Recall.Sources(t.Context(), brain.SourceFilter{Kind: brain.Outcome, Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	bodies := map[string]bool{}
	for _, s := range ss {
		if bodies[s.BodyHash] || !s.Removed.IsZero() {
			t.Errorf("dead after %d steps: %q is there twice, or counts as removed", died, s.Title)
		}
		bodies[s.BodyHash] = true
	}
	notes := 0
	for rel, text := range r.relative() {
		if !strings.Contains(rel, "/") {
			notes += strings.Count(text, "<!-- transcript: ")
		}
	}
	if len(ss) != notes {
		t.Errorf("dead after %d steps: %d outcomes in the graph, %d in the notes", died, len(ss), notes)
	}
}

// A device or a pipe may have no end, and is not read.
func TestASessionIsAFile(t *testing.T) {
	_, _, err := newRig(t).door().Tail(t.Context(), "/dev/zero", 0, 0)
	if err == nil || !strings.Contains(err.Error(), "/dev/zero: it is not a regular file") {
		t.Errorf("/dev/zero is read: %v", err)
	}
}
