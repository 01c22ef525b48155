package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/zeebo/xxh3"
)

const (
	readAhead = 256 << 10
	// minRun is the length from which bytes of the base64 alphabet in a row are
	// taken for base64. Words have blanks and code has brackets; 4 KiB without
	// either is nobody's text.
	minRun = 4 << 10
)

// dropped stands in the text where base64 was.
const dropped = "[base64]"

// lineReader hands out lines of any length in bounded memory.
type lineReader struct {
	in     *bufio.Reader
	hash   *xxh3.Hasher // of the bytes of all lines handed out, nil if nobody asks
	tail   xxh3.Hasher  // hash, and a last line without line end
	long   []byte       // a line that does not fit into the read-ahead
	base64 int64        // bytes left out so far
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
	if errors.Is(err, bufio.ErrBufferFull) {
		return l.nextLong(part)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return rawLine{}, err
	}
	if len(part) == 0 {
		return rawLine{}, io.EOF
	}
	line := rawLine{size: int64(len(part)), whole: part[len(part)-1] == '\n'}
	l.sum(part, line.whole)
	s := stripper{text: part}
	s.strip()
	line.text = trimEnd(s.text)
	l.base64 += s.dropped
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

// accept says that the last line counts though it has no line end.
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
	line := rawLine{}
	s := stripper{text: l.long[:0]}
	var err error
	for {
		l.sum(part, true)
		line.size += int64(len(part))
		line.whole = len(part) > 0 && part[len(part)-1] == '\n'
		if !line.over {
			s.add(part)
			line.over = len(s.text) > MaxLine
		}
		if line.whole || (err != nil && !errors.Is(err, bufio.ErrBufferFull)) {
			break
		}
		part, err = l.in.ReadSlice('\n')
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return rawLine{}, err
	}
	if !line.whole && l.hash != nil {
		l.tail, *l.hash = *l.hash, before
	}
	l.long = s.text[:0]
	line.text = trimEnd(s.text)
	l.base64 += s.dropped
	return line, nil
}

func trimEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'})
}

// stripper collects a line piece by piece and leaves out its base64.
type stripper struct {
	text    []byte
	seen    int  // bytes of text in which no run can begin that is not found yet
	inRun   bool // the run at the end of text was dropped and may go on
	slashes int  // backslashes at the end of the dropped run
	dropped int64
}

// add appends a piece.
func (s *stripper) add(piece []byte) {
	if s.inRun {
		n := s.runOn(piece)
		s.countSlashes(piece[:n])
		s.dropped += int64(n)
		piece = piece[n:]
		if len(piece) == 0 {
			return
		}
		s.endRun()
	}
	s.text = append(s.text, piece...)
	s.strip()
}

// runOn is how many bytes of piece go on with the run that was dropped.
func (s *stripper) runOn(piece []byte) int {
	n := 0
	for n < len(piece) && inRunAt(piece, n) && (n > 0 || piece[0] != 'u' || s.slashes == 0) {
		n++
	}
	return n
}

// strip looks for runs by probing: a run of minRun bytes covers every probe
// that is less than minRun away from the one before.
func (s *stripper) strip() {
	for probe := s.seen + minRun - 1; probe < len(s.text); {
		if !inRunAt(s.text, probe) {
			probe += minRun
			continue
		}
		from, to := s.runAround(probe)
		if to-from < minRun {
			probe = to + minRun
			continue
		}
		s.cut(from, to)
		probe = s.seen + minRun - 1
	}
	s.seen = len(s.text)
	for s.seen > 0 && len(s.text)-s.seen < minRun && inRunAt(s.text, s.seen-1) {
		s.seen--
	}
}

func (s *stripper) runAround(i int) (from, to int) {
	for from = i; from > s.seen && inRunAt(s.text, from-1); {
		from--
	}
	for to = i + 1; to < len(s.text) && inRunAt(s.text, to); {
		to++
	}
	return from, to
}

// cut drops a run. At the end of the text it stays open for the next piece.
func (s *stripper) cut(from, to int) {
	s.slashes = 0
	s.countSlashes(s.text[from:to])
	s.dropped += int64(to - from)
	rest := s.text[to:]
	s.text = s.text[:from]
	if len(rest) == 0 {
		s.inRun = true
		s.seen = len(s.text)
		return
	}
	keep := s.slashes%2 == 1
	s.text = append(s.text, dropped...)
	if keep {
		s.text = append(s.text, '\\')
	}
	s.seen = len(s.text)
	s.text = append(s.text, rest...)
}

// endRun closes a run that went over pieces. A backslash at its end belongs to
// the byte after it.
func (s *stripper) endRun() {
	s.text = append(s.text, dropped...)
	if s.slashes%2 == 1 {
		s.text = append(s.text, '\\')
	}
	s.inRun, s.slashes = false, 0
	s.seen = len(s.text)
}

func (s *stripper) countSlashes(run []byte) {
	n := 0
	for n < len(run) && run[len(run)-1-n] == '\\' {
		n++
	}
	if n < len(run) {
		s.slashes = 0
	}
	s.slashes += n
}

// inRunAt says whether the byte at i may belong to base64. The u of an escape
// does not: Chinese or emoji written in escapes would be long runs otherwise.
func inRunAt(text []byte, i int) bool {
	return inAlphabet(text[i]) && (text[i] != 'u' || i == 0 || text[i-1] != '\\')
}

// inAlphabet says whether c occurs in base64, in its form for URLs, or in the
// escapes of a slash or a line end in between.
func inAlphabet(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
		c == '+' || c == '/' || c == '=' || c == '-' || c == '_' || c == '\\'
}
