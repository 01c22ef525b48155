package notes_test

import (
	"errors"
	"io/fs"
	"os"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/notes"
)

func TestADryDoorClaimsNothing(t *testing.T) {
	r := newRig(t)
	r.save("2026-02-27.md", "# 2026-02-27 - Daily Notes\n\n## [10:00] decision: Use SQLite\n\nIt needs no server.\n")
	door := notes.New(r.brain, with(notes.Options{Dir: r.dir, Brain: "default", Dry: true}))
	first, err := door.Claim(t.Context())
	if err != nil || first == "" {
		t.Fatalf("own: %q, %v", first, err)
	}
	if again, err := door.Claim(t.Context()); again != first || err != nil {
		t.Errorf("own again: %q, %v; want %q", again, err, first)
	}
	if _, err := door.Sync(t.Context(), nil); err != nil {
		t.Errorf("sync: %v", err)
	}
	if _, err := notes.ReadOwner(r.dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the owner file: %v, want none", err)
	}
	if _, err := notes.New(r.brain, with(notes.Options{Dir: r.dir + "-2", Brain: "default", Dry: true})).Claim(t.Context()); !errors.Is(err, brain.ErrNotFound) {
		t.Errorf("a directory that is not there: %v", err)
	}
	missing := r.dir + "-3"
	id, err := notes.New(r.brain, with(notes.Options{Dir: missing, Brain: "default", Dry: true})).ClaimOrCreate(t.Context())
	if _, statErr := os.Stat(missing); id == "" || err != nil || !errors.Is(statErr, fs.ErrNotExist) {
		t.Errorf("ClaimOrCreate: %q, %v; the directory: %v, want none", id, err, statErr)
	}
}
