package watcher

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/durable"
)

// walker visits each real directory below a root at most once, so that links cannot
// make it loop: first everything that is reached without links, then what links add.
type walker struct {
	cfg     Config
	root    string                             // absolute, without links
	enter   func(rel string)                   // called before a directory is read
	file    func(rel string, info fs.FileInfo) // called for a matching regular file; nil if only directories matter
	problem func(rel, message string)
	links   []string
	dirs    map[string]bool // visited directories, by real path relative to root
	files   map[string]bool // found files, likewise
}

func newWalker(cfg Config) *walker {
	return &walker{
		cfg:     cfg,
		enter:   func(string) {},
		problem: func(string, string) {},
		dirs:    map[string]bool{},
		files:   map[string]bool{},
	}
}

// walk visits the whole directory.
func (w *walker) walk(ctx context.Context) error {
	_, err := checkDir(w.cfg.Dir)
	if err == nil {
		w.root, err = filepath.EvalSymlinks(w.cfg.Dir)
	}
	if err == nil {
		err = w.dir(ctx, ".", ".")
	}
	if err != nil {
		return err
	}
	for len(w.links) > 0 {
		links := w.links
		w.links = nil
		slices.Sort(links)
		for _, link := range links {
			if err := w.follow(ctx, link); err != nil {
				return err
			}
		}
	}
	return nil
}

// dir reads the directory known as rel; place is where it is without links.
func (w *walker) dir(ctx context.Context, rel, place string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if w.dirs[place] {
		return nil
	}
	w.dirs[place] = true
	w.enter(rel)
	entries, err := os.ReadDir(filepath.Join(w.root, filepath.FromSlash(place)))
	if err != nil && rel == "." {
		return err
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.problem(rel, "directory cannot be read: "+durable.Cause(err).Error())
	}
	for _, entry := range entries {
		if err := w.entry(ctx, rel, place, entry); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) entry(ctx context.Context, dir, realDir string, entry fs.DirEntry) error {
	name := entry.Name()
	if Ignored(name) {
		return nil
	}
	rel, place := path.Join(dir, name), path.Join(realDir, name)
	switch kind := entry.Type(); {
	case !printable(name):
		w.problem(strconv.Quote(rel), "the name has a control character or is not UTF-8; rename it")
	case kind.IsDir():
		return w.subdir(ctx, rel, place)
	case kind&fs.ModeSymlink != 0:
		w.links = append(w.links, rel)
	case w.file != nil && w.cfg.matches(rel):
		w.found(rel, place, entry.Info)
	}
	return nil
}

func (w *walker) subdir(ctx context.Context, rel, place string) error {
	if w.cfg.skips(rel) {
		return nil
	}
	if w.cfg.matches(rel) {
		w.problem(rel, "is a directory where a file is expected; its files are read")
	}
	return w.dir(ctx, rel, place)
}

func (w *walker) found(rel, place string, stat func() (fs.FileInfo, error)) {
	if w.file == nil || w.files[place] {
		return
	}
	info, err := stat()
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		w.problem(rel, "cannot be examined: "+durable.Cause(err).Error())
	case !info.Mode().IsRegular():
		w.problem(rel, "is not a regular file; skipped")
	default:
		w.files[place] = true
		w.file(rel, info)
	}
}

// follow visits the target of a link, if it is inside the root and was not visited yet.
func (w *walker) follow(ctx context.Context, rel string) error {
	full, err := filepath.EvalSymlinks(filepath.Join(w.root, filepath.FromSlash(rel)))
	var info fs.FileInfo
	if err == nil {
		info, err = os.Stat(full)
	}
	isDir := err == nil && info.IsDir()
	if !isDir && !w.cfg.matches(rel) {
		return nil
	}
	if err != nil {
		w.problem(rel, "symbolic link cannot be followed: "+durable.Cause(err).Error())
		return nil
	}
	place, err := filepath.Rel(w.root, full)
	if err != nil || !filepath.IsLocal(place) {
		w.problem(rel, "symbolic link leads outside the directory; not followed")
		return nil
	}
	place = filepath.ToSlash(place)
	if isDir {
		return w.subdir(ctx, rel, place)
	}
	w.found(rel, place, func() (fs.FileInfo, error) { return info, nil })
	return nil
}

// printable reports whether a name can be part of a report, a log line and a URL.
func printable(name string) bool {
	return utf8.ValidString(name) && strings.IndexFunc(name, unicode.IsControl) < 0
}

// Within reports whether rel is dir or below it, in paths with slashes below one directory.
func Within(rel, dir string) bool {
	return dir == "." || rel == dir || strings.HasPrefix(rel, dir+"/")
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
	switch ext := strings.ToLower(path.Ext(name)); ext {
	case ".swp", ".swo", ".swx", ".tmp", ".temp", ".crdownload", ".part", ".partial", ".download", ".filepart":
		return true
	default:
		return strings.HasPrefix(ext, ".sb-") // safe save of macOS
	}
}
