package exchange

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

// ExportFile is the file in a folder that names the brain of the export.
const ExportFile = ".brainbridge-export"

// exportOwner is its content.
type exportOwner struct {
	Version int    `json:"version"`
	Brain   string `json:"brain"`
}

// own makes sure that the folder is ours to write into: empty, new, or an
// earlier export of the same brain.
func (e *exporter) own() error {
	mine := exportOwner{ownVersion, e.o.Brain}
	mark := filepath.Join(e.o.Dir, ExportFile)
	raw, err := os.ReadFile(mark)
	ours := err == nil
	if ours {
		if err := mine.check(raw, e.o.Dir); err != nil {
			return err
		}
	} else if errors.Is(err, fs.ErrNotExist) {
		var entries []os.DirEntry
		if entries, err = os.ReadDir(e.o.Dir); len(entries) > 0 {
			return brain.Errorf(brain.ErrInvalid, "name an empty or a new folder", "%s holds files, and is not an export of brainbridge", e.o.Dir)
		}
	}
	dry := e.o.DryRun
	if !dry && (err == nil || errors.Is(err, fs.ErrNotExist)) {
		err = durable.MakeDir(filepath.Join(e.o.Dir, archiveFolder), durable.PrivateDir)
	}
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return brain.Errorf(brain.ErrInvalid, "name a folder that you may write into", "%s cannot be used: %v", e.o.Dir, durable.Cause(err))
	case ours, dry:
		return nil
	}
	raw, err = json.Marshal(mine)
	if err != nil {
		return err
	}
	return durable.WriteFile(mark, append(raw, '\n'), durable.Options{})
}

// check refuses the folder of another brain, or of a newer version.
func (o exportOwner) check(raw []byte, dir string) error {
	var held exportOwner
	switch err := json.Unmarshal(raw, &held); {
	case err != nil:
		return brain.Errorf(brain.ErrInvalid, "name a new folder", "%s in %s is damaged", ExportFile, dir)
	case held.Version > o.Version:
		return brain.Errorf(brain.ErrInvalid, "use that version, or name a new folder", "%s was written by a newer version of brainbridge", dir)
	case held.Brain != o.Brain:
		return brain.Errorf(brain.ErrInvalid, "name another folder", "%s holds an export of the brain %s", dir, held.Brain)
	}
	return nil
}

// stalePage is how many files are compared with the brain at a time.
const stalePage = 200

// stale removes the files of memories that were forgotten, renamed or archived
// since. A file that a person changed stays.
func (e *exporter) stale(ctx context.Context) error {
	for _, folder := range []string{"", archiveFolder} {
		entries, err := os.ReadDir(filepath.Join(e.o.Dir, folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		var old []string
		for _, entry := range entries {
			name := path.Join(folder, entry.Name())
			if entry.Type().IsRegular() && strings.HasSuffix(name, ".md") && !strings.HasPrefix(entry.Name(), ".") && !e.names[name] {
				old = append(old, name)
			}
		}
		for page := range slices.Chunk(old, stalePage) {
			if err := e.staleSome(ctx, page); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *exporter) staleSome(ctx context.Context, names []string) error {
	ids := map[string]string{} // by file
	for _, name := range names {
		data, err := os.ReadFile(e.path(name))
		if err != nil {
			return err
		}
		front, body, _ := splitFront(string(data))
		w, err := parseOwn(front, body)
		switch {
		case !isOwn(front) || err != nil: // somebody else's
		case !untouched(data):
			e.problem(name, "its memory is gone or has another file now, but this file was changed since it was exported, so it is kept")
		default:
			ids[name] = w.Memory.ID
		}
	}
	there, err := e.b.Recall.WholesOf(ctx, slices.Collect(maps.Values(ids))...)
	if err != nil {
		return err
	}
	for _, w := range there { // what moved away from where it was looked for
		if err := e.write(w); err != nil {
			return err
		}
	}
	for name := range ids {
		if e.names[name] {
			continue
		}
		e.report.Removed++
		if e.o.DryRun {
			continue
		}
		if err := os.Remove(e.path(name)); err != nil {
			return err
		}
	}
	return nil
}
