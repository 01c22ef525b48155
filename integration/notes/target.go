package notes

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

// lockWait is how long to wait for another process that appends to a note.
const lockWait = 30 * time.Second

// lock keeps other processes from appending. It locks the owner file, which never
// changes, so no separate lock file is needed.
func (d *Directory) lock() durable.Lock {
	busy := brain.Busy("another process is writing to the notes in %s", d.o.Dir)
	return durable.Lock{Path: filepath.Join(d.o.Dir, OwnerFile), Wait: lockWait, Busy: busy}
}

// target reads the note that is appended to. A note that a sync would skip is
// refused, because nobody would find the outcome in it.
func (d *Directory) target(path string) (durable.Snapshot, error) {
	full := filepath.Join(d.o.Dir, path)
	t, err := durable.ReadSnapshot(full)
	bad := d.checkText(path, t.Text)
	if err != nil {
		bad = unreadable(path, err)
	}
	if bad != nil {
		return t, brain.Errorf(brain.ErrInvalid, "repair the file, then capture again", "today's note %s %s", path, bad.Message)
	}
	root, err := filepath.EvalSymlinks(d.o.Dir)
	if err != nil {
		return t, fmt.Errorf("find the notes directory: %w", err)
	}
	if t.Target != full && !strings.HasPrefix(t.Target, root+string(filepath.Separator)) {
		return t, brain.Errorf(brain.ErrInvalid, "move the file into the directory", "%s is a link out of the notes directory", path)
	}
	return t, nil
}
