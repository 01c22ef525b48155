package notes

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/watcher"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// maxProblems is the number of problems of one file that are stored.
const maxProblems = 100

// fileError says why a file cannot be read, with the line if there is one.
type fileError struct{ ingest.NoteProblem }

func (e *fileError) Error() string { return e.Message }

func fileErrorf(line int, format string, args ...any) error {
	return &fileError{ingest.NoteProblem{Line: line, Message: fmt.Sprintf(format, args...)}}
}

// read returns a file's bytes. Any error is a fileError.
func (d *Directory) read(info watcher.FileInfo) ([]byte, error) {
	if info.Size > d.o.MaxFile {
		return nil, d.tooLarge(info.Size)
	}
	f, err := os.Open(filepath.Join(d.o.Dir, filepath.FromSlash(info.Path)))
	if err != nil {
		return nil, unreadable(err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	data := bytes.NewBuffer(make([]byte, 0, info.Size+bytes.MinRead))
	if _, err := data.ReadFrom(io.LimitReader(f, d.o.MaxFile+1)); err != nil {
		return nil, unreadable(err)
	}
	return data.Bytes(), d.checkText(data.Bytes())
}

func (d *Directory) tooLarge(size int64) error {
	return fileErrorf(0, "has %d bytes, more than the %d of notes.max_file; skipped. Split it, or set notes.max_file", size, d.o.MaxFile)
}

func unreadable(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fileErrorf(0, "disappeared while it was being read; the next sync looks again")
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fileErrorf(0, "cannot be read: %v; its stored content stays", err)
}

// checkText refuses bytes that are not text. An error is a fileError.
func (d *Directory) checkText(data []byte) error {
	if int64(len(data)) > d.o.MaxFile {
		return d.tooLarge(int64(len(data)))
	}
	if utf8.Valid(data) && bytes.IndexByte(data, 0) < 0 {
		return nil
	}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if bytes.IndexByte(line, 0) >= 0 {
			return fileErrorf(n, "holds a NUL byte, so it is not text, or not in UTF-8; skipped. Convert it to UTF-8")
		}
		if !utf8.Valid(line) {
			break
		}
	}
	return fileErrorf(n, "is not valid UTF-8; skipped. Convert it to UTF-8")
}

// state returns what to remember of a file.
func (d *Directory) state(info watcher.FileInfo, data []byte, n ingest.Note, problems []dailynote.Problem) ingest.NoteState {
	sum := sha256.Sum256(data)
	sections := 0
	if n.Knowledge {
		sections = len(n.Sections)
	}
	return ingest.NoteState{
		Size: info.Size, Modified: info.ModTime.UTC(), Inode: info.Inode,
		Racy: d.racy(info.ModTime) || info.Size != int64(len(data)),
		Hash: hex.EncodeToString(sum[:]), Outcomes: len(n.Outcomes), Sections: sections, Problems: stored(problems),
	}
}

// racy reports whether a file could change again without a change of its time,
// because it was written within the clock's own step. (git calls such an entry of
// its index racily clean.) A time of whole seconds comes from a file system with
// steps of up to two seconds. A time in the future is safe: the next write changes
// it.
func (d *Directory) racy(modified time.Time) bool {
	step := 50 * time.Millisecond
	if modified.Nanosecond() == 0 {
		step = 2 * time.Second
	}
	return d.o.Now().Sub(modified).Abs() < step
}

func stored(problems []dailynote.Problem) []ingest.NoteProblem {
	var all []ingest.NoteProblem
	for i, p := range problems {
		if i == maxProblems {
			return append(all, ingest.NoteProblem{Message: fmt.Sprintf("and %d more", len(problems)-i)})
		}
		all = append(all, ingest.NoteProblem{Line: p.Line, Message: p.Message})
	}
	return all
}

// counted returns how many items of a file a result counts.
func counted(s ingest.NoteState) int { return s.Outcomes + s.Sections }

func sameState(a, z ingest.NoteState) bool {
	return a.Size == z.Size && a.Inode == z.Inode && a.Racy == z.Racy && a.Hash == z.Hash &&
		counted(a) == counted(z) && a.Modified.Equal(z.Modified) && slices.Equal(a.Problems, z.Problems)
}
