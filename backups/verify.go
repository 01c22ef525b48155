package backups

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// Verified is the result of [Verify].
type Verified struct {
	Path     string   `json:"path"`
	OK       bool     `json:"ok"`
	Problems []string `json:"problems"`
	// LeftOut is what could not be read when the backup was made.
	LeftOut []LeftOut `json:"leftOut"`
	// Intact is the path of the newest intact backup, if this one was to be the newest and is
	// damaged.
	Intact string `json:"-"`

	m manifest
}

// Verify reads a whole backup and compares it with its manifest. A missing folder
// is [brain.ErrNotFound]; all other faults are in the problems. Of the options it
// uses only Progress.
func Verify(ctx context.Context, path string, o Options) (Verified, error) {
	v := Verified{Path: path, Problems: []string{}, LeftOut: []LeftOut{}}
	_, err := os.Stat(path)
	if err != nil {
		return v, brain.Errorf(brain.ErrNotFound, "check the path", "there is no backup %s", path)
	}
	if v.m, err = readManifest(path); err != nil {
		v.Problems = append(v.Problems, err.Error())
	} else {
		v.Problems = append(v.Problems, checkFiles(ctx, path, v.m, o)...)
		v.LeftOut = append(v.LeftOut, v.m.LeftOut...)
	}
	v.OK = len(v.Problems) == 0
	return v, ctx.Err()
}

// Backup describes the backup.
func (v Verified) Backup() Backup { return v.m.backup(v.Path) }

// Encrypted reports whether only the checksum of the encrypted file was compared.
func (v Verified) Encrypted() bool { return v.m.encrypted() }

// Restorable returns [brain.ErrInvalid] if the backup is damaged or encrypted.
func (v Verified) Restorable() error {
	if v.OK && v.m.encrypted() {
		return brain.Errorf(brain.ErrInvalid, "add --identity FILE, with the identity that decrypts it", "%s is encrypted", v.Path)
	}
	if v.OK {
		return nil
	}
	return brain.Errorf(brain.ErrInvalid, v.Hint(), "%s cannot be restored, nothing was changed: %s", v.Path, v.Problems[0])
}

// Hint says what to do about a damaged backup.
func (v Verified) Hint() string {
	if v.Intact != "" {
		return "the newest intact one: `brainbridge backup restore " + filepath.Base(v.Intact) + "`"
	}
	return "choose another; `brainbridge backup list` shows them"
}

// checkFiles compares the files with the manifest. Each is read once.
func checkFiles(ctx context.Context, dir string, m manifest, o Options) (problems []string) {
	read := o.step("checking bytes", int(m.backup(dir).Bytes))
	for _, name := range slices.Sorted(maps.Keys(m.Files)) {
		if ctx.Err() != nil {
			return problems
		}
		path, want := filepath.Join(dir, filepath.FromSlash(name)), m.Files[name]
		var err error
		if name == graphFile {
			err = checkGraph(path, want, m, read)
		} else {
			err = checkFile(path, want, read)
		}
		if err != nil {
			problems = append(problems, fmt.Sprintf("%s: %v", name, err))
		}
	}
	return problems
}

func checkGraph(path string, want file, m manifest, read meter) error {
	var held counts
	for p, err := range readGraph(path, want, read) {
		if err != nil {
			return err
		}
		held.add(p)
	}
	if m.Counts.Archived == 0 { // an older backup does not have it
		held.Archived = 0
	}
	if held != m.Counts {
		return fmt.Errorf("it has %+v, but %s says %+v", held, manifestFile, m.Counts)
	}
	return nil
}

func checkFile(path string, want file, read meter) error {
	f, err := openFile(path, want, read)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read
	return f.check()
}

// checked is a file that is compared with its checksum while it is read.
type checked struct {
	io.Reader
	io.Closer
	want file
	sum  hash.Hash
}

func openFile(path string, want file, read meter) (*checked, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New("it is missing")
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a file")
	case info.Size() != want.Bytes:
		return nil, fmt.Errorf("it has %d bytes, not %d", info.Size(), want.Bytes)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	return &checked{io.TeeReader(f, io.MultiWriter(sum, read)), f, want, sum}, nil
}

func (c *checked) check() error {
	if _, err := io.Copy(io.Discard, c); err != nil {
		return err
	}
	if hex.EncodeToString(c.sum.Sum(nil)) != c.want.SHA256 {
		return errors.New("its content is not what was backed up")
	}
	return nil
}
