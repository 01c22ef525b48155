// Package backups keeps data outside of the store, in files that other programs can
// read: backups of a whole brain with the files around it, archives of forgotten
// memories (JSON) and of the old journal (compressed JSON Lines).
//
// Everything is read back from the disk before it is acknowledged. A file that cannot
// be read is renamed and kept, never overwritten.
package backups

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"filippo.io/age"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/services"
)

// The prefixes of the names of backups; the time follows, in UTC.
const (
	createdPrefix  = "brain-"
	replacedPrefix = "broken-" // of the state that a restore replaced
	nameTime       = "20060102_150405"
)

// Content is a file or a folder outside the graph that belongs to a brain.
type Content struct {
	Name string // in the backup, without slashes
	Path string // if it does not exist, it is left out of the backup
	// Text, if not nil, converts a file for the backup.
	Text func(held []byte) []byte
	// Once says that a restore does not overwrite it.
	Once bool
}

// Options of a backup.
type Options struct {
	Brain    *services.Services
	Dir      string // of the backups; created if missing
	Contents []Content
	// Version and Executable of the program, for the manifest and the script.
	Version, Executable string
	// Reason says what the backup is for; may be empty. If Keep is above 0, only the newest
	// Keep backups with this reason are kept, and with KeepFirst the first. Others are removed once the
	// new one is verified.
	Reason    string
	Keep      int
	KeepFirst bool
	// Recipients encrypt the backup, if there are any. Until then it is plain in the folder
	// Scratch, which is made if missing.
	Recipients []age.Recipient
	Scratch    string
	broken     bool // it saves the state that a restore replaces
	// Warn receives what was left out.
	Warn func(message string)
	// Progress receives the progress of a step; a total of 0 is unknown. May be nil.
	Progress func(step string, done, total int)
}

// Backup is an existing backup.
type Backup struct {
	Path     string    `json:"path"`
	Created  time.Time `json:"created"`
	Files    int       `json:"files"`    // beside the manifest
	Memories int       `json:"memories"` // of all tiers
	Bytes    int64     `json:"bytes"`    // of all files

	Encrypted bool `json:"encrypted"`

	Archived int `json:"-"` // of the memories, those that are archived or superseded

	Reason  string    `json:"-"`
	State   string    `json:"-"` // the version of the store before it was read; "" in older backups
	Brain   string    `json:"-"`
	LeftOut []LeftOut `json:"-"`
}

// Unreadable returns the nodes and relations that are not in the backup because the store
// cannot read them.
func (b Backup) Unreadable() []LeftOut {
	return slices.DeleteFunc(slices.Clone(b.LeftOut), func(l LeftOut) bool { return l.Kind == "" })
}

// Create creates a backup and returns it once it is durable and verified. Until then it is
// in a hidden folder, which the next call removes after a crash. What cannot be read is left
// out, with a warning. On Neo4j the caller holds
// the lease of maintenance. A folder that cannot be written to is [brain.ErrInvalid].
func Create(ctx context.Context, o Options) (Backup, error) {
	var made Backup
	var pruned error
	locked := folderLock(o.Dir).Do
	if len(o.Recipients) > 0 && o.Scratch != o.Dir {
		locked = func(ctx context.Context, do func() error) error {
			return folderLock(o.Scratch).Do(ctx, func() error {
				removeLeftovers(o.Scratch)
				return folderLock(o.Dir).Do(ctx, do)
			})
		}
	}
	err := locked(ctx, func() (err error) {
		removeLeftovers(o.Dir)
		if made, err = create(ctx, o); err == nil && o.Reason != "" && o.Keep > 0 {
			pruned = pruneReason(o)
		}
		return err
	})
	var path *fs.PathError
	var link *os.LinkError
	if ctx.Err() == nil && (errors.As(err, &path) || errors.As(err, &link)) {
		err = brain.Errorf(brain.ErrInvalid, "free space there, or name another folder with --to or backup.dir",
			"the backup cannot be written to %s: %v", o.Dir, err)
	}
	return made, cmp.Or(err, pruned)
}

func create(ctx context.Context, o Options) (Backup, error) {
	temp, err := os.MkdirTemp(o.Dir, unfinished+"*")
	if err != nil {
		return Backup{}, err
	}
	defer func() { _ = os.RemoveAll(temp) }() // it was renamed, unless there was an error
	write := writeBackup
	if len(o.Recipients) > 0 {
		write = writeEncrypted
	}
	made, err := write(ctx, temp, o)
	if err != nil {
		return Backup{}, err
	}
	name := createdPrefix
	if o.broken {
		name = replacedPrefix
	}
	name = filepath.Join(o.Dir, name+made.Created.UTC().Format(nameTime))
	made.Path, err = durable.RenameToFree(temp, func(n int) string {
		if n > 1 {
			return fmt.Sprintf("%s-%d", name, n)
		}
		return name
	})
	return made, err
}

const unfinished = ".unfinished-"

// removeLeftovers removes unfinished backups of crashed processes, under the lock.
func removeLeftovers(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // the backup will fail with it
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), unfinished) {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}

// pruneReason removes the backups with the reason that are not kept.
func pruneReason(o Options) error {
	found, err := List(o.Dir, o.Warn)
	if err != nil {
		return err
	}
	found = slices.DeleteFunc(found, func(b Backup) bool { return b.Reason != o.Reason || b.Brain != o.Brain.Base.Store.Info().Brain })
	if o.KeepFirst && len(found) > 0 {
		found = found[:len(found)-1]
	}
	for _, b := range found[min(o.Keep, len(found)):] {
		if err := remove(b.Path); err != nil {
			return err
		}
	}
	return nil
}

// meter counts what a step has done. As a writer it counts bytes.
type meter func(n int)

// step returns the meter of a step; a total of 0 is unknown.
func (o Options) step(name string, total int) meter {
	done := 0
	return func(n int) {
		if done += n; o.Progress != nil {
			o.Progress(name, done, total)
		}
	}
}

func (m meter) Write(p []byte) (int, error) {
	m(len(p))
	return len(p), nil
}

func unmetered(int) {}
