package exchange

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

// file is one file to read.
type file struct {
	path     string // absolute
	rel      string // relative to what was given, with slashes
	size     int64
	modified time.Time
}

// finder collects the files of an import.
type finder struct {
	findings
	ctx    context.Context
	root   string // absolute, links followed; the file itself where one was given
	isFile bool
	files  []file
	seen   map[string]bool // absolute paths
}

// find returns the files of a format at a path.
func find(ctx context.Context, format Format, path string) (*finder, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, brain.Errorf(kindOf(err), "give a file or folder that exists and that you may read", "%s cannot be read: %v", path, durable.Cause(err))
	}
	root, err := filepath.Abs(path)
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", path, err)
	}
	f := &finder{ctx: ctx, root: root, isFile: !info.IsDir(), seen: map[string]bool{}}
	return f, format.find(f)
}

// findFile takes the one file that a format is in.
func findFile(f *finder) error {
	if !f.isFile {
		return brain.Errorf(brain.ErrInvalid, "name the file in it", "%s is a folder", f.root)
	}
	f.add(f.root)
	return f.ctx.Err()
}

func kindOf(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return brain.ErrNotFound
	}
	return brain.ErrInvalid
}

// rel returns a path relative to the base, with slashes.
func (f *finder) rel(path string) string {
	rel, err := filepath.Rel(f.base(), path)
	if err != nil {
		rel = path
	}
	return filepath.ToSlash(rel)
}

func (f *finder) problem(path, message string) {
	f.problems = append(f.problems, Problem{File: f.rel(path), Message: message})
}

func (f *finder) leave(path, reason string) {
	f.leftOut = append(f.leftOut, Problem{File: f.rel(path), Message: reason})
}

// base returns the folder that all files have to be in.
func (f *finder) base() string {
	if f.isFile {
		return filepath.Dir(f.root)
	}
	return f.root
}

// add adds a file to the list, once.
func (f *finder) add(path string) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		f.problem(path, "cannot be read: "+durable.Cause(err).Error())
		return
	}
	if !inside(f.base(), target) {
		f.problem(path, "is a link that leads out of the folder, so it is not followed")
		return
	}
	info, err := os.Stat(target)
	switch {
	case err != nil:
		f.problem(path, "cannot be read: "+durable.Cause(err).Error())
	case info.IsDir():
		f.leave(path, "is a link to a folder; its files are read in their own place")
	case !info.Mode().IsRegular():
		f.problem(path, "is not a regular file")
	case !f.seen[target]:
		f.seen[target] = true
		f.files = append(f.files, file{path: path, rel: f.rel(path), size: info.Size(), modified: info.ModTime()})
	}
}

func inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// walk calls visit for each file below a folder, in the order of names, without
// hidden files and folders. A folder that cannot be read is a problem; one that
// does not exist is none.
func (f *finder) walk(dir string, visit func(path string)) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if ended := f.ctx.Err(); ended != nil {
			return ended
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			f.problem(path, "cannot be read: "+durable.Cause(err).Error())
			return nil
		}
		switch skip := hidden(d) && path != dir; {
		case skip && d.IsDir():
			return fs.SkipDir
		case !skip && !d.IsDir():
			visit(path)
		}
		return nil
	})
}

func hidden(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") }

// entries returns what is in a folder, by name.
func (f *finder) entries(dir string) []fs.DirEntry {
	entries, err := os.ReadDir(dir)
	if err != nil {
		f.problem(dir, "cannot be read: "+durable.Cause(err).Error())
	}
	return entries
}

// isMarkdown reports whether a file is Markdown by its name.
func isMarkdown(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".md" || ext == ".markdown"
}

// dayOf returns the date that a file name begins with, "" for none.
func dayOf(name string) string {
	if len(name) < len(time.DateOnly) {
		return ""
	}
	day := name[:len(time.DateOnly)]
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return ""
	}
	rest := name[len(day):]
	if rest != "" && rest[0] >= '0' && rest[0] <= '9' {
		return ""
	}
	return day
}
