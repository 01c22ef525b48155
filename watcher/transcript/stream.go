package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// stream is the assistant message whose blocks are arriving.
type stream struct {
	id    string
	texts []string // of its blocks so far
}

// Messages are held back while their blocks arrive, up to these bounds; a
// block that grows after that is passed on again, under the same ID.
const (
	maxHeld     = 64
	maxHeldSize = 1 << 20
)

// begin starts a streamed message, unless it is the current one.
func (r *reader) begin(id string) {
	if id != r.stream.id {
		r.flush()
		r.stream = stream{id: id}
	}
}

// block returns the ID of a text block of the current message. It depends on the position
// of the block. A text that begins with an earlier one replaces it and keeps its ID.
func (s *stream) block(text string) string {
	at := slices.IndexFunc(s.texts, func(before string) bool { return strings.HasPrefix(text, before) })
	if at < 0 {
		at = len(s.texts)
		s.texts = append(s.texts, text)
	}
	s.texts[at] = text
	if at == 0 || s.id == "" {
		return s.id
	}
	return s.id + "#" + strconv.Itoa(at+1)
}

// hold holds a message back. It replaces an earlier state of the same streamed message.
func (r *reader) hold(m Message) {
	if m.Role == User {
		r.asked(m)
	}
	for i := range r.held {
		if h := &r.held[i]; h.ID == m.ID && h.Kind == m.Kind && m.ID != "" && r.stream.id != "" {
			r.size += len(m.Text) - len(h.Text)
			*h = m
			return
		}
	}
	r.held = append(r.held, m)
	r.size += len(m.Text)
	if len(r.held) >= maxHeld || r.size >= maxHeldSize {
		r.flush()
	}
}

// flush passes on what is held back, unless passing on an earlier message failed.
func (r *reader) flush() {
	for _, m := range r.held {
		if r.err == nil && !r.program {
			r.err = r.each(m)
		}
	}
	clear(r.held)
	r.held, r.size = r.held[:0], 0
}

// said holds back words until the next message, which may show that they are a summary.
func (r *reader) said(role Role, id, text string) {
	if role == User && !r.typed && ofProgram(text, r.throughSDK) {
		r.leaveOut()
	}
	if text != "" {
		r.flush()
		r.hold(r.message(role, Said, id, text))
	}
}

// twoForm is a message that the file may repeat in another form. Codex writes messages as
// an item and as an event, and OpenClaw mirrors what it sent to a channel.
type twoForm struct {
	role   Role
	text   string
	second bool // in the second form
	at     time.Time
}

// The largest distance between the two forms of a message. The same words after that are
// a new message.
const (
	maxFormDistance = 16 // messages
	maxFormDelay    = 2 * time.Minute
)

// saidUnlessRepeated is said for messages that may come in two forms; the later one is ignored.
func (r *reader) saidUnlessRepeated(role Role, id, text string, second bool) {
	if text == "" {
		return
	}
	for i, e := range r.twoForms {
		if e.role == role && e.text == text && e.second != second && r.line.at.Sub(e.at).Abs() <= maxFormDelay {
			r.twoForms = append(r.twoForms[:i], r.twoForms[i+1:]...)
			return
		}
	}
	r.twoForms = append(r.twoForms, twoForm{role, text, second, r.line.at})
	r.twoForms = r.twoForms[max(0, len(r.twoForms)-maxFormDistance):]
	r.said(role, id, text)
}

const readAhead = 256 << 10

// lineReader returns lines of any length in bounded memory.
type lineReader struct {
	in   *bufio.Reader
	long []byte // a line that does not fit into the read-ahead
}

// rawLine is one line without its line end.
type rawLine struct {
	text     []byte // valid until the next line is read
	size     int64  // bytes in the file, line end included
	complete bool   // it has a line end
	tooLong  bool   // longer than MaxLine; text is only its beginning
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
		if line.tooLong = line.size > MaxLine; !line.tooLong {
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
	line.complete = err == nil
	line.text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte{'\n'}), []byte{'\r'})
	return line, nil
}
