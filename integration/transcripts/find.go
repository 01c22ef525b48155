package transcripts

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// find returns the transcripts that the sources name, each once, by path. A
// folder that is not there has none.
func (d *Door) find() (paths []string, problems []Problem) {
	for _, glob := range d.o.Sources {
		found, err := doublestar.FilepathGlob(glob, doublestar.WithFilesOnly())
		if err != nil {
			problems = append(problems, Problem{File: glob, Message: "cannot be searched: " + reason(err)})
		}
		paths = append(paths, found...)
	}
	slices.Sort(paths)
	return slices.Compact(paths), problems
}

// lazyFile is a file that is opened when somebody reads it: most have not
// changed, and their names tell.
type lazyFile struct {
	path string
	f    *os.File
}

// Stat describes the file.
func (l *lazyFile) Stat() (fs.FileInfo, error) {
	if l.f != nil {
		return l.f.Stat()
	}
	return os.Stat(l.path)
}

// Read opens the file if it is not open.
func (l *lazyFile) Read(p []byte) (int, error) {
	if err := l.open(); err != nil {
		return 0, err
	}
	return l.f.Read(p)
}

// Seek opens the file if it is not open.
func (l *lazyFile) Seek(offset int64, whence int) (int64, error) {
	if err := l.open(); err != nil {
		return 0, err
	}
	return l.f.Seek(offset, whence)
}

func (l *lazyFile) open() (err error) {
	if l.f == nil {
		l.f, err = os.Open(l.path)
	}
	return err
}

func (l *lazyFile) close() {
	if l.f != nil {
		_ = l.f.Close() // it was only read
	}
}

// metered counts what is read of a file.
type metered struct {
	*lazyFile
	count func(int)
}

// Read counts.
func (m metered) Read(p []byte) (int, error) {
	n, err := m.lazyFile.Read(p)
	m.count(n)
	return n, err
}

var _ io.ReadSeeker = metered{}

// reason is an error without the path, which is said beside it.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

func sortProblems(all []Problem) []Problem {
	slices.SortFunc(all, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Message, b.Message))
	})
	all = slices.Compact(all)
	if all == nil {
		all = []Problem{}
	}
	return all
}
