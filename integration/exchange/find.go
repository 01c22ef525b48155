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
	ctx    context.Context
	root   string // absolute, links followed; the file itself where one was given
	isFile bool
	report Report
	files  []file
	seen   map[string]bool // absolute paths
}

// find returns the files of a format at a path.
func find(ctx context.Context, format Format, path string) (*finder, error) {
	info, err := os.Stat(path)
	if err == nil && info.IsDir() && format.file != "" {
		path = filepath.Join(path, format.file)
		info, err = os.Stat(path)
	}
	if err != nil {
		kind := brain.ErrInvalid
		if errors.Is(err, fs.ErrNotExist) {
			kind = brain.ErrNotFound
		}
		return nil, brain.Errorf(kind, "give a file or folder that exists and that you may read", "%s cannot be read: %v", path, durable.Cause(err))
	}
	root, err := filepath.Abs(path)
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", path, err)
	}
	f := &finder{ctx: ctx, root: root, isFile: !info.IsDir(), seen: map[string]bool{}}
	switch {
	case f.isFile:
		f.add(root)
		if format.links {
			f.addLinked(root)
		}
	case format.folder == nil:
		return nil, brain.Errorf(brain.ErrInvalid, "name the file in it", "%s is a folder", root)
	default:
		format.folder(f)
		if len(f.files)+len(f.report.Problems) == 0 && ctx.Err() == nil {
			return nil, brain.Errorf(brain.ErrInvalid, format.hint, "%s holds no Markdown", root)
		}
	}
	return f, ctx.Err()
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
	f.report.Problems = append(f.report.Problems, Problem{File: f.rel(path), Message: message})
}

func (f *finder) leave(path, reason string) {
	f.report.LeftOut = append(f.report.LeftOut, Problem{File: f.rel(path), Message: reason})
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
		f.problem(path, "leads out of the folder, so it is not read")
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
// hidden files and folders, until the context ends. A folder that cannot be read
// is a problem; one that does not exist is none.
func (f *finder) walk(dir string, visit func(path string)) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		skip := err == nil && hidden(d) && path != dir
		switch {
		case f.ctx.Err() != nil:
			return fs.SkipAll
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			f.problem(path, "cannot be read: "+durable.Cause(err).Error())
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
	day, rest := name[:len(time.DateOnly)], name[len(time.DateOnly):]
	if _, err := time.Parse(time.DateOnly, day); err != nil || rest != "" && rest[0] >= '0' && rest[0] <= '9' {
		return ""
	}
	return day
}

// dateIn returns the first date in a text, "" for none.
func dateIn(text string) string {
	for i := 0; i+len("2006-01-02") <= len(text); i++ {
		if text[i] < '0' || text[i] > '9' || i > 0 && text[i-1] >= '0' && text[i-1] <= '9' {
			continue
		}
		if day := dayOf(text[i:]); day != "" {
			return day
		}
	}
	return ""
}
