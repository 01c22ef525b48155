package notes_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

func finding(n int, title string) dailynote.Captured {
	id := strings.Replace("00000000-0000-4000-8000-00000000000x", "x", string(rune('0'+n)), 1)
	return dailynote.Captured{ID: id, At: time.Date(2026, 2, 5, 10, n, 0, 0, time.UTC), Type: "decision", Title: title, Body: "about " + title, Tags: []string{"found"}}
}

func TestAppendAllWritesOnce(t *testing.T) {
	r := newRig(t)
	own := "# 2026-02-05 - Daily Notes\r\n\r\nMine\tand no last newline"
	r.save("2026-02-05.md", own)
	r.sync()
	updates := r.store.updates.Load()
	all := []dailynote.Captured{finding(1, "Heron"), finding(2, "Walrus"), finding(1, "Heron")}
	path, added, err := r.door.AppendAll(t.Context(), "2026-02-05", all)
	if err != nil || path != "2026-02-05.md" || added != 2 {
		t.Fatalf("%q, %d, %v", path, added, err)
	}
	if n := r.store.updates.Load() - updates; n != 1 {
		t.Errorf("%d transactions for two outcomes, want 1", n)
	}
	text := r.text(path)
	if !strings.HasPrefix(text, own) || strings.Count(text, "**ID:**") != 2 || !strings.Contains(text, "## [10:01] 🔷 decision: Heron\n") {
		t.Errorf("the note is %q", text)
	}
	v := r.once("walrus")
	if v.ID != brain.OutcomeMemoryID(all[1].ID) || v.Content != "about Walrus" || !v.Created.Equal(all[1].At) {
		t.Errorf("memory: %+v", v)
	}
	// The same again, and one more.
	if _, added, err := r.door.AppendAll(t.Context(), "2026-02-05", append(all, finding(3, "Beluga"))); err != nil || added != 1 {
		t.Errorf("again: %d, %v", added, err)
	}
	if again := r.text(path); !strings.HasPrefix(again, text) || strings.Count(again, "**ID:**") != 3 {
		t.Errorf("the note is %q", again)
	}
	r.wantSync(0, 0, 3, 0)
}

// The store goes away after the note was written: the next call, or sync, takes
// in what is there.
func TestAppendAllSurvivesTheStore(t *testing.T) {
	r := newRig(t)
	if _, err := r.door.Claim(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.store.down.Store(true)
	all := []dailynote.Captured{finding(1, "Heron")}
	if _, added, err := r.door.AppendAll(t.Context(), "2026-02-05", all); !errors.Is(err, brain.ErrUnavailable) || added != 1 {
		t.Errorf("%d, %v", added, err)
	}
	r.store.down.Store(false)
	if _, added, err := r.door.AppendAll(t.Context(), "2026-02-05", all); err != nil || added != 0 {
		t.Errorf("%d, %v", added, err)
	}
	r.once("heron")
}

func TestAppendAllRefusesWhatItCannotRead(t *testing.T) {
	r := newRig(t)
	r.save("2026-02-05.md", "Caf\xe9")
	if _, _, err := r.door.AppendAll(t.Context(), "2026-02-05", []dailynote.Captured{finding(1, "Heron")}); !errors.Is(err, brain.ErrInvalid) {
		t.Errorf("error %v", err)
	}
	if raw, err := os.ReadFile(r.path("2026-02-05.md")); err != nil || string(raw) != "Caf\xe9" {
		t.Errorf("the note is %q, %v", raw, err)
	}
}
