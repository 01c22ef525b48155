package backups

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

// RestoreOptions are the options of a restore.
type RestoreOptions struct {
	// Options of the backup of the present state. Only files of its Contents are restored.
	Options
	// From is the backup. Its files are checked again while they are restored.
	From Verified
	// Instead maps names of files in the backup to the content to restore instead.
	Instead map[string][]byte
	// Marker is the path of a file that exists from the first change to the last.
	Marker string
	// KeepRaw copies the store as it is to a file and returns its path. It is called if the
	// present state has something that cannot be read. May be nil.
	KeepRaw func(context.Context) (string, error)
}

// Restored is the result of a restore.
type Restored struct {
	Restored string `json:"restored"`
	Saved    string `json:"savedPresentStateAs"`
	// Graph is set once the graph is restored and only files are left.
	Graph bool `json:"graph,omitempty"`
	// KeepFiles is for the caller: it is set if only missing files are restored.
	KeepFiles bool `json:"keepFiles,omitempty"`
}

// Restore replaces the brain and its files with those of a backup. Files that are not in
// the backup stay. If the backup is damaged, nothing is changed and the error is
// [brain.ErrInvalid].
//
// The present state is saved as another backup first. A file that changes after that is
// kept, with a warning. A file that cannot be written is left out, with a warning. The graph
// is locked until it is replaced; memories stored later are kept.
//
// Once the marker exists, another call finishes the restore if this process does not; done
// is then what [Unfinished] returned, otherwise the zero value. Unless the graph is known to
// be restored, the present state is saved again. The caller must hold the lease of
// maintenance.
func Restore(ctx context.Context, o RestoreOptions, done Restored) (Restored, error) {
	if err := o.From.Restorable(); err != nil {
		return done, err
	}
	begun := done.Restored != ""
	done.Restored = o.From.Path
	if !done.Graph {
		if err := o.applyGraph(ctx, &done, begun); err != nil {
			return done, err
		}
		if err := o.Brain.Base.ApplyNumbers(ctx); err != nil { // a backup by an earlier version
			o.Warn(fmt.Sprintf("the next run of maintenance settles the energies: %v", err))
		}
	}
	saved, err := readManifest(done.Saved)
	if err != nil {
		o.Warn(fmt.Sprintf("files that changed since the restore began are overwritten, because the saved state cannot be read: %v", err))
	}
	m := o.From.m
	files := o.step("restoring files", len(m.Files))
	for _, name := range slices.Sorted(maps.Keys(m.Files)) {
		if err := ctx.Err(); err != nil {
			return done, err
		}
		files(1)
		err := o.restoreFile(name, m.Files[name], saved)
		if err != nil && endsRestore(err) {
			return done, fmt.Errorf("restore %s: %w", name, err)
		}
		if err != nil {
			o.Warn(fmt.Sprintf("%s was not restored: %v", name, err))
		}
	}
	return done, Unmark(o.Marker)
}

// errBackup is the error for a file of the backup that cannot be read any more.
var errBackup = errors.New("the backup has changed")

// endsRestore reports whether an error about one file would occur for the others as well.
func endsRestore(err error) bool {
	for _, all := range []error{errBackup, syscall.ENOSPC, syscall.EDQUOT, syscall.EIO} {
		if errors.Is(err, all) {
			return true
		}
	}
	return false
}

// LockRestore takes the lock, in the folder state, of the restores of a brain on this machine.
func LockRestore(ctx context.Context, state, brainName string) (unlock func(), err error) {
	busy := brain.Errorf(brain.ErrHeld, "wait for it to end and try again", "the brain %s is being restored", brainName)
	return durable.Lock{Path: RestoreLock(state), Busy: busy}.Acquire(ctx)
}

// RestoreLock returns the path of that lock.
func RestoreLock(state string) string { return filepath.Join(state, "restore.lock") }

// Unfinished returns the unfinished restore that the marker file describes, if it exists.
func Unfinished(marker string) (unfinished Restored, found bool, err error) {
	raw, err := os.ReadFile(marker)
	if errors.Is(err, fs.ErrNotExist) {
		return unfinished, false, nil
	}
	if err == nil {
		err = json.Unmarshal(raw, &unfinished)
	}
	return unfinished, err == nil, brain.Wrap(err, "read the unfinished restore in %s", marker)
}

// Mark records that a restore has begun, or how far it came.
func Mark(path string, done Restored) error {
	raw, err := json.Marshal(done)
	if err == nil {
		err = durable.MakeDir(filepath.Dir(path), durable.PrivateDir)
	}
	if err == nil {
		err = durable.WriteFile(path, append(raw, '\n'), durable.Options{})
	}
	return brain.Wrap(err, "record the restore")
}

// Unmark records that no restore is unfinished.
func Unmark(marker string) error {
	if err := os.Remove(marker); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the marker of the restore: %w", err)
	}
	return durable.SyncDir(filepath.Dir(marker))
}

// applyGraph saves the present state and replaces the graph. If that fails it removes the
// marker, unless the graph may have been changed or the restore was begun by another call.
func (o RestoreOptions) applyGraph(ctx context.Context, done *Restored, begun bool) error {
	saved := ""
	file := o.From.m.Files[graphFile]
	graph := readGraph(filepath.Join(o.From.Path, graphFile), file, o.step("restoring the graph", int(file.Bytes)))
	err := o.Brain.Base.Store.Load(ctx, brain.UpgradePages(graph), func() (err error) {
		saved, err = o.save(ctx, done)
		return err
	})
	switch {
	case errors.Is(err, brain.ErrUnavailable):
		return fmt.Errorf("restore the graph: %w", err)
	case err != nil && begun:
		if saved != "" { // it is the present state; otherwise each further try would leave one
			err = errors.Join(err, os.RemoveAll(saved))
		}
		return fmt.Errorf("restore the graph: %w", err)
	case err != nil:
		return errors.Join(fmt.Errorf("restore the graph, nothing was changed: %w", err), Unmark(o.Marker))
	}
	done.Graph = true
	return Mark(o.Marker, *done)
}

// save makes a backup of the present state, writes the marker and returns the path of the
// backup. If the restore was tried before, the marker keeps naming the first such backup.
func (o RestoreOptions) save(ctx context.Context, done *Restored) (string, error) {
	save := o.Options
	save.broken, save.Reason, save.Keep = true, "", 0
	saved, err := Create(ctx, save)
	if err != nil {
		return "", fmt.Errorf("save the present state: %w", err)
	}
	if len(saved.Unreadable()) > 0 && o.KeepRaw != nil {
		raw, err := o.KeepRaw(ctx)
		if err != nil {
			return saved.Path, fmt.Errorf("save the present state: %w", err)
		}
		o.Warn("the database is kept as it was, with what cannot be read: " + raw)
	}
	if done.Saved == "" {
		done.Saved = saved.Path
	}
	return saved.Path, Mark(o.Marker, *done)
}

// restoreFile restores a file of the backup, if it is part of a content and differs. A file
// that changed since the present state was saved stays, because no backup has that change.
func (o RestoreOptions) restoreFile(name string, f file, saved manifest) error {
	c, rel, ok := o.contentOf(name)
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
	info, err := os.Lstat(target)
	exists := err == nil
	text, instead := o.Instead[name]
	switch {
	case exists && (info.IsDir() || rel != "" && !info.Mode().IsRegular()): // a content that is one file may be a link
		return fmt.Errorf("%w: %s is not a file", errInTheWay, target)
	case exists && c.Once:
		return nil
	case instead:
		return durable.WriteFile(target, text, durable.Options{Mode: f.Mode})
	case checkFile(target, f, unmetered) == nil:
		return nil
	case exists && saved.changed(name, target):
		return fmt.Errorf("%w: %s was written since the restore began", errInTheWay, target)
	}
	return copyInto(filepath.Join(o.From.Path, filepath.FromSlash(name)), target, f)
}

// contentOf returns the content that a file of the backup belongs to, and its path in that
// folder, "" if the content is the file itself.
func (o RestoreOptions) contentOf(name string) (c Content, rel string, ok bool) {
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

// errInTheWay is the error for a file that a restore leaves alone: a link, which may point
// anywhere, a folder instead of a file, or a file that changed since the restore began.
var errInTheWay = errors.New("a file or folder is in the way")

// changed reports whether the file at target differs from the one in the backup. It is
// false if the manifest could not be read.
func (m manifest) changed(name, target string) bool {
	was, known := m.Files[name]
	return m.Files != nil && (!known || checkFile(target, was, unmetered) != nil)
}

// makeInside creates a folder below root without following links out of it.
func makeInside(root, dir string) error {
	if dir == root || len(dir) < len(root) { // the end of the recursion
		return durable.MakeDir(root, 0o755) // the notes are the person's own
	}
	if err := makeInside(root, filepath.Dir(dir)); err != nil {
		return err
	}
	if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
		return fmt.Errorf("%w: %s is not a folder", errInTheWay, dir)
	}
	return durable.MakeDir(dir, 0o755)
}

func copyInto(from, target string, f file) error {
	in, err := openFile(from, f, unmetered)
	if err != nil {
		return fmt.Errorf("%w: %w", errBackup, err)
	}
	defer func() { _ = in.Close() }() // only read
	out, err := durable.Create(target, durable.Options{Mode: f.Mode | 0o200})
	if err != nil {
		return err
	}
	defer out.Discard()
	_, err = io.Copy(out, in)
	if err == nil {
		if err = in.check(); err != nil {
			err = fmt.Errorf("%w: %w", errBackup, err)
		}
	}
	if err == nil {
		err = out.Replace()
	}
	if err == nil {
		err = os.Chtimes(target, f.Modified, f.Modified)
	}
	return err
}
