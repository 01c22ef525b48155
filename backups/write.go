package backups

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

type writer struct {
	ctx      context.Context //nolint:containedctx // the writer lives for one call
	dir      string
	opts     Options
	manifest manifest
	progress meter
}

func writeBackup(ctx context.Context, dir string, o Options) (Backup, error) {
	info := o.Brain.Base.Store.Info()
	f := &writer{ctx: ctx, dir: dir, opts: o, manifest: manifest{
		Format: format, Program: o.Version, Brain: info.Brain, Store: info.Kind,
		Created: o.Brain.Base.Now(), Reason: o.Reason, Files: map[string]file{},
	}}
	f.manifest.State, _ = o.Brain.Base.Store.Version(ctx) // a damaged file may not have it
	err := f.writeFile(graphFile, 0o600, f.manifest.Created, func(w io.Writer) (err error) {
		var unreadable []brain.Unreadable
		f.manifest.Counts, unreadable, err = writeGraph(ctx, o.Brain.Base.Store, w, o.step("backing up the graph", 0))
		f.leaveOut(unreadable)
		return err
	})
	if err != nil {
		return Backup{}, err
	}
	f.progress = o.step("copying files", 0)
	for _, c := range o.Contents {
		if err := f.addContent(c); err != nil {
			return Backup{}, err
		}
	}
	err = f.writeFile(scriptFile, 0o700, f.manifest.Created, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, scriptText, shellQuoted(info.Brain), shellQuoted(o.Executable))
		return err
	})
	if err != nil {
		return Backup{}, err
	}
	return f.manifest.backup(dir), f.finish()
}

// finish writes the manifest, syncs the folders and verifies the backup.
func (f *writer) finish() error {
	if err := f.manifest.write(f.dir); err != nil {
		return err
	}
	err := filepath.WalkDir(f.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		return durable.SyncDir(path)
	})
	if err != nil {
		return err
	}
	if problems := checkFiles(f.ctx, f.dir, f.manifest, f.opts); len(problems) > 0 {
		return fmt.Errorf("the backup differs when read back: %s; check the disk", problems[0])
	}
	return nil
}

func (f *writer) addContent(c Content) error {
	info, err := os.Stat(c.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && info.IsDir():
		return f.addFolder(c)
	}
	return f.copyFile(c.Name, c.Text, func() (*os.File, error) { return os.Open(c.Path) })
}

// addFolder adds all regular files below a folder, except lock and temporary files. Symlinks, other
// special files and files that cannot be read are skipped.
func (f *writer) addFolder(c Content) error {
	root, err := os.OpenRoot(c.Path)
	if err != nil {
		f.skip(c.Name, err.Error())
		return nil
	}
	defer func() { _ = root.Close() }() // only read
	return fs.WalkDir(root.FS(), ".", func(rel string, e fs.DirEntry, err error) error {
		name := c.Name + "/" + rel
		switch {
		case f.ctx.Err() != nil:
			return f.ctx.Err()
		case err != nil:
			f.skip(name, err.Error())
		case e.IsDir(), strings.HasSuffix(rel, ".lock"), durable.IsTemp(e.Name()):
		case !fs.ValidPath(name):
			f.skip(fmt.Sprintf("%q", name), "its name is not valid UTF-8")
		case !e.Type().IsRegular():
			f.skip(name, "it is a symlink or not a regular file")
		default:
			return f.copyFile(name, nil, func() (*os.File, error) { return root.Open(filepath.FromSlash(rel)) })
		}
		return nil
	})
}

func (f *writer) skip(name, why string) {
	f.manifest.LeftOut = append(f.manifest.LeftOut, LeftOut{File: name, Why: why})
	f.opts.Warn(fmt.Sprintf("%s is not in the backup: %s", name, why))
}

// leaveOut notes what cannot be read of the graph, and warns in one line.
func (f *writer) leaveOut(unreadable []brain.Unreadable) {
	const shown = 5
	var names []string
	for i, u := range unreadable {
		l := LeftOut{Kind: u.Kind, ID: u.ID, Why: u.Why}
		f.manifest.LeftOut = append(f.manifest.LeftOut, l)
		if i < shown {
			names = append(names, fmt.Sprintf("%s (%s)", l, l.Why))
		}
	}
	if more := len(unreadable) - shown; more > 0 {
		names = append(names, fmt.Sprintf("and %d more, which %s names", more, manifestFile))
	}
	if len(names) > 0 {
		f.opts.Warn("cannot be read and is not in the backup: " + strings.Join(names, ", "))
	}
}

// copyFile copies a file, converted by convert if that is not nil. It skips a file that it
// cannot read.
func (f *writer) copyFile(name string, convert func([]byte) []byte, open func() (*os.File, error)) error {
	in, err := open()
	var info fs.FileInfo
	if err == nil {
		defer func() { _ = in.Close() }() // only read
		info, err = in.Stat()
	}
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a regular file")
	}
	if err != nil {
		f.skip(name, err.Error())
		return nil
	}
	f.progress(1)
	err = f.writeFile(name, info.Mode(), info.ModTime(), func(w io.Writer) error {
		if convert == nil {
			_, err := io.Copy(w, in)
			return err
		}
		text, err := io.ReadAll(in)
		if err == nil {
			_, err = w.Write(convert(text))
		}
		return err
	})
	var path *fs.PathError
	if errors.As(err, &path) && path.Op == "read" {
		f.skip(name, path.Error())
		return os.Remove(filepath.Join(f.dir, filepath.FromSlash(name)))
	}
	return err
}

// writeFile writes a file of the backup, syncs it and records its checksum. Files in a backup
// are private; the manifest has the mode of the original.
func (f *writer) writeFile(name string, mode fs.FileMode, modified time.Time, write func(io.Writer) error) error {
	path := filepath.Join(f.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), durable.PrivateDir); err != nil {
		return err
	}
	perm := fs.FileMode(0o600)
	if name == scriptFile {
		perm = 0o700
	}
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	sum := sha256.New()
	buffered := bufio.NewWriterSize(io.MultiWriter(out, sum), 1<<16)
	err = errors.Join(write(buffered), buffered.Flush(), out.Sync())
	info, statErr := out.Stat()
	if err := errors.Join(err, statErr, out.Close()); err != nil {
		return err
	}
	f.manifest.Files[name] = file{
		SHA256: hex.EncodeToString(sum.Sum(nil)), Bytes: info.Size(),
		Mode: mode.Perm(), Modified: modified.UTC(),
	}
	return nil
}

// scriptText is the script that restores the backup.
const scriptText = `#!/bin/sh
# Restores the brain %[1]s from the backup in this folder, as brainbridge backup
# restore does. Arguments are passed on: --brain NAME restores into another brain,
# --store URI into another store, --yes does not ask. Set BRAINBRIDGE to the path of
# the program if this script does not find it.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
program=${BRAINBRIDGE:-}
[ -n "$program" ] || program=$(command -v brainbridge) || program=%[2]s
exec "$program" --brain %[1]s backup restore "$here" "$@"
`

func shellQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
