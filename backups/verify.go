package backups

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// Verified is what a look at a backup found.
type Verified struct {
	Path     string   `json:"path"`
	OK       bool     `json:"ok"`
	Problems []string `json:"problems"`
}

// Verify reads a backup whole and compares it with its manifest. A folder that
// is not there is [brain.ErrNotFound]; everything else that is wrong with it is
// among the problems.
func Verify(ctx context.Context, path string) (Verified, error) {
	v := Verified{Path: path, Problems: []string{}}
	if _, err := os.Stat(path); err != nil {
		return v, brain.Errorf(brain.ErrNotFound, "check the path", "there is no backup %s", path)
	}
	m, err := readManifest(path)
	if err != nil {
		v.Problems = append(v.Problems, err.Error())
		return v, nil
	}
	v.Problems = append(v.Problems, checkFiles(ctx, path, m)...)
	if ctx.Err() != nil {
		return v, ctx.Err()
	}
	v.OK = len(v.Problems) == 0
	return v, nil
}

// whole returns the manifest of a backup that can be restored, or why it
// cannot, as [brain.ErrInvalid].
func whole(ctx context.Context, path string) (manifest, error) {
	m, err := readManifest(path)
	if err != nil {
		return m, err
	}
	problems := checkFiles(ctx, path, m)
	if ctx.Err() != nil {
		return m, ctx.Err()
	}
	if len(problems) > 0 {
		return m, invalid(path, problems[0])
	}
	return m, nil
}

// checkFiles compares the files with the manifest, and what the graph holds.
func checkFiles(ctx context.Context, dir string, m manifest) (problems []string) {
	for _, name := range slices.Sorted(maps.Keys(m.Files)) {
		if ctx.Err() != nil {
			return problems
		}
		if err := checkFile(filepath.Join(dir, filepath.FromSlash(name)), m.Files[name]); err != nil {
			problems = append(problems, fmt.Sprintf("%s: %v", name, err))
		}
	}
	if len(problems) > 0 {
		return problems
	}
	held, err := countGraph(filepath.Join(dir, graphFile))
	switch {
	case err != nil:
		return []string{fmt.Sprintf("%s: %v", graphFile, err)}
	case held != m.Counts:
		return []string{fmt.Sprintf("%s: it holds %+v, and %s says %+v", graphFile, held, manifestFile, m.Counts)}
	}
	return nil
}

func checkFile(path string, want file) error {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return errors.New("it is missing")
	case !info.Mode().IsRegular():
		return errors.New("it is no file")
	case info.Size() != want.Bytes:
		return fmt.Errorf("it has %d bytes, not %d", info.Size(), want.Bytes)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return err
	}
	if hex.EncodeToString(sum.Sum(nil)) != want.SHA256 {
		return errors.New("its content is not what was backed up")
	}
	return nil
}
