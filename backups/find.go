package backups

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// Find returns the newest entry of a memory. Without one the error is
// [brain.ErrNotFound], and names the files that could not be read. Of a file that
// was set aside as unreadable the entries before the damage are found, after those
// of all other files.
func (a *Archive) Find(ctx context.Context, id string) (brain.Forgotten, error) {
	names, err := a.forgottenFiles()
	if err != nil {
		return brain.Forgotten{}, fmt.Errorf("find %s in the archive: %w", id, err)
	}
	var damage []error
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return brain.Forgotten{}, fmt.Errorf("find %s in the archive: %w", id, err)
		}
		found, err := findIn(filepath.Join(a.dir, name), id)
		if found != nil {
			return *found, nil
		}
		if err != nil {
			damage = append(damage, fmt.Errorf("%s: %w", name, err))
		}
	}
	err = errors.Join(append([]error{brain.ErrNotFound}, damage...)...)
	return brain.Forgotten{}, fmt.Errorf("find %s in the archive %s: %w", id, a.dir, err)
}

// forgottenFiles returns the names of the archives of forgotten memories, newest
// first, those that were set aside last.
func (a *Archive) forgottenFiles() ([]string, error) {
	entries, err := os.ReadDir(a.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var whole, aside []string
	for _, e := range slices.Backward(entries) {
		switch name := e.Name(); {
		case strings.HasPrefix(name, "."):
		case strings.HasSuffix(name, forgottenSuffix):
			whole = append(whole, name)
		case strings.Contains(name, "-forgotten"+unreadableMarker) && strings.HasSuffix(name, ".json"):
			aside = append(aside, name)
		}
	}
	return append(whole, aside...), err
}

// findIn returns the last entry of a memory in a file, nil if there is none. With an
// error, a part of the file could not be read.
func findIn(path, id string) (*brain.Forgotten, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(content))
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return nil, errors.New("it is not a JSON array")
	}
	var found *brain.Forgotten
	var unread error
	for d.More() {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return found, fmt.Errorf("read it to the end: %w", err)
		}
		if !bytes.Contains(raw, []byte(id)) { // saves decoding every entry of every year
			continue
		}
		var entry brain.Forgotten
		if err := json.Unmarshal(raw, &entry); err != nil {
			unread = fmt.Errorf("read an entry that names %s: %w", id, err)
		} else if entry.Memory.ID == id {
			found = &entry
		}
	}
	return found, unread
}
