package notes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/google/renameio/v2"
	"github.com/google/uuid"

	"github.com/brainbridge/brainbridge/brain"
)

// ownerFile says which brain a notes directory feeds.
const ownerFile = ".brainbridge"

type owner struct {
	Brain   string    `json:"brain"`
	ID      string    `json:"id"` // of the directory, random
	Created time.Time `json:"created"`
}

// Own makes sure that the directory feeds this brain, and returns its id. The
// first brain that asks becomes the owner; another one gets [brain.ErrBusy].
func (d *Door) Own(ctx context.Context) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if info, err := os.Stat(d.o.Dir); err != nil || !info.IsDir() {
		return "", brain.Errorf(brain.ErrNotFound, "make it, or set notes.dir to where your notes are",
			"the notes directory %s is not there", d.o.Dir)
	}
	path := filepath.Join(d.o.Dir, ownerFile)
	for range 2 { // the second time to read what another process wrote first
		o, err := readOwner(path)
		switch {
		case errors.Is(err, os.ErrNotExist):
			if err := d.claim(path); err != nil && !errors.Is(err, os.ErrExist) {
				return "", fmt.Errorf("claim the notes directory: %w", err)
			}
			continue
		case err != nil:
			return "", err
		case o.Brain != d.o.Brain:
			return "", brain.Errorf(brain.ErrBusy, "set notes.dir to a directory of its own for this brain",
				"the notes directory %s belongs to the brain %s", d.o.Dir, o.Brain)
		}
		return o.ID, nil
	}
	return "", fmt.Errorf("claim the notes directory: %s comes and goes", path)
}

func readOwner(path string) (owner, error) {
	var o owner
	raw, err := os.ReadFile(path)
	if err != nil {
		return o, err
	}
	if json.Unmarshal(raw, &o) != nil || o.Brain == "" || o.ID == "" {
		return o, brain.Errorf(brain.ErrInvalid, "put it right, or move it away to let the next sync write it anew",
			"%s does not say which brain the notes belong to", path)
	}
	return o, nil
}

// claim writes the owner file whole, and only if there is none.
func (d *Door) claim(path string) error {
	raw, err := json.MarshalIndent(owner{d.o.Brain, uuid.NewString(), brain.Instant(d.o.Now())}, "", "  ")
	if err != nil {
		return err
	}
	f, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644))
	if err != nil {
		return err
	}
	defer f.Cleanup() //nolint:errcheck // it is linked by then, or the error is the one below
	if _, err := f.Write(append(raw, '\n')); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return os.Link(f.Name(), path)
}
