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
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// Archive is a folder with forgotten memories and the journal of old runs. It is safe for
// concurrent use, also by several values and processes.
type Archive struct {
	dir  string
	warn func(message string)
}

var _ brain.Archive = (*Archive)(nil)

// NewArchive returns the archive in a folder, which is created with the first entry. warn
// is called if an unreadable file is set aside.
func NewArchive(dir string, warn func(message string)) *Archive { return &Archive{dir, warn} }

// Append adds memories to the archive of a day (in UTC), YYYY-MM-DD-forgotten.json, an
// indented JSON array. Entries in the file are kept byte for byte. The file is replaced
// atomically, then read back and compared before Append returns nil. A file that is not a
// JSON array is first renamed to YYYY-MM-DD-forgotten-unreadable-N.json. A day that fills
// a file goes on in YYYY-MM-DD-forgotten_002.json and so on.
func (a *Archive) Append(ctx context.Context, day time.Time, forgotten []brain.Forgotten) (string, error) {
	path := filepath.Join(a.dir, day.UTC().Format(time.DateOnly)+forgottenSuffix)
	for part := 2; isFull(path); part++ {
		path = filepath.Join(a.dir, fmt.Sprintf("%s%s%03d.json", day.UTC().Format(time.DateOnly), forgottenPart, part))
	}
	if len(forgotten) == 0 {
		return path, nil
	}
	entries, err := encodeEntries(forgotten)
	if err != nil {
		return "", fmt.Errorf("archive forgotten memories: %w", err)
	}
	extended := func(old []byte) []byte { return extend(old, entries) }
	if err := a.replace(ctx, path, isArray, extended); err != nil {
		return "", fmt.Errorf("archive forgotten memories in %s: %w", path, err)
	}
	return path, nil
}

// fullFile is the size from which nothing is added to a file with forgotten memories, because
// each addition writes and reads the whole file.
const fullFile = 4 << 20

func isFull(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Size() >= fullFile
}

const (
	forgottenSuffix  = "-forgotten.json"
	forgottenPart    = "-forgotten_" // in the names of the files that follow it
	unreadableMarker = "-unreadable-"
)

// replace replaces a file of the archive by a longer one, under the lock of the folder, and
// reads it back. An unreadable file is set aside; old is then nil, as for a missing file.
func (a *Archive) replace(ctx context.Context, path string, readable func([]byte) bool, longer func(old []byte) []byte) error {
	busy := brain.Busy("another process is writing to the archive in %s", a.dir)
	lock := durable.Lock{Path: filepath.Join(a.dir, "archive.lock"), Wait: 30 * time.Second, Busy: busy}
	return lock.Do(ctx, func() error {
		old, err := durable.ReadFile(path)
		if err == nil && old != nil && !readable(old) {
			old, err = nil, a.setAside(path)
		}
		if err != nil {
			return err
		}
		whole := longer(old)
		if err := durable.WriteFile(path, whole, durable.Options{}); err != nil {
			return err
		}
		back, err := os.ReadFile(path)
		if err == nil && !bytes.Equal(back, whole) {
			err = errors.New("the file differs when it is read back; nothing was removed from the store; check the disk")
		}
		return err
	})
}

const (
	arrayBegin = "[\n  "
	arrayNext  = ",\n  "
	arrayEnd   = "\n]\n"
)

// encodeEntries returns entries as the inside of an array. It returns an error for text
// that is not UTF-8, because that would be read back differently.
func encodeEntries(forgotten []brain.Forgotten) ([]byte, error) {
	all := make([][]byte, len(forgotten))
	for i, f := range forgotten {
		var back brain.Forgotten
		entry, err := plaintext.JSON(f, "  ")
		if err == nil {
			err = json.Unmarshal(entry, &back)
		}
		if err != nil {
			return nil, fmt.Errorf("encode %s: %w", f.Memory.ID, err)
		}
		if again, err := plaintext.JSON(back, "  "); err != nil || !bytes.Equal(again, entry) {
			return nil, fmt.Errorf("%s is not the same when it is read back (is its text valid UTF-8?); nothing was forgotten", f.Memory.ID)
		}
		all[i] = bytes.ReplaceAll(bytes.TrimSpace(entry), []byte("\n"), []byte("\n  "))
	}
	return bytes.Join(all, []byte(arrayNext)), nil
}

func isArray(content []byte) bool {
	return bytes.HasPrefix(trim(content), []byte("[")) && json.Valid(content)
}

// trim removes the white space of JSON.
func trim(content []byte) []byte { return bytes.Trim(content, " \t\r\n") }

// extend adds entries to the end of an array, which may be nil.
func extend(old, entries []byte) []byte {
	held := trim(bytes.TrimSuffix(trim(old), []byte("]")))
	joint := arrayNext
	if len(held) <= len("[") {
		held, joint = nil, arrayBegin
	}
	whole := make([]byte, 0, len(held)+len(joint)+len(entries)+len(arrayEnd))
	whole = append(append(whole, held...), joint...)
	return append(append(whole, entries...), arrayEnd...)
}

func (a *Archive) setAside(path string) error {
	base, ext, _ := strings.Cut(filepath.Base(path), ".")
	aside, err := durable.RenameToFree(path, func(n int) string {
		return filepath.Join(filepath.Dir(path), fmt.Sprintf("%s%s%d.%s", base, unreadableMarker, n, ext))
	})
	if err == nil {
		a.warn(fmt.Sprintf("%s cannot be read; it was kept as %s and a new one begun", path, aside))
	}
	return err
}

// Find returns the newest entry of a memory. Without one the error is [brain.ErrNotFound],
// and names unreadable files. Those set aside are searched last, up to the damage.
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

// Check reads the whole archive. It returns what cannot be read, but for what was set aside.
func (a *Archive) Check(ctx context.Context) (wrong []error) {
	names, err := a.forgottenFiles()
	if err != nil {
		return []error{err}
	}
	for _, name := range names {
		if strings.Contains(name, unreadableMarker) {
			continue
		}
		content, err := os.ReadFile(filepath.Join(a.dir, name))
		if err == nil && !isArray(content) {
			err = fmt.Errorf("%s is not a JSON array", filepath.Join(a.dir, name))
		}
		if err != nil {
			wrong = append(wrong, err)
		}
	}
	for _, err := range a.JournalSince(ctx, time.Time{}) {
		if err != nil {
			wrong = append(wrong, err)
		}
	}
	return wrong
}

// forgottenFiles returns the names of the archives, newest first, those set aside last.
func (a *Archive) forgottenFiles() ([]string, error) {
	entries, err := os.ReadDir(a.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var whole, aside []string
	for _, e := range slices.Backward(entries) {
		switch name := e.Name(); {
		case strings.HasPrefix(name, "."):
		case !strings.Contains(name, "-forgotten") || !strings.HasSuffix(name, ".json"):
		case strings.Contains(name, unreadableMarker):
			aside = append(aside, name)
		case strings.HasSuffix(name, forgottenSuffix), strings.Contains(name, forgottenPart):
			whole = append(whole, name)
		}
	}
	return append(whole, aside...), err
}

// findIn returns the last entry of a memory in a file, nil if there is none. An error means
// that a part of the file could not be read.
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
		if !bytes.Contains(raw, []byte(id)) { // avoids decoding every entry of every file
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
