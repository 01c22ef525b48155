package watcher

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

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

// Scan returns all regular files below cfg.Dir that match, sorted by path, and the paths that
// it skipped. It uses only Dir, Match and SkipDir of cfg, and opens only directories.
//
// A symbolic link to a place inside the directory is followed; a file with several names is
// returned once, by its own name if that matches. An error is about the directory itself
// (missing, not readable) or ctx; then the caller must not take files for removed.
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

// LeftOut counts files that are not read for the same reason.
type LeftOut struct {
	Reason string   `json:"reason"`
	Files  int      `json:"files"`
	Paths  []string `json:"paths"` // the first few
}

// Reasons for which files are left out.
const (
	Excluded = "excluded by notes.exclude"
	Hidden   = "hidden or temporary"
)

// Survey returns the files below a directory that are not read, by reason, the reason with the
// most files first, each with up to most paths. Links are not followed. why returns the reason
// for a path that is neither hidden nor a link, "" if it is read.
func Survey(ctx context.Context, dir string, most int, why func(rel string) string) ([]LeftOut, error) {
	all := map[string]*LeftOut{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(rel string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return ctx.Err() // the scan reports what cannot be read
		}
		reason := why(rel)
		switch {
		case reason == "":
			return ctx.Err()
		case slices.ContainsFunc(strings.Split(rel, "/"), Ignored):
			reason = Hidden
		case entry.Type()&fs.ModeSymlink != 0:
			reason = "linked: what a link leads to is read in its own place only"
		}
		left := cmp.Or(all[reason], &LeftOut{Reason: reason})
		all[reason] = left
		if left.Files++; len(left.Paths) < most {
			left.Paths = append(left.Paths, rel)
		}
		return ctx.Err()
	})
	list := []LeftOut{}
	for _, left := range all {
		list = append(list, *left)
	}
	slices.SortFunc(list, func(a, b LeftOut) int {
		return cmp.Or(cmp.Compare(b.Files, a.Files), strings.Compare(a.Reason, b.Reason))
	})
	return list, err
}

// Matches reports whether one of the globs matches a path. Case does not matter.
func Matches(globs []string, rel string) bool {
	rel = strings.ToLower(rel)
	return slices.ContainsFunc(globs, func(glob string) bool {
		ok, err := doublestar.Match(strings.ToLower(glob), rel)
		return ok && err == nil
	})
}

// MatchesParent reports whether one of the globs matches a path or a directory above it.
func MatchesParent(globs []string, rel string) bool {
	return rel != "." && (Matches(globs, rel) || MatchesParent(globs, path.Dir(rel)))
}

// Extension returns the ending of a file's name for people.
func Extension(rel string) string { return cmp.Or(strings.ToLower(path.Ext(rel)), "no extension") }
