package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

const readAhead = 256 << 10

// lineReader returns lines of any length in bounded memory.
type lineReader struct {
	in   *bufio.Reader
	long []byte // a line that does not fit into the read-ahead
}

// rawLine is one line without its line end.
type rawLine struct {
	text  []byte // valid until the next line is read
	size  int64  // bytes in the file, line end included
	whole bool   // it has a line end
	over  bool   // it is longer than MaxLine, and text is only its beginning
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(r, readAhead)}
}

// next reads one line. The error is io.EOF after the last one.
func (l *lineReader) next() (rawLine, error) {
	text, err := l.in.ReadSlice('\n')
	line := rawLine{size: int64(len(text))}
	if errors.Is(err, bufio.ErrBufferFull) {
		text = append(l.long[:0], text...)
	}
	for errors.Is(err, bufio.ErrBufferFull) {
		var part []byte
		part, err = l.in.ReadSlice('\n')
		line.size += int64(len(part))
		if line.over = line.size > MaxLine; !line.over {
			text = append(text, part...)
			l.long = text
		}
	}
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return rawLine{}, err
	case line.size == 0:
		return rawLine{}, io.EOF
	}
	line.whole = err == nil
	line.text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte{'\n'}), []byte{'\r'})
	return line, nil
}
