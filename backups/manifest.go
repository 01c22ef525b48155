package backups

import (
	"cmp"
	"context"
	"crypto/sha256"
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

const (
	manifestFile = "manifest.json"
	manifestSum  = "manifest.sha256" // as sha256sum writes it
	graphFile    = "graph.jsonl.zst"
	scriptFile   = "restore-from-this-backup.sh"
)

// format is the version of backups that this program writes, and the newest that it reads.
const format = 1

type manifest struct {
	Format  int       `json:"format"`
	Program string    `json:"program"` // the version that made it
	Brain   string    `json:"brain"`
	Store   string    `json:"store"` // its kind; a backup can be restored into any
	Created time.Time `json:"created"`
	Reason  string    `json:"reason,omitempty"`
	// State is the version of the store before the graph was read, see [brain.Store].
	State  string `json:"state,omitempty"`
	Counts counts `json:"counts"`
	// Files maps slash-separated paths to files, without the manifest and its checksum.
	Files   map[string]file `json:"files"`
	LeftOut []LeftOut       `json:"leftOut,omitempty"`
}

// file is a file of a backup, with the attributes that a restore sets.
type file struct {
	SHA256   string      `json:"sha256"`
	Bytes    int64       `json:"bytes"`
	Mode     fs.FileMode `json:"mode"` // the permissions, as a number
	Modified time.Time   `json:"modified"`
}

// LeftOut is a file, or a node or relation of the graph, that could not be backed up.
type LeftOut struct {
	File string `json:"file,omitempty"`
	// Kind and ID are those of [brain.Unreadable].
	Kind string `json:"kind,omitempty"`
	ID   string `json:"id,omitempty"`
	Why  string `json:"why"`
}

// String names it for people.
func (l LeftOut) String() string {
	if l.Kind == "" {
		return l.File
	}
	return brain.Unreadable{Kind: l.Kind, ID: l.ID}.Name()
}

func (m manifest) backup(path string) Backup {
	b := Backup{
		Path: path, Created: m.Created, Files: len(m.Files), Memories: m.Counts.Memories, Archived: m.Counts.Archived,
		Reason: m.Reason, State: m.State, Brain: m.Brain, LeftOut: m.LeftOut, Encrypted: m.encrypted(),
	}
	for _, f := range m.Files {
		b.Bytes += f.Bytes
	}
	return b
}

func (m manifest) write(dir string) error {
	raw, err := plaintext.JSON(m, "  ")
	if err != nil {
		return fmt.Errorf("encode the manifest: %w", err)
	}
	if err := durable.WriteNewFile(filepath.Join(dir, manifestFile), raw); err != nil {
		return err
	}
	return durable.WriteNewFile(filepath.Join(dir, manifestSum), fmt.Appendf(nil, "%x  %s\n", sha256.Sum256(raw), manifestFile))
}

// readManifest reads and checks the manifest of a backup. One that is missing, damaged
// or newer than this program is [brain.ErrInvalid].
func readManifest(path string) (manifest, error) {
	raw, err := os.ReadFile(filepath.Join(path, manifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return manifest{}, invalid(path, "it has no "+manifestFile)
	}
	if err != nil {
		return manifest{}, invalid(path, err.Error())
	}
	sumLine, err := os.ReadFile(filepath.Join(path, manifestSum))
	if err != nil {
		return manifest{}, invalid(path, manifestSum+" cannot be read: "+err.Error())
	}
	if sum, _, _ := strings.Cut(strings.TrimSpace(string(sumLine)), " "); sum != fmt.Sprintf("%x", sha256.Sum256(raw)) {
		return manifest{}, invalid(path, manifestFile+" does not match "+manifestSum)
	}
	var m manifest
	if err := json.Unmarshal(raw, &m); err != nil {
		return manifest{}, invalid(path, manifestFile+" cannot be read: "+err.Error())
	}
	return m, m.check(path)
}

// check returns an error for a backup that this program cannot restore, or that names
// files outside its folder.
func (m manifest) check(path string) error {
	switch _, hasGraph := m.Files[graphFile]; {
	case m.Format > format:
		return brain.Errorf(brain.ErrInvalid, "install the newest brainbridge",
			"the backup %s was made by a newer brainbridge (format %d, this program knows %d)", path, m.Format, format)
	case m.Format < 1, m.Brain == "", !hasGraph && !m.encrypted():
		return invalid(path, manifestFile+" was not written by brainbridge")
	}
	for name := range m.Files {
		if !fs.ValidPath(name) || !filepath.IsLocal(filepath.FromSlash(name)) {
			return invalid(path, fmt.Sprintf("%s names the file %q, which is outside the backup", manifestFile, name))
		}
	}
	return nil
}

func invalid(path, why string) error {
	return brain.Errorf(brain.ErrInvalid, "choose another; `brainbridge backup list` shows them", "%s is not an intact backup: %s", path, why)
}

// List returns the backups in a folder, newest first, including those that restores
// created; a missing folder has none. A backup whose manifest cannot be read is left out,
// with a warning; warn may be nil.
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
		if !e.IsDir() || !strings.HasPrefix(e.Name(), createdPrefix) && !strings.HasPrefix(e.Name(), replacedPrefix) {
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
		// The longer name is the one with "-2" or "-10" at the end, and therefore newer.
		return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(len(b.Path), len(a.Path)), cmp.Compare(b.Path, a.Path))
	})
	return found, nil
}

// Resolve returns the path of a backup. name is a path, the name of a backup in the
// folder, or "newest", which is that of a brain and ignores encrypted ones, those that restores created and, if
// there is another, those that lack damaged records. If there is no such backup, the error is
// [brain.ErrNotFound]. warn may be nil.
func Resolve(dir, name, brainName string, warn func(message string)) (string, error) {
	if name == NewestName {
		all, err := Created(dir, brainName, warn)
		if err != nil {
			return "", err
		}
		if len(all) == 0 {
			return "", brain.Errorf(brain.ErrNotFound, "`brainbridge backup create` makes one", "there is no backup of the brain %s in %s yet", brainName, dir)
		}
		whole := max(0, slices.IndexFunc(all, func(b Backup) bool { return len(b.Unreadable()) == 0 }))
		if whole > 0 && warn != nil {
			warn(fmt.Sprintf("%s is not the newest backup, but the newest one without damage; those after it lack what could not be read", all[whole].Path))
		}
		return all[whole].Path, nil
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

// NewestName is the name by which [Resolve] finds the newest backup.
const NewestName = "newest"

// Created returns the backups of a brain in a folder, newest first, without encrypted ones and
// those that restores created.
func Created(dir, brainName string, warn func(message string)) ([]Backup, error) {
	found, err := List(dir, warn)
	return slices.DeleteFunc(found, func(b Backup) bool {
		return b.Brain != brainName || b.Encrypted || !strings.HasPrefix(filepath.Base(b.Path), createdPrefix)
	}), err
}

// Newest returns the newest backup of a brain in a folder that was made by an instant, ignoring
// those that restores created. Without one it returns the zero value. It reads no more than it
// has to, because the daemon asks often.
func Newest(dir, brainName string, by time.Time) (Backup, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Backup{}, fmt.Errorf("list the backups in %s: %w", dir, err)
	}
	last := createdPrefix + by.UTC().Format(nameTime)
	for _, e := range slices.Backward(entries) {
		if name := e.Name(); !strings.HasPrefix(name, createdPrefix) || len(name) >= len(last) && name[:len(last)] > last {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if m, err := readManifest(path); err == nil && m.Brain == brainName {
			return m.backup(path), nil
		}
	}
	return Backup{}, nil
}

// NewestIntact returns the path of the newest intact backup of a brain in a folder, "" if
// there is none.
func NewestIntact(ctx context.Context, dir, brainName string, o Options) (string, error) {
	found, err := Created(dir, brainName, nil)
	for _, b := range found {
		v, failed := Verify(ctx, b.Path, o)
		if failed == nil && v.OK {
			return b.Path, nil
		}
	}
	return "", cmp.Or(err, ctx.Err())
}
