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
)

// reader reads one file and hands what it holds to the intake.
type reader struct {
	ctx    context.Context
	in     *intake
	file   file
	source string // the whole text
}

func (r *reader) problem(line int, format string, args ...any) {
	r.in.report.Problems = append(r.in.report.Problems, Problem{r.file.rel, line, fmt.Sprintf(format, args...)})
}

// refuse names why nothing of the file can be taken in.
func (r *reader) refuse(line int, format string, args ...any) {
	r.problem(line, format, args...)
	why := r.in.report.Problems[len(r.in.report.Problems)-1]
	r.in.refused = &why
}

func (r *reader) leave(line int, reason string) {
	r.in.report.LeftOut = append(r.in.report.LeftOut, Problem{r.file.rel, line, reason})
}

// text is the text of the file; false where it cannot be had, which is named
// as a problem. Whether lines are text is for who reads them.
func (r *reader) text(c content) (string, bool) {
	if r.file.size > r.in.o.MaxFile {
		r.tooLarge(r.file.size)
		return "", false
	}
	data, err := r.bytes()
	switch {
	case err != nil:
		r.refuse(0, "cannot be read: %v", plain(err))
		return "", false
	case int64(len(data)) > r.in.o.MaxFile:
		r.tooLarge(int64(len(data)))
		return "", false
	}
	if i := bytes.IndexByte(data, 0); i >= 0 && c == text {
		r.refuse(lineAt(data, i), "holds a NUL byte, so it is no text, or not in UTF-8; skipped. Convert it to UTF-8")
		return "", false
	}
	source := string(data)
	if !utf8.Valid(data) && !r.in.o.Repair && c == text {
		r.refuse(lineAt(data, invalidAt(data)), "is not valid UTF-8; skipped. Convert it, or import it with --repair")
		return "", false
	}
	if r.in.o.Repair {
		mended, n := Repair(source)
		source, r.in.report.Repaired = mended, r.in.report.Repaired+n
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

func (r *reader) tooLarge(size int64) {
	r.refuse(0, "has %d bytes, more than the %d of notes.max_file; skipped. Split it, or set notes.max_file", size, r.in.o.MaxFile)
}

func invalidAt(data []byte) int {
	for at := 0; at < len(data); {
		c, size := utf8.DecodeRune(data[at:])
		if c == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return len(data)
}

func lineAt(data []byte, i int) int { return bytes.Count(data[:i], []byte("\n")) + 1 }

// dayStart is the first instant of a day in the zone of the import, zero where
// there is no such day.
func (r *reader) dayStart(day string) time.Time {
	t, err := time.ParseInLocation(time.DateOnly, day, r.in.o.Location)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}
