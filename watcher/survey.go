package watcher

import (
	"cmp"
	"context"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

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

// Survey returns the files below a directory that are not read, by reason, the reason
// with the most files first, with the first paths of each, as many as most says. Links are not followed. why
// returns the reason for a path that is neither hidden nor a link, "" if it is read.
func Survey(ctx context.Context, dir string, most int, why func(rel string) string) ([]LeftOut, error) {
	all := map[string]*LeftOut{}
	err := filepath.WalkDir(dir, func(full string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return ctx.Err() // the scan reports what cannot be read
		}
		rel, err := filepath.Rel(dir, full)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
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
