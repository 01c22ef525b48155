package exchange

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/redact"
)

// identities makes and recognizes the ids of a brain, and cleans what core memory
// keeps.
type identities interface {
	NewID() string
	IDOf(text string) string
	OwnsID(id string) bool
	CoreWithoutSecrets(key, content string) (clean string, secrets int)
}

// reader reads one file.
type reader struct {
	contents
	ctx    context.Context
	base   identities
	now    time.Time
	o      Options
	file   file
	source string // the whole text
}

// contents is what a reader finds in a file.
type contents struct {
	report Report // about the file; Imported and Unchanged are unknown yet
	items  []item
	// named are relations of the knowledge graph with a name that is not in the file.
	named    []brain.EntityRelation
	rejected []string // lines that cannot be imported, to be saved elsewhere
	refused  *Problem // that keeps the whole file out
}

// readFile reads a file of a format.
func readFile(ctx context.Context, f Format, r reader) contents {
	r.ctx = ctx
	if f.content == notText || r.readText(f.content) {
		f.read(&r)
	}
	return r.contents
}

func (r *reader) problem(line int, format string, args ...any) {
	r.report.Problems = append(r.report.Problems, Problem{File: r.file.rel, Line: line, Message: fmt.Sprintf(format, args...)})
}

// refuse adds the problem that keeps the whole file out.
func (r *reader) refuse(line int, format string, args ...any) {
	r.problem(line, format, args...)
	r.refused = &r.report.Problems[len(r.report.Problems)-1]
}

func (r *reader) leave(line int, reason string) {
	r.report.LeftOut = append(r.report.LeftOut, Problem{File: r.file.rel, Line: line, Message: reason})
}

// clean takes the secrets out of a text and counts them.
func (r *reader) clean(text string) string {
	clean, secrets := redact.Text(text)
	r.report.Redacted += secrets
	return clean
}

// readText reads the text of the file. It returns false, and refuses the file, if
// that is not possible. Lines are checked by the format.
func (r *reader) readText(c content) bool {
	data, err := r.read()
	switch {
	case err != nil:
		r.refuse(0, "cannot be read: %v", durable.Cause(err))
		return false
	case int64(len(data)) > r.o.MaxFile:
		r.refuse(0, "has %d bytes, more than the %d of notes.max_file; skipped. Split it, or set notes.max_file",
			max(r.file.size, int64(len(data))), r.o.MaxFile)
		return false
	}
	if i := bytes.IndexByte(data, 0); i >= 0 && c == text {
		r.refuse(lineAt(data, i), "holds a NUL byte, so it is not text, or not UTF-8; skipped. Convert it to UTF-8")
		return false
	}
	if i := invalidAt(data); i >= 0 && c == text && !r.o.Repair {
		r.refuse(lineAt(data, i), "is not valid UTF-8; skipped. Convert it, or import it with --repair")
		return false
	}
	r.source = string(data)
	if r.o.Repair {
		r.source, r.report.Repaired = Repair(r.source)
	}
	r.source = strings.TrimPrefix(r.source, "\uFEFF")
	r.report.Files, r.report.Bytes = 1, int64(len(data))
	return true
}

func (r *reader) read() ([]byte, error) {
	f, err := os.Open(r.file.path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	return io.ReadAll(io.LimitReader(f, r.o.MaxFile+1))
}

// invalidAt returns the index of the first byte that is not UTF-8, -1 for none.
func invalidAt(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	for i, c := range string(data) {
		if _, size := utf8.DecodeRune(data[i:]); c == utf8.RuneError && size == 1 {
			return i
		}
	}
	return -1
}

func lineAt(data []byte, i int) int { return bytes.Count(data[:i], []byte("\n")) + 1 }

// dayStart returns the first instant of a day in the zone of the import, zero if
// there is no such day.
func (r *reader) dayStart(day string) time.Time {
	t, err := time.ParseInLocation(time.DateOnly, day, r.o.Location)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}
