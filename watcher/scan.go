package watcher

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain/durable"
)

// FileInfo is a file that a scan found. Size, time and inode are hints that a file
// did not change, not proof.
type FileInfo struct {
	Path    string // relative to the directory, slash-separated
	Size    int64  // bytes
	ModTime time.Time
	Inode   uint64 // 0 if the system has none
}

// Problem is a path that a scan skipped, and why. It does not end the scan.
type Problem struct {
	Path    string // relative; quoted as in Go where it does not print
	Message string
}

// Scan returns all regular files below cfg.Dir that match, sorted by path, and the
// paths that it skipped. It uses only Dir, Match and SkipDir of cfg, and opens only
// directories.
//
// A symbolic link to a place inside the directory is followed; a file with several
// names is returned once, by its own name if that matches. A file that disappears
// meanwhile is skipped. An error is about the directory itself (missing, not
// readable) or ctx; then the caller must not take files for removed.
func Scan(ctx context.Context, cfg Config) ([]FileInfo, []Problem, error) {
	var files []FileInfo
	var problems []Problem
	w := newWalker(cfg)
	w.file = func(rel string, info fs.FileInfo) {
		files = append(files, FileInfo{Path: rel, Size: info.Size(), ModTime: info.ModTime(), Inode: durable.Inode(info)})
	}
	w.problem = func(rel, message string) {
		problems = append(problems, Problem{Path: rel, Message: message})
	}
	if err := w.walk(ctx); err != nil {
		return nil, nil, fmt.Errorf("scan %s: %w", cfg.Dir, err)
	}
	slices.SortFunc(files, func(a, b FileInfo) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(problems, func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
	return files, problems, nil
}

// checkDir returns the identity of a directory, or why it cannot be scanned.
func checkDir(dir string) (fs.FileInfo, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("directory %s does not exist: %w", dir, fs.ErrNotExist)
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("%s is not a directory", dir)
	}
	return info, nil
}

// realDir resolves the links in dir, so that links below it can be judged.
func realDir(dir string) (string, error) {
	if _, err := checkDir(dir); err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(dir)
}
