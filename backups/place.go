package backups

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/brainbridge/brainbridge/brain/durable"
)

// restoreFile restores a file of the backup, if it belongs anywhere and differs. A
// file that changed since the present state was saved is left alone: its content is
// nowhere else.
func (o RestoreOptions) restoreFile(name string, f file, saved manifest) error {
	c, rel, ok := o.belongs(name)
	if !ok {
		return nil
	}
	target := c.Path
	if rel != "" {
		target = filepath.Join(c.Path, filepath.FromSlash(rel))
		if err := makeInside(c.Path, filepath.Dir(target)); err != nil {
			return err
		}
	} else if err := durable.MakeDir(filepath.Dir(target), durable.PrivateDir); err != nil {
		return err
	}
	if err := free(target, rel != ""); err != nil {
		return err
	}
	if _, err := os.Stat(target); err == nil && c.Once {
		return nil
	}
	if text, ok := o.Instead[name]; ok {
		return durable.WriteFile(target, text, durable.Options{Mode: f.Mode})
	}
	if checkFile(target, f, unmetered) == nil {
		return nil
	}
	if saved.changed(name, target) {
		return fmt.Errorf("%w: %s was written since the restore began", errInTheWay, target)
	}
	return copyInto(filepath.Join(o.Path, filepath.FromSlash(name)), target, f)
}

// belongs returns the content that a file of the backup is part of, and its path in
// that folder, "" if the content is the file itself.
func (o RestoreOptions) belongs(name string) (c Content, rel string, ok bool) {
	for _, c := range o.Contents {
		if name == c.Name {
			return c, "", true
		}
		if rel, ok := strings.CutPrefix(name, c.Name+"/"); ok {
			return c, rel, true
		}
	}
	return c, "", false
}

// errInTheWay is about a file that a restore leaves alone: a link, which may point
// anywhere, a folder in place of a file, or a file that changed since the restore
// began.
var errInTheWay = errors.New("a file or folder is in the way")

// changed reports whether a file exists and differs from the one in the backup. A
// manifest that could not be read has no files.
func (m manifest) changed(name, target string) bool {
	if _, err := os.Lstat(target); err != nil || m.Files == nil {
		return false
	}
	was, known := m.Files[name]
	return !known || checkFile(target, was, unmetered) != nil
}

// makeInside makes a folder below root without following links out of it.
func makeInside(root, dir string) error {
	if dir == root || len(dir) < len(root) {
		return durable.MakeDir(root, 0o755) // the notes are the person's own
	}
	if err := makeInside(root, filepath.Dir(dir)); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return durable.MakeDir(dir, 0o755)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%w: %s is not a folder", errInTheWay, dir)
	}
	return nil
}

// free returns an error unless a file may be written to a path.
func free(target string, inFolder bool) error {
	info, err := os.Lstat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir(), inFolder && !info.Mode().IsRegular():
		return fmt.Errorf("%w: %s is not a file", errInTheWay, target)
	}
	return nil
}

// copyInto replaces a file by one of the backup, with its permissions and time.
func copyInto(from, target string, f file) error {
	in, err := openFile(from, f, unmetered)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // only read
	out, err := durable.Create(target, durable.Options{Mode: f.Mode | 0o200})
	if err != nil {
		return err
	}
	defer out.Discard()
	if _, err := io.Copy(out, in); err != nil {
		return err
	}
	if err := in.check(); err != nil {
		return err
	}
	if err := out.Replace(); err != nil {
		return err
	}
	return os.Chtimes(target, f.Modified, f.Modified)
}
