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

	"github.com/brainbridge/brainbridge/brain/durable"
)

// reader reads one file and hands its entries to the intake.
type reader struct {
	ctx    context.Context
	in     *intake
	file   file
	source string // the whole text
}

func (r *reader) problem(line int, format string, args ...any) {
	r.in.report.Problems = append(r.in.report.Problems, Problem{File: r.file.rel, Line: line, Message: fmt.Sprintf(format, args...)})
}

// refuse adds the problem that keeps the whole file out.
func (r *reader) refuse(line int, format string, args ...any) {
	r.problem(line, format, args...)
	why := r.in.report.Problems[len(r.in.report.Problems)-1]
	r.in.refused = &why
}

func (r *reader) leave(line int, reason string) {
	r.in.report.LeftOut = append(r.in.report.LeftOut, Problem{File: r.file.rel, Line: line, Message: reason})
}

// text returns the text of the file; false if it cannot be read, which is a
// problem. Lines are judged by who reads them.
func (r *reader) text(c content) (string, bool) {
	data, err := r.bytes()
	switch {
	case err != nil:
		r.refuse(0, "cannot be read: %v", durable.Cause(err))
		return "", false
	case int64(len(data)) > r.in.o.MaxFile:
		r.refuse(0, "has %d bytes, more than the %d of notes.max_file; skipped. Split it, or set notes.max_file",
			max(r.file.size, int64(len(data))), r.in.o.MaxFile)
		return "", false
	}
	if i := bytes.IndexByte(data, 0); i >= 0 && c == text {
		r.refuse(lineAt(data, i), "holds a NUL byte, so it is not text, or not UTF-8; skipped. Convert it to UTF-8")
		return "", false
	}
	if i := invalidAt(data); i >= 0 && c == text && !r.in.o.Repair {
		r.refuse(lineAt(data, i), "is not valid UTF-8; skipped. Convert it, or import it with --repair")
		return "", false
	}
	source := string(data)
	if r.in.o.Repair {
		restored, n := Repair(source)
		source, r.in.report.Repaired = restored, r.in.report.Repaired+n
	}
	r.in.report.Files++
	r.in.report.Bytes += int64(len(data))
	return strings.TrimPrefix(source, "\uFEFF"), true
}

func (r *reader) bytes() ([]byte, error) {
	f, err := os.Open(r.file.path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	return io.ReadAll(io.LimitReader(f, r.in.o.MaxFile+1))
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
	t, err := time.ParseInLocation(time.DateOnly, day, r.in.o.Location)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}
