package watcher

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/durable"
)

// walker visits a directory and those below it. It does not follow links to directories,
// so that it cannot go in circles.
type walker struct {
	cfg     Config
	root    string                             // absolute, without links
	enter   func(rel string)                   // called before a directory is read
	file    func(rel string, info fs.FileInfo) // called for a matching regular file
	problem func(rel, message string)
}

func newWalker(cfg Config) *walker {
	return &walker{cfg: cfg, enter: func(string) {}, file: func(string, fs.FileInfo) {}, problem: func(string, string) {}}
}

// walk visits the whole directory.
func (w *walker) walk(ctx context.Context) error {
	root, err := realDir(w.cfg.Dir)
	if err != nil {
		return err
	}
	w.root = root
	return w.dir(ctx, ".")
}

func (w *walker) dir(ctx context.Context, rel string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w.enter(rel)
	entries, err := os.ReadDir(w.abs(rel))
	if err != nil && rel == "." {
		return err
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.problem(rel, "directory cannot be read: "+durable.Cause(err).Error())
	}
	for _, entry := range entries {
		if err := w.entry(ctx, path.Join(rel, entry.Name()), entry); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) abs(rel string) string { return filepath.Join(w.root, filepath.FromSlash(rel)) }

func (w *walker) entry(ctx context.Context, rel string, entry fs.DirEntry) error {
	name, kind := entry.Name(), entry.Type()
	switch {
	case Ignored(name), kind.IsDir() && w.cfg.skips(rel):
	case !printable(name):
		w.problem(strconv.Quote(rel), "the name has a control character or is not UTF-8; rename it")
	case kind.IsDir():
		if w.cfg.matches(rel) {
			w.problem(rel, "is a directory where a file is expected; its files are read")
		}
		return w.dir(ctx, rel)
	case kind&fs.ModeSymlink != 0:
		w.link(rel)
	case w.cfg.matches(rel):
		w.found(rel, entry.Info)
	}
	return nil
}

func (w *walker) found(rel string, stat func() (fs.FileInfo, error)) {
	info, err := stat()
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		w.problem(rel, "cannot be examined: "+durable.Cause(err).Error())
	case !info.Mode().IsRegular():
		w.problem(rel, "is not a regular file; skipped")
	default:
		w.file(rel, info)
	}
}

// link visits the file that the link rel leads to. Inside the root it is visited in its own
// place, unless its name there does not match.
func (w *walker) link(rel string) {
	full, err := filepath.EvalSymlinks(w.abs(rel))
	var info fs.FileInfo
	if err == nil {
		info, err = os.Stat(full)
	}
	place, outside := filepath.Rel(w.root, full)
	switch {
	case err != nil && w.cfg.matches(rel):
		w.problem(rel, "symbolic link cannot be followed: "+durable.Cause(err).Error())
	case err != nil, !info.IsDir() && !w.cfg.matches(rel):
	case outside != nil || !filepath.IsLocal(place):
		w.problem(rel, "symbolic link leads outside the directory; not followed")
	case !info.IsDir() && !w.visits(filepath.ToSlash(place)):
		w.found(rel, func() (fs.FileInfo, error) { return info, nil })
	}
}

// visits reports whether a file is visited in its own place.
func (w *walker) visits(rel string) bool {
	for at := rel; at != "."; at = path.Dir(at) {
		if Ignored(path.Base(at)) || at != rel && w.cfg.skips(at) {
			return false
		}
	}
	return w.cfg.matches(rel)
}

// printable reports whether a name can be part of a report, a log line and a URL.
func printable(name string) bool {
	return utf8.ValidString(name) && strings.IndexFunc(name, unicode.IsControl) < 0
}

// Ignored reports whether name, the last element of a path, is a dotfile or a
// temporary file of editors, browsers and sync programs: a backup, swap or lock file,
// or an unfinished download.
func Ignored(name string) bool {
	switch {
	case name == "", name[0] == '.', name == "4913": // 4913: vim tests whether it can write
		return true
	case strings.HasSuffix(name, "~"), strings.HasPrefix(name, "~$"):
		return true
	case len(name) > 1 && name[0] == '#' && name[len(name)-1] == '#':
		return true
	case strings.HasSuffix(name, "___jb_tmp___"), strings.HasSuffix(name, "___jb_old___"):
		return true
	}
	return temporarySuffix(strings.ToLower(name))
}

func temporarySuffix(name string) bool {
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return false
	}
	switch ext := name[dot+1:]; ext {
	case "swp", "swo", "swx", "tmp", "temp", "crdownload", "part", "partial", "download", "filepart":
		return true
	default:
		return strings.HasPrefix(ext, "sb-") // safe save of macOS
	}
}
