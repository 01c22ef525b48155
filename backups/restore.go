package backups

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

// RestoreOptions says what is restored, and into what.
type RestoreOptions struct {
	// Options are those of the backup of the present state; its Contents say
	// where files go. What the backup holds besides stays in it.
	Options
	Path string // of the backup
	// Verified is what [Verify] found at Path, if it was asked already. A backup
	// is read twice: to be checked before anything is touched, and to be
	// restored, when it is checked as it is read: it may have changed since.
	Verified Verified
	// Instead has the content of files that are not restored as they were.
	Instead map[string][]byte
	// Marker is a file that is there from the first change to the last.
	Marker string
}

// Restored says what was done.
type Restored struct {
	Restored string `json:"restored"`
	Saved    string `json:"savedPresentStateAs"`
	// Graph says that the graph is restored, and only files are not.
	Graph bool `json:"graph,omitempty"`
}

// Restore puts a backup in the place of the brain and of the files around it.
// Files that are there now and not in the backup stay. First the backup is
// read whole: one that is damaged, or none, is [brain.ErrInvalid], and nothing
// was touched. Then the present state is saved as a backup of its own; a file
// that somebody writes after that is left as it is, with a warning. Meanwhile
// nobody writes to the graph until the graph is replaced: what was stored
// before is saved, what is stored later stays. From the marker on the restore
// is finished, if not by this process then by [Resume]; before it nothing has
// changed. The caller holds the lease of maintenance.
func Restore(ctx context.Context, o RestoreOptions) (Restored, error) {
	m := o.Verified.m
	if !o.Verified.OK || o.Verified.Path != o.Path {
		var err error
		if m, err = whole(ctx, o.Path, o.Options); err != nil {
			return Restored{}, err
		}
	}
	done := Restored{Restored: o.Path}
	err := o.apply(ctx, m, &done)
	return done, err
}

// Unfinished returns the restore that has begun and not ended, if there is one.
func Unfinished(marker string) (under Restored, found bool, err error) {
	raw, err := os.ReadFile(marker)
	if errors.Is(err, fs.ErrNotExist) {
		return under, false, nil
	}
	if err == nil {
		err = json.Unmarshal(raw, &under)
	}
	if err != nil {
		return under, false, fmt.Errorf("read what is being restored from %s: %w", marker, err)
	}
	return under, true, nil
}

// Resume finishes the restore that the marker names. Where the graph is not
// known to be restored, what others may have written since is saved once more.
// Where the backup is not whole any more nothing is changed, and the error is
// [brain.ErrInvalid].
func Resume(ctx context.Context, o RestoreOptions) (Restored, error) {
	under, found, err := Unfinished(o.Marker)
	if err != nil || !found {
		return under, err
	}
	m, err := whole(ctx, under.Restored, o.Options)
	if err != nil {
		return under, err
	}
	o.Path = under.Restored
	err = o.apply(ctx, m, &under)
	return under, err
}

func writeMarker(path string, done Restored) error {
	raw, err := json.Marshal(done)
	if err != nil {
		return fmt.Errorf("encode what is being restored: %w", err)
	}
	if err := durable.MakeDir(filepath.Dir(path), durable.PrivateDir); err != nil {
		return fmt.Errorf("note what is being restored: %w", err)
	}
	if err := durable.WriteFile(path, append(raw, '\n'), durable.Options{}); err != nil {
		return fmt.Errorf("note what is being restored: %w", err)
	}
	return nil
}

func (o RestoreOptions) removeMarker() error {
	if err := os.Remove(o.Marker); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("end the restore: %w", err)
	}
	return durable.SyncDir(filepath.Dir(o.Marker))
}

// apply changes the brain and the files. Doing it twice comes to the same.
func (o RestoreOptions) apply(ctx context.Context, m manifest, done *Restored) error {
	if !done.Graph {
		if err := o.applyGraph(ctx, m, done); err != nil {
			return err
		}
	}
	saved, err := readManifest(done.Saved)
	if err != nil && o.Warn != nil {
		o.Warn(fmt.Sprintf("what was written to the files since the restore began is not known, and written over: %v", err))
	}
	files := o.step("restoring files", len(m.Files))
	for _, name := range slices.Sorted(maps.Keys(m.Files)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		files.add(1)
		if err := o.restoreFile(name, m.Files[name], saved); err != nil {
			return fmt.Errorf("restore %s: %w", name, err)
		}
	}
	return o.removeMarker()
}

// applyGraph saves the present state and replaces the graph. Where it failed the
// marker goes, but for a restore that was begun before: the graph may have been
// changed then.
func (o RestoreOptions) applyGraph(ctx context.Context, m manifest, done *Restored) error {
	resumed := done.Saved != ""
	file := m.Files[graphFile]
	graph := readGraph(filepath.Join(o.Path, graphFile), file, o.step("restoring the graph", int(file.Bytes)))
	err := o.Brain.Base.Store.Load(ctx, graph, func() error { return o.save(ctx, done) })
	switch {
	case errors.Is(err, brain.ErrUnavailable), err != nil && resumed: // it goes on with the next command
		return fmt.Errorf("restore the graph: %w", err)
	case err != nil:
		return errors.Join(fmt.Errorf("restore the graph, nothing was changed: %w", err), o.removeMarker())
	}
	done.Graph = true
	return writeMarker(o.Marker, *done)
}

// save makes a backup of the present state and sets the marker. What was saved
// first stays the one that is named.
func (o RestoreOptions) save(ctx context.Context, done *Restored) error {
	save := o.Options
	save.Prefix, save.Reason, save.Keep = Broken, "", 0
	saved, err := Create(ctx, save)
	if err != nil {
		return fmt.Errorf("save the present state: %w", err)
	}
	if done.Saved == "" {
		done.Saved = saved.Path
	}
	return writeMarker(o.Marker, *done)
}
