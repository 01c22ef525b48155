package backups

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

// filling is a backup that is being written.
type filling struct {
	ctx  context.Context //nolint:containedctx // it lives for one call
	dir  string
	o    Options
	m    manifest
	took meter
}

// fill writes a backup into a folder and verifies it.
func fill(ctx context.Context, dir string, o Options) (Backup, error) {
	info := o.Brain.Base.Store.Info()
	f := &filling{ctx: ctx, dir: dir, o: o, m: manifest{
		Format: format, Program: o.Version, Brain: info.Brain, Store: info.Kind,
		Created: o.Brain.Base.Now(), Reason: o.Reason, Files: map[string]file{},
	}}
	if err := f.graph(o.Brain.Base.Store); err != nil {
		return Backup{}, err
	}
	f.took = o.step("copying files", 0)
	for _, c := range o.Contents {
		if err := f.content(c); err != nil {
			return Backup{}, err
		}
	}
	if err := f.script(info.Brain, o.Executable); err != nil {
		return Backup{}, err
	}
	if err := f.finish(); err != nil {
		return Backup{}, err
	}
	return f.m.backup(dir), nil
}

// finish writes the manifest, syncs the folders and verifies the backup.
func (f *filling) finish() error {
	if err := f.m.write(f.dir); err != nil {
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
	if problems := checkFiles(f.ctx, f.dir, f.m, f.o); len(problems) > 0 {
		return fmt.Errorf("the backup is not the same when it is read back; look at the disk: %s", problems[0])
	}
	return nil
}

func (f *filling) graph(store brain.Store) error {
	return f.put(graphFile, 0o600, f.m.Created, func(w io.Writer) (err error) {
		f.m.Counts, err = writeGraph(f.ctx, store, w, f.o.step("backing up the graph", 0))
		return err
	})
}

// content adds a file or a folder.
func (f *filling) content(c Content) error {
	info, err := os.Stat(c.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && info.IsDir():
		return f.folder(c)
	}
	return f.copyFile(c.Name, c.Text, func() (*os.File, error) { return os.Open(c.Path) })
}

// folder adds all regular files below a folder. Links are not followed, so nothing
// outside the folder is added. A file that disappears meanwhile is left out.
func (f *filling) folder(c Content) error {
	root, err := os.OpenRoot(c.Path)
	if err != nil {
		f.leave(c.Name, err.Error())
		return nil
	}
	defer func() { _ = root.Close() }() // only read
	return fs.WalkDir(root.FS(), ".", func(rel string, e fs.DirEntry, err error) error {
		name := c.Name + "/" + rel
		switch {
		case f.ctx.Err() != nil:
			return f.ctx.Err()
		case err != nil:
			f.leave(name, err.Error())
		case e.IsDir(), strings.HasSuffix(rel, ".lock"):
		case !fs.ValidPath(name), !utf8.ValidString(name):
			f.leave(fmt.Sprintf("%q", name), "its name is not valid UTF-8")
		case !e.Type().IsRegular():
			f.leave(name, "it is a link, or not a file")
		default:
			return f.copyFile(name, nil, func() (*os.File, error) { return root.Open(filepath.FromSlash(rel)) })
		}
		return nil
	})
}

// leave records a file that is left out, with a warning.
func (f *filling) leave(name, why string) {
	f.m.LeftOut = append(f.m.LeftOut, leftOut{name, why})
	f.o.warn(fmt.Sprintf("%s is not in the backup: %s", name, why))
}

// copyFile copies a file, or its text as changed, or leaves it out if it cannot be
// read.
func (f *filling) copyFile(name string, change func([]byte) []byte, open func() (*os.File, error)) error {
	in, err := open()
	if err != nil {
		f.leave(name, err.Error())
		return nil
	}
	defer func() { _ = in.Close() }() // only read
	info, err := in.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a file")
	}
	if err != nil {
		f.leave(name, err.Error())
		return nil
	}
	f.took.add(1)
	source := &reading{r: in}
	err = f.put(name, info.Mode(), info.ModTime(), func(w io.Writer) error {
		if change == nil {
			_, err := io.Copy(w, source)
			return err
		}
		text, err := io.ReadAll(source)
		if err == nil {
			_, err = w.Write(change(text))
		}
		return err
	})
	if source.failed != nil {
		f.leave(name, source.failed.Error())
		return os.Remove(filepath.Join(f.dir, filepath.FromSlash(name)))
	}
	return err
}

// reading records an error of reading, to tell it from one of writing.
type reading struct {
	r      io.Reader
	failed error
}

func (r *reading) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		r.failed = err
	}
	return n, err
}

// put writes a file of the backup, syncs it and records its checksum.
func (f *filling) put(name string, mode fs.FileMode, modified time.Time, write func(io.Writer) error) error {
	path := filepath.Join(f.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), durable.PrivateDir); err != nil {
		return err
	}
	private := fs.FileMode(0o600)
	if name == scriptFile {
		private = 0o700
	}
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, private)
	if err != nil {
		return err
	}
	s := &summing{w: out, sum: sha256.New()}
	buffered := bufio.NewWriterSize(s, 1<<16)
	err = write(buffered)
	err = errors.Join(err, buffered.Flush(), out.Sync(), out.Close())
	if err != nil {
		return err
	}
	f.m.Files[name] = file{
		SHA256: hex.EncodeToString(s.sum.Sum(nil)), Bytes: s.bytes,
		Mode: mode.Perm(), Modified: modified.UTC(),
	}
	return nil
}

// summing counts and hashes what is written through it.
type summing struct {
	w     io.Writer
	sum   hash.Hash
	bytes int64
}

func (s *summing) Write(p []byte) (int, error) {
	n, err := s.w.Write(p)
	s.sum.Write(p[:n]) // never fails
	s.bytes += int64(n)
	return n, err
}
