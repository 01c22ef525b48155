package agents

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

// BackupSuffix is the suffix of the backup of a settings file without our entries.
const BackupSuffix = ".brainbridge.bak"

// Change is a change of one file.
type Change struct {
	Path       string `json:"path"`
	What       string `json:"what"`
	before     []byte
	after      []byte      // nil: the file is removed
	mode       fs.FileMode // of a new file
	backup     []byte      // the copy to write of a file that belongs to a person, nil for none
	dropBackup bool
	// top is a folder that stays, unlike those below it that a removal leaves empty.
	top string
}

// apply applies the plan file by file. A file that has changed since is [brain.ErrConflict];
// it and those after it are not changed.
func (p Plan) apply() error {
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
		return brain.Errorf(brain.ErrConflict, "try again", "another program changed it meanwhile")
	}
	if c.after == nil {
		return c.remove()
	}
	if err := durable.MakeDir(filepath.Dir(c.Path), 0o755); err != nil {
		return err
	}
	if c.backup != nil {
		if err := durable.WriteFile(c.Path+BackupSuffix, c.backup, durable.Options{}); err != nil {
			return fmt.Errorf("keep a backup: %w", err)
		}
	}
	if err := durable.WriteFile(c.Path, c.after, durable.Options{Mode: c.mode, KeepMode: true}); err != nil || !c.dropBackup {
		return err
	}
	return removeFile(c.Path + BackupSuffix)
}

func (c Change) remove() error {
	err := removeFile(c.Path)
	if err == nil && c.dropBackup {
		err = removeFile(c.Path + BackupSuffix)
	}
	if err != nil {
		return err
	}
	for dir := filepath.Dir(c.Path); strings.HasPrefix(dir, c.top+string(filepath.Separator)); dir = filepath.Dir(dir) {
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() || os.Remove(dir) != nil { // a link, or it has other files
			break
		}
	}
	return nil
}

func removeFile(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
