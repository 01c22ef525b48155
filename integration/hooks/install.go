package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

// The scopes of an installation.
const (
	UserScope    = "user"
	ProjectScope = "project"
)

// Setup says where an agent is to be set up, and with what.
type Setup struct {
	Agent   string
	Scope   string
	Home    string              // of the user
	Project string              // folder of the project
	Env     func(string) string // for the agents' own variables
	Program string              // how the agent starts this program
	Flags   []string            // and with what flags, each a word: --brain=work
	// Has reports whether this version has a command: what needs another one is
	// left out.
	Has func(command string) bool
}

// Change is what an installation does to one file.
type Change struct {
	Path   string
	What   string
	before []byte
	after  []byte // nil: the file goes
	backup bool   // the file belongs to a person
}

// Plan is what an installation, or the end of one, does.
type Plan struct {
	Changes []Change
	Notes   []string // what a person should know
}

// BackupSuffix ends the name of the copy of a settings file as it was before
// the last change.
const BackupSuffix = ".brainbridge.bak"

// Apply carries the plan out, file by file, each whole or not at all. A file that
// changed since the plan was made is [brain.ErrConflict], and the rest is left
// alone.
func (p Plan) Apply() error {
	for _, c := range p.Changes {
		if err := c.apply(); err != nil {
			return fmt.Errorf("change %s: %w", c.Path, err)
		}
	}
	return nil
}

func (c Change) apply() error {
	now, err := durable.ReadFile(c.Path)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, c.before) {
		return brain.Errorf(brain.ErrConflict, "try again", "somebody else changed it meanwhile")
	}
	if c.after == nil {
		return c.remove()
	}
	if err := durable.MakeDir(filepath.Dir(c.Path), 0o755); err != nil {
		return err
	}
	if c.backup && c.before != nil {
		if err := durable.WriteFile(c.Path+BackupSuffix, c.before, durable.Options{}); err != nil {
			return fmt.Errorf("keep a backup: %w", err)
		}
	}
	mode := fs.FileMode(0o644)
	if c.backup {
		mode = durable.PrivateFile // settings may come to hold keys
	}
	return durable.WriteFile(c.Path, c.after, durable.Options{Mode: mode, KeepMode: true})
}

// remove takes a file of ours away, and its folder where that is a skill's and
// empty now.
func (c Change) remove() error {
	if err := os.Remove(c.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if filepath.Base(c.Path) == skillFile {
		_ = os.Remove(filepath.Dir(c.Path)) // fails while somebody else's files are in it
	}
	return nil
}

// Install plans what sets an agent up. It changes nothing; done twice, the
// second plan is empty.
func Install(s Setup) (Plan, error) { return s.plan(true) }

// Uninstall plans what takes an installation back: what is ours in settings,
// and the files that are as we wrote them.
func Uninstall(s Setup) (Plan, error) { return s.plan(false) }

func (s Setup) plan(install bool) (Plan, error) {
	l, err := s.layout()
	if err != nil {
		return Plan{}, err
	}
	var p Plan
	for _, f := range l.settings {
		if err := p.settings(f, install); err != nil {
			return Plan{}, err
		}
	}
	for _, f := range l.files {
		if err := p.file(f, install); err != nil {
			return Plan{}, err
		}
	}
	return p, nil
}

// settingsFile is a file of a person in which something is ours.
type settingsFile struct {
	path  string
	what  string
	apply func(data []byte, install bool) (after []byte, notes []string, err error)
}

// settings plans the change of one settings file.
func (p *Plan) settings(f settingsFile, install bool) error {
	before, err := durable.ReadFile(f.path)
	if err != nil {
		return fmt.Errorf("read %s: %w", f.path, err)
	}
	if len(before) == 0 && !install {
		return nil
	}
	after, notes, err := f.apply(before, install)
	if err == nil && !install && !bytes.Equal(before, after) {
		after, err = f.asItWas(after)
	}
	if err != nil {
		return brain.Errorf(brain.ErrInvalid, "put the file right, then try again; nothing was changed", "%s: %v", f.path, err)
	}
	p.Notes = append(p.Notes, notes...)
	if bytes.Equal(before, after) {
		return nil
	}
	if info, err := os.Stat(f.path); err == nil && info.Mode().Perm()&0o200 == 0 {
		return brain.Errorf(brain.ErrInvalid, "make it writable, then try again; nothing was changed", "%s is read-only", f.path)
	}
	if err := linked(f.path); err != nil {
		return err
	}
	p.Changes = append(p.Changes, Change{Path: f.path, What: f.what, before: before, after: after, backup: true})
	return nil
}

// asItWas is what a file without what is ours was before an installation, byte
// for byte: the backup, where it differs only by what was empty and had to be
// filled. It is nil where the file was not there and nothing else is in it now.
func (f settingsFile) asItWas(without []byte) ([]byte, error) {
	was, err := durable.ReadFile(f.path + BackupSuffix)
	if err != nil {
		return nil, fmt.Errorf("read the backup: %w", err)
	}
	bare, _, err := f.apply(was, false)
	if len(was) > 0 && (err != nil || !bytes.Equal(bare, was)) {
		return without, nil // the backup is broken, or of an earlier installation
	}
	full, _, err := f.apply(was, true)
	if err == nil {
		full, _, err = f.apply(full, false)
	}
	if err != nil || !bytes.Equal(full, without) {
		return without, nil // the file changed since
	}
	if info, err := os.Lstat(f.path); was == nil && err == nil && !info.Mode().IsRegular() {
		return without, nil // a link stays one
	}
	return was, nil
}

// linked refuses a link into a folder that is not there, as on a disk that is
// away: nobody asked for the folder.
func linked(path string) error {
	target, err := durable.Target(path)
	if err != nil {
		return fmt.Errorf("follow %s: %w", path, err)
	}
	if _, err := os.Stat(filepath.Dir(target)); target != path && errors.Is(err, fs.ErrNotExist) {
		return brain.Errorf(brain.ErrInvalid, "make the folder or take the link away, then try again; nothing was changed", "%s is a link to %s, whose folder is not there", path, target)
	}
	return nil
}
