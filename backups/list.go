package backups

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// List returns the backups in a folder, newest first, with those that restores made.
// One whose manifest cannot be read is left out, with a warning; warn may be nil. A
// missing folder has none.
func List(dir string, warn func(message string)) ([]Backup, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the backups in %s: %w", dir, err)
	}
	var found []Backup
	for _, e := range entries {
		if !e.IsDir() || !named(e.Name()) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		m, err := readManifest(path)
		if err != nil {
			if warn != nil {
				warn(err.Error())
			}
			continue
		}
		found = append(found, m.backup(path))
	}
	slices.SortStableFunc(found, func(a, b Backup) int {
		return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(len(b.Path), len(a.Path)), cmp.Compare(b.Path, a.Path))
	})
	return found, nil
}

// named reports whether a folder has the name of a backup.
func named(name string) bool {
	return strings.HasPrefix(name, Made+"-") || strings.HasPrefix(name, Broken+"-")
}

// NewestName names the newest backup in [Resolve].
const NewestName = "newest"

// Resolve returns the path of a backup: name is a path, the name of a backup in the
// folder, or "newest", which ignores those that restores made. Without one the error
// is [brain.ErrNotFound].
func Resolve(dir, name string) (string, error) {
	if name == NewestName {
		return newest(dir)
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return "", fmt.Errorf("find the backup %s: %w", name, err)
	}
	for _, p := range []string{path, filepath.Join(dir, name)} {
		if _, err := os.Stat(p); err == nil {
			return p, nil
		}
	}
	return "", brain.Errorf(brain.ErrNotFound, "`brainbridge backup list` shows those in "+dir, "there is no backup %s", name)
}

func newest(dir string) (string, error) {
	found, err := List(dir, nil)
	if err != nil {
		return "", err
	}
	for _, b := range found {
		if strings.HasPrefix(filepath.Base(b.Path), Made+"-") {
			return b.Path, nil
		}
	}
	return "", brain.Errorf(brain.ErrNotFound, "`brainbridge backup create` makes one", "there is no backup in %s yet", dir)
}
