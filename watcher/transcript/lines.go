package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/zeebo/xxh3"
)

const readAhead = 256 << 10

// lineReader hands out lines of any length in bounded memory.
type lineReader struct {
	in   *bufio.Reader
	hash *xxh3.Hasher // of the bytes of all lines handed out, nil if nobody asks
	tail xxh3.Hasher  // hash, and a last line without line end
	long []byte       // a line that does not fit into the read-ahead
}

// rawLine is one line without its line end.
type rawLine struct {
	text  []byte // valid until the next line is read
	size  int64  // bytes in the file, line end included
	whole bool   // it has a line end
	over  bool   // it is longer than MaxLine, and text is only its beginning
}

func newLineReader(r io.Reader, hash *xxh3.Hasher) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(r, readAhead), hash: hash}
}

// next reads one line. The error is io.EOF after the last one.
func (l *lineReader) next() (rawLine, error) {
	part, err := l.in.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return l.nextLong(part)
	case err != nil && !errors.Is(err, io.EOF):
		return rawLine{}, err
	case len(part) == 0:
		return rawLine{}, io.EOF
	}
	line := rawLine{size: int64(len(part)), whole: part[len(part)-1] == '\n'}
	l.sum(part, line.whole)
	s := stripper{text: part}
	s.strip()
	line.text = trimEnd(s.text)
	return line, nil
}

// sum adds the bytes of a line to the hash. A last line without line end is
// added to the tail only: whether it counts is known when it is understood.
func (l *lineReader) sum(part []byte, whole bool) {
	if l.hash == nil {
		return
	}
	to := l.hash
	if !whole {
		l.tail = *l.hash
		to = &l.tail
	}
	_, _ = to.Write(part) // never fails
}

// accept counts the last line though it has no line end.
func (l *lineReader) accept() {
	if l.hash != nil {
		*l.hash = l.tail
	}
}

// nextLong reads a line that begins with part, a full read-ahead of it.
func (l *lineReader) nextLong(part []byte) (rawLine, error) {
	var before xxh3.Hasher
	if l.hash != nil {
		before = *l.hash
	}
	var line rawLine
	s := stripper{text: l.long[:0]}
	err := bufio.ErrBufferFull
	for {
		l.sum(part, true)
		line.size += int64(len(part))
		if !line.over {
			s.add(part)
			line.over = len(s.text) > MaxLine
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			break
		}
		part, err = l.in.ReadSlice('\n')
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return rawLine{}, err
	}
	line.whole = err == nil
	if !line.whole && l.hash != nil {
		l.tail, *l.hash = *l.hash, before
	}
	l.long = s.text[:0]
	line.text = trimEnd(s.text)
	return line, nil
}

func trimEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'})
}
