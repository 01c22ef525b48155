package notes

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/ingest"
)

// OwnerFile is the file in a notes directory that names its brain.
const OwnerFile = ".brainbridge"

// Owner is the content of the owner file.
type Owner struct {
	Brain   string    `json:"brain"`
	ID      string    `json:"id"` // of the directory, random
	Created time.Time `json:"created"`
}

// Text returns the content of the owner file.
func (o Owner) Text() ([]byte, error) {
	raw, err := json.MarshalIndent(o, "", "  ")
	return append(raw, '\n'), brain.Wrap(err, "encode %s", OwnerFile)
}

// ReadOwner reads the owner file of a directory. The error is fs.ErrNotExist if
// there is none, and [brain.ErrInvalid] if it is damaged.
func ReadOwner(dir string) (Owner, error) {
	path := filepath.Join(dir, OwnerFile)
	raw, err := os.ReadFile(path)
	if err != nil {
		return Owner{}, fmt.Errorf("read the owner of the notes: %w", err)
	}
	var o Owner
	if err := json.Unmarshal(raw, &o); err != nil || o.Brain == "" || uuid.Validate(o.ID) != nil {
		return Owner{}, brain.Errorf(brain.ErrInvalid,
			"restore it from a backup, or delete it to have it written again",
			"%s is damaged and does not say which brain these notes belong to", path)
	}
	return o, nil
}

// Claim makes sure that the directory belongs to this brain and returns its id. It
// writes the owner file if there is none. The error is [brain.ErrBusy] if the
// directory belongs to another brain, [brain.ErrInvalid] if the owner file is
// damaged, and [brain.ErrNotFound] if the directory is missing, or has none of its
// known notes, as when a disk is not mounted.
func (d *Directory) Claim(ctx context.Context) (dirID string, err error) {
	owner, err := d.owner()
	if errors.Is(err, fs.ErrNotExist) {
		return d.claimWithoutFile(ctx)
	}
	return owner.ID, err
}

// ClaimOrCreate is like Claim, but first creates a directory that was never known.
// With Options.Dry it creates nothing and returns the id that Claim would write.
func (d *Directory) ClaimOrCreate(ctx context.Context) (dirID string, err error) {
	if _, err := os.Stat(d.o.Dir); !errors.Is(err, fs.ErrNotExist) {
		return d.Claim(ctx)
	}
	knownID, err := d.brain.Ingest.NotesDirAt(ctx, d.o.Host, d.o.Dir)
	if err != nil {
		return "", err
	}
	if knownID == "" {
		if d.o.Dry {
			return d.newID, nil
		}
		// The notes are not private to the program: the mode is that of `serve`.
		if err := os.MkdirAll(d.o.Dir, 0o755); err != nil {
			return "", fmt.Errorf("create the notes directory: %w", err)
		}
	}
	return d.Claim(ctx) // reports a directory that has disappeared
}

// OwnerID returns the id of the directory, or "" if it was never claimed. It writes
// nothing. The error is [brain.ErrBusy] if the directory belongs to another brain.
func (d *Directory) OwnerID(ctx context.Context) (dirID string, err error) {
	owner, err := d.owner()
	if errors.Is(err, fs.ErrNotExist) {
		return d.brain.Ingest.NotesDirAt(ctx, d.o.Host, d.o.Dir)
	}
	return owner.ID, err
}

// owner reads the owner file. It returns an error if it names another brain.
func (d *Directory) owner() (Owner, error) {
	o, err := ReadOwner(d.o.Dir)
	if err == nil && o.Brain != d.o.Brain {
		err = brain.Errorf(brain.ErrBusy,
			fmt.Sprintf("use `--brain %s`, or name another directory with %s", o.Brain, d.nameAnother()),
			"the notes in %s belong to the brain %q, not to %q", d.o.Dir, o.Brain, d.o.Brain)
	}
	return o, err
}

// nameAnother returns the command that gives the brain another notes directory.
func (d *Directory) nameAnother() string {
	return "`brainbridge --brain " + d.o.Brain + " init --notes DIR`"
}

// claimWithoutFile claims a directory that has no owner file.
func (d *Directory) claimWithoutFile(ctx context.Context) (string, error) {
	knownID, err := d.brain.Ingest.NotesDirAt(ctx, d.o.Host, d.o.Dir)
	if err != nil {
		return "", err
	}
	if knownID != "" {
		if err := d.checkNotesExist(ctx, knownID); err != nil {
			return "", err
		}
	}
	if info, err := os.Stat(d.o.Dir); err != nil || !info.IsDir() {
		return "", brain.Errorf(brain.ErrNotFound, "make it, or name the one with your notes: "+d.nameAnother(),
			"the notes directory %s does not exist", d.o.Dir)
	}
	id := cmp.Or(knownID, d.newID)
	if d.o.Dry {
		return id, nil
	}
	if knownID != "" {
		d.warn("%s is missing from %s; writing it again", OwnerFile, d.o.Dir)
	}
	raw, err := Owner{Brain: d.o.Brain, ID: id, Created: d.brain.Base.Now()}.Text()
	if err != nil {
		return "", err
	}
	err = durable.WriteNewFile(filepath.Join(d.o.Dir, OwnerFile), raw)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("write the owner of the notes: %w", err)
	}
	owner, err := d.owner() // another process may have been faster
	if err != nil {
		return "", err
	}
	return owner.ID, d.rememberPlace(ctx, owner.ID)
}

// checkNotesExist returns an error if all known notes are gone, and not only the owner file.
func (d *Directory) checkNotesExist(ctx context.Context, id string) error {
	states, err := d.brain.Ingest.NoteStates(ctx, id)
	if err != nil || len(states) == 0 {
		return err
	}
	for file := range states {
		if _, err := os.Stat(filepath.Join(d.o.Dir, filepath.FromSlash(file))); err == nil {
			return nil
		}
	}
	return brain.Errorf(brain.ErrNotFound,
		"mount or restore the directory; if you deleted the notes on purpose, create it with at least one of them",
		"none of the known notes in %s exists any more, and %s is missing; nothing was changed", d.o.Dir, OwnerFile)
}

// rememberPlace records the path of the directory, so that its loss is noticed. A
// directory copied from another machine already has an owner file.
func (d *Directory) rememberPlace(ctx context.Context, id string) error {
	knownID, err := d.brain.Ingest.NotesDirAt(ctx, d.o.Host, d.o.Dir)
	if err != nil || id == knownID {
		return err
	}
	return d.brain.Ingest.PutNotesPlace(ctx, ingest.NotesPlace{Dir: id, Host: d.o.Host, Path: d.o.Dir})
}
