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

// Text returns the content of the file.
func (o Owner) Text() ([]byte, error) {
	raw, err := json.MarshalIndent(o, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", OwnerFile, err)
	}
	return append(raw, '\n'), nil
}

// ReadOwner reads the owner file of a directory. Without one the error is
// fs.ErrNotExist; a damaged one is [brain.ErrInvalid].
func ReadOwner(dir string) (Owner, error) {
	path := filepath.Join(dir, OwnerFile)
	raw, err := os.ReadFile(path)
	if err != nil {
		return Owner{}, fmt.Errorf("read the owner of the notes: %w", err)
	}
	var o Owner
	if err := json.Unmarshal(raw, &o); err != nil || o.Brain == "" || uuid.Validate(o.ID) != nil {
		return Owner{}, brain.Errorf(brain.ErrInvalid,
			"restore it from a backup, or remove it: then the directory counts as a new one",
			"%s is damaged and does not say which brain these notes belong to", path)
	}
	return o, nil
}

// Claim makes sure that the directory belongs to this brain and returns its id.
// The first time it writes the owner file; a lost one is written again. Another
// brain's directory is [brain.ErrBusy], a damaged owner file [brain.ErrInvalid]. A
// missing directory is [brain.ErrNotFound], and so is one that was known before
// and has neither owner file nor any known note, as when a disk is not mounted.
func (d *Directory) Claim(ctx context.Context) (dirID string, err error) {
	owner, err := d.owner()
	if errors.Is(err, fs.ErrNotExist) {
		return d.claimNew(ctx)
	}
	return owner.ID, err
}

// ClaimOrMake is Claim, and makes the directory if it was never known.
func (d *Directory) ClaimOrMake(ctx context.Context) (dirID string, err error) {
	if _, err := os.Stat(d.o.Dir); !errors.Is(err, fs.ErrNotExist) {
		return d.Claim(ctx)
	}
	before, err := d.brain.Ingest.NotesDirAt(ctx, d.o.Host, d.o.Dir)
	if err != nil {
		return "", err
	}
	if before == "" {
		if err := os.MkdirAll(d.o.Dir, 0o755); err != nil { // the notes are the person's own, as in `serve`
			return "", fmt.Errorf("make the notes directory: %w", err)
		}
	}
	return d.Claim(ctx) // it reports a directory that disappeared
}

// OwnerID returns the id of the directory, "" if it was never claimed. It writes
// nothing; another brain's directory is [brain.ErrBusy].
func (d *Directory) OwnerID(ctx context.Context) (dirID string, err error) {
	owner, err := d.owner()
	if errors.Is(err, fs.ErrNotExist) {
		return d.brain.Ingest.NotesDirAt(ctx, d.o.Host, d.o.Dir)
	}
	return owner.ID, err
}

// owner reads the owner file and refuses that of another brain.
func (d *Directory) owner() (Owner, error) {
	o, err := ReadOwner(d.o.Dir)
	if err == nil && o.Brain != d.o.Brain {
		err = brain.Errorf(brain.ErrBusy,
			fmt.Sprintf("use `--brain %s`, or set notes.dir to another directory", o.Brain),
			"the notes in %s belong to the brain %q, not to %q", d.o.Dir, o.Brain, d.o.Brain)
	}
	return o, err
}

// claimNew claims a directory without an owner file.
func (d *Directory) claimNew(ctx context.Context) (string, error) {
	before, err := d.brain.Ingest.NotesDirAt(ctx, d.o.Host, d.o.Dir)
	if err != nil {
		return "", err
	}
	if before != "" {
		if err := d.checkNotesExist(ctx, before); err != nil {
			return "", err
		}
	}
	if info, err := os.Stat(d.o.Dir); err != nil || !info.IsDir() {
		return "", brain.Errorf(brain.ErrNotFound, "make it, or set notes.dir to where your notes are",
			"the notes directory %s does not exist", d.o.Dir)
	}
	id := cmp.Or(before, d.newID)
	if d.o.Dry {
		return id, nil
	}
	if before != "" {
		d.warn("%s was lost from %s and is written again", OwnerFile, d.o.Dir)
	}
	raw, err := Owner{Brain: d.o.Brain, ID: id, Created: brain.Instant(d.o.Now())}.Text()
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

// checkNotesExist refuses a directory of which no known note exists any more: the
// directory was lost, and not only its owner file.
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
		"mount or restore the directory; if the notes are meant to be gone, make it with any one of them",
		"the notes in %s existed before and do not now, and neither does %s; nothing was changed", d.o.Dir, OwnerFile)
}

// rememberPlace stores where the directory is, so that its loss is noticed. Another
// machine, or a copy, may have brought it with its owner file.
func (d *Directory) rememberPlace(ctx context.Context, id string) error {
	before, err := d.brain.Ingest.NotesDirAt(ctx, d.o.Host, d.o.Dir)
	if err != nil || id == before {
		return err
	}
	return d.brain.Ingest.PutNotesPlace(ctx, ingest.NotesPlace{Dir: id, Host: d.o.Host, Path: d.o.Dir})
}
