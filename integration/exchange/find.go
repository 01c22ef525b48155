package exchange

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/watcher"
)

type file struct {
	path     string // absolute
	rel      string // relative to what was given, with slashes
	size     int64
	modified time.Time
}

// find returns the files of an import. isFile reports whether it is of one file, not of a folder.
func find(ctx context.Context, format Format, o Options, report *Report) (files []file, isFile bool, err error) {
	path, err := filepath.Abs(o.Path)
	if err != nil {
		return nil, false, fmt.Errorf("find %s: %w", o.Path, err)
	}
	// The file names the others in its folder, which are imported with it.
	if format.folder && strings.HasSuffix(filepath.ToSlash(path), "/"+memoryFolder+"/"+memoryFile) {
		path = filepath.Dir(path)
	}
	info, err := os.Stat(path)
	// Other programs keep all memories in one file, and people give its folder.
	if err == nil && info.IsDir() && format.file != "" {
		path = filepath.Join(path, format.file)
		info, err = os.Stat(path)
	}
	if err != nil {
		kind := brain.ErrInvalid
		if errors.Is(err, fs.ErrNotExist) {
			kind = brain.ErrNotFound
		}
		return nil, false, brain.Errorf(kind, "give a file or folder that exists and that you may read", "%s cannot be read: %v", path, durable.Cause(err))
	}
	root, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, false, fmt.Errorf("find %s: %w", path, err)
	}
	switch {
	case info.Mode().IsRegular():
		return []file{{root, filepath.Base(root), info.Size(), info.ModTime()}}, true, nil
	case !info.IsDir():
		return nil, false, brain.Errorf(brain.ErrInvalid, "name a file or a folder", "%s is not a regular file", root)
	case format.pick == nil:
		return nil, false, brain.Errorf(brain.ErrInvalid, "name the file in it", "%s is a folder", root)
	}
	files, err = scan(ctx, root, o.Exclude, format.pick, report)
	if err == nil && len(files)+len(report.Problems) == 0 {
		err = brain.Errorf(brain.ErrInvalid, format.hint, "%s holds no Markdown", root)
	}
	return files, false, err
}

// maxLeftOut is the number of files that are named for each reason to leave them out.
const maxLeftOut = 20

// scan adds the files of a folder that pick takes and no glob excludes, and reports others.
func scan(ctx context.Context, dir string, exclude []string, pick func(rel string) bool, report *Report) (files []file, err error) {
	infos, problems, err := watcher.Scan(ctx, watcher.Config{Dir: dir, Match: pick, SkipDir: func(rel string) bool { return watcher.Matches(exclude, rel) }})
	var left []watcher.LeftOut
	handled := map[string]bool{}
	for _, info := range infos {
		if !watcher.Matches(exclude, info.Path) {
			handled[info.Path] = true
			files = append(files, file{filepath.Join(dir, filepath.FromSlash(info.Path)), info.Path, info.Size, info.ModTime})
		}
	}
	for _, p := range problems {
		handled[p.Path] = true
		report.Problems = append(report.Problems, Problem{File: p.Path, Message: p.Message})
	}
	if err == nil {
		left, err = watcher.Survey(ctx, dir, maxLeftOut, func(rel string) string {
			switch {
			case handled[rel], handled[strconv.Quote(rel)]: // as a problem has a name that does not print
				return ""
			case watcher.MatchesParent(exclude, rel):
				return watcher.Excluded
			case !isMarkdown(rel):
				return watcher.Extension(rel) + ": is not Markdown"
			}
			return "is not in a folder of memories"
		})
	}
	for _, l := range left {
		if l.Reason == watcher.Hidden {
			continue
		}
		for _, path := range l.Paths {
			report.LeftOut = append(report.LeftOut, Problem{File: path, Message: l.Reason})
		}
		if more := l.Files - len(l.Paths); more > 0 {
			report.LeftOut = append(report.LeftOut, Problem{File: ".", Message: fmt.Sprintf("%d more: %s", more, l.Reason)})
		}
	}
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) {
		err = brain.Errorf(brain.ErrInvalid, "give a folder that you may read", "%s cannot be read: %v", dir, durable.Cause(err))
	}
	return files, err
}

func isMarkdown(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".md" || ext == ".markdown"
}
