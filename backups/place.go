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

// restoreFile puts a file of the backup where it belongs, if it belongs
// anywhere and is not there as it is. What is there has to be what was saved of
// the present state: a note that got an outcome since is nowhere else.
func (o RestoreOptions) restoreFile(name string, f file, saved manifest) error {
	c, rel, ok := o.belongs(name)
	if !ok {
		return nil
	}
	target := c.Path
	if rel != "" {
		target = filepath.Join(c.Path, filepath.FromSlash(rel))
		if err := makeInside(c.Path, filepath.Dir(target)); err != nil {
			return o.inTheWay(name, err)
		}
	} else if err := durable.MakeDir(filepath.Dir(target), durable.PrivateDir); err != nil {
		return err
	}
	if err := free(target, rel != ""); err != nil {
		return o.inTheWay(name, err)
	}
	if _, err := os.Stat(target); err == nil && c.Once {
		return nil
	}
	if text, ok := o.Instead[name]; ok {
		return durable.WriteFile(target, text, durable.Options{Mode: f.Mode})
	}
	if checkFile(target, f, meter{}) == nil {
		return nil
	}
	if saved.changed(name, target) {
		return o.inTheWay(name, fmt.Errorf("%w: %s was written since the restore began", errInTheWay, target))
	}
	return copyInto(filepath.Join(o.Path, filepath.FromSlash(name)), target, f)
}

// belongs finds the content that a file of the backup is part of, and its path
// in it, "" for one that is a file itself.
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

// errInTheWay is what a restore leaves alone: a link, which may lead anywhere,
// a folder where a file was, or what was written since the restore began.
var errInTheWay = errors.New("what is there now is in the way")

// changed reports whether a file is there and is not what the backup holds. One
// that could not be read knows nothing.
func (m manifest) changed(name, target string) bool {
	if _, err := os.Lstat(target); err != nil || m.Files == nil {
		return false
	}
	was, known := m.Files[name]
	return !known || checkFile(target, was, meter{}) != nil
}

// inTheWay tells of a file that is not restored.
func (o RestoreOptions) inTheWay(name string, err error) error {
	if !errors.Is(err, errInTheWay) {
		return err
	}
	if o.Warn != nil {
		o.Warn(fmt.Sprintf("%s was not restored: %v", name, err))
	}
	return nil
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
		return fmt.Errorf("%w: %s is no folder", errInTheWay, dir)
	}
	return nil
}

// free reports whether a file may be written there: nothing is in its place,
// or a file is.
func free(target string, inFolder bool) error {
	info, err := os.Lstat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir(), inFolder && !info.Mode().IsRegular():
		return fmt.Errorf("%w: %s is no file", errInTheWay, target)
	}
	return nil
}

// copyInto replaces a file by one of the backup, with its permissions and the
// instant at which it was last changed.
func copyInto(from, target string, f file) error {
	in, err := openFile(from, f, meter{})
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // it was only read
	out, err := durable.Create(target, durable.Options{Mode: f.Mode | 0o200})
	if err != nil {
		return err
	}
	defer out.Discard()
	if _, err := io.Copy(out, struct{ io.Reader }{in}); err != nil {
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
