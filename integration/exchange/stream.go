package exchange

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// A format that has to know the whole file before it imports the first memory reads it twice.
const (
	checkStep  = "check"
	importStep = "import"
)

// maxLine is the maximum length of a line, in bytes. It suffices for a record of maximum content
// in which every character is escaped.
const maxLine = 8 * brain.MaxContent

// open opens the file as a stream that shows how much of it was read, or refuses it and returns
// nil.
func (r *reader) open(step string) io.ReadCloser {
	f, err := os.Open(r.file.path)
	if err != nil {
		r.refuse(0, "cannot be read: %v", durable.Cause(err))
		return nil
	}
	var start [3]byte
	if n, _ := io.ReadFull(f, start[:]); string(start[:n]) != "\ufeff" { // the mark of the byte order, which is no text
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		r.refuse(0, "cannot be read: %v", durable.Cause(err))
		return nil
	}
	if step == importStep {
		r.report.Files++
		r.report.Bytes += r.file.size
	}
	return &shownFile{File: f, show: func(read int64) {
		if r.o.Progress != nil {
			r.o.Progress(step+" (kB)", int(read/1000), int(r.file.size/1000))
		}
	}}
}

// shownFile shows how many bytes of it were read.
type shownFile struct {
	*os.File
	read int64
	show func(read int64)
}

// Read reads and shows.
func (f *shownFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	f.read += int64(n)
	f.show(f.read)
	return n, err
}

// eachLine calls fn with every line that is not blank, and its number. It returns false if the
// file cannot be read. Lines of more than [maxLine] bytes are problems.
func (r *reader) eachLine(step string, fn func(no int, line string)) bool {
	f := r.open(step)
	if f == nil {
		return false
	}
	defer f.Close() //nolint:errcheck // it was only read
	in := bufio.NewReaderSize(f, 64<<10)
	for no := 1; ; no++ {
		line, size, err := readLine(in)
		if err != nil && !errors.Is(err, io.EOF) {
			r.refuse(no, "cannot be read: %v", durable.Cause(err))
			return false
		}
		switch text := r.repaired(step, line); {
		case size > maxLine && step == importStep:
			r.problem(no, "this line has %d bytes, more than the limit of %d; left out", size, maxLine)
		case size <= maxLine && strings.TrimSpace(text) != "":
			fn(no, text)
		}
		if err != nil || r.err != nil || r.ctx.Err() != nil {
			return true
		}
	}
}

// readLine reads a line and returns its size. It keeps no more than the longest line.
func readLine(in *bufio.Reader) (line string, size int, err error) {
	var kept []byte
	for {
		part, err := in.ReadSlice('\n')
		if size += len(part); size <= maxLine {
			kept = append(kept, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return string(kept), size, err
		}
	}
}

// repaired repairs a piece of the file if the import does that, and counts it in the last pass.
func (r *reader) repaired(step, text string) string {
	if !r.o.Repair {
		return text
	}
	text, repaired := plaintext.Repair(text)
	if step == importStep {
		r.report.Repaired += repaired
	}
	return text
}

// fileLine returns the number of the line at an offset of the file.
func (r *reader) fileLine(offset int64) int {
	f, err := os.Open(r.file.path)
	if err != nil {
		return 0
	}
	defer f.Close() //nolint:errcheck // it was only read
	in, line := bufio.NewReader(io.LimitReader(f, offset)), 1
	for {
		switch c, err := in.ReadByte(); {
		case err != nil:
			return line
		case c == '\n':
			line++
		}
	}
}

// eachMember calls fn with the key of every member of the object that a document is. fn reads
// the value.
func eachMember(d *json.Decoder, fn func(key string) error) error {
	switch start, err := d.Token(); {
	case err != nil:
		return atEnd(err)
	case start != json.Delim('{'):
		return &json.UnmarshalTypeError{Value: "value"}
	}
	for d.More() {
		token, err := d.Token()
		if key, ok := token.(string); ok && err == nil {
			err = fn(key)
		}
		if err != nil {
			return atEnd(err)
		}
	}
	if _, err := d.Token(); err != nil {
		return atEnd(err)
	}
	if d.More() {
		return errors.New("there is more after the object")
	}
	return nil
}

// eachElement calls fn with the JSON of every element of a list, and counts them, before fn, in
// count. The list may be null, which leaves count as it is. field is its name.
func eachElement(d *json.Decoder, field string, count *int, fn func(raw json.RawMessage) error) error {
	start, err := d.Token()
	if err != nil || start == nil {
		return err
	}
	if start != json.Delim('[') {
		return &json.UnmarshalTypeError{Value: "value", Field: field}
	}
	for *count = 0; d.More(); {
		*count++
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		if err := fn(raw); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}

// atEnd returns the error of a document that ends too early, or err.
func atEnd(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
