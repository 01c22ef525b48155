package transcript

import (
	"strconv"
	"strings"
	"time"

	"github.com/zeebo/xxh3"
)

// stream is the assistant message whose blocks are arriving. It knows their
// texts by length and hash, so that it can tell a block that has grown from a
// further one even when an earlier read handed out the first.
type stream struct {
	ID    string  `json:"id,omitempty"`
	Texts []piece `json:"texts,omitempty"`
}

type piece struct {
	Len  int    `json:"len"`
	Hash uint64 `json:"hash"`
}

// Messages are held back while their blocks arrive, up to these bounds; a
// block that grows after that is handed out again, under the same ID.
const (
	maxHeld     = 64
	maxHeldSize = 1 << 20
	maxPieces   = 256
)

// begin starts a streamed message, unless it is the one at hand.
func (r *reader) begin(id string) {
	if id != r.state.Stream.ID {
		r.flush()
		r.state.Stream = stream{ID: id}
	}
}

// block returns the ID of a text block of the message at hand: by its place
// among the texts, or that of the text it has grown from.
func (s *stream) block(text string) string {
	hash := xxh3.HashString(text)
	for i, p := range s.Texts {
		if p.Len <= len(text) && xxh3.HashString(text[:p.Len]) == p.Hash {
			s.Texts[i] = piece{len(text), hash}
			return s.name(i)
		}
	}
	if len(s.Texts) < maxPieces {
		s.Texts = append(s.Texts, piece{len(text), hash})
	}
	return s.name(len(s.Texts) - 1)
}

func (s *stream) name(i int) string {
	if i == 0 || s.ID == "" {
		return s.ID
	}
	return s.ID + "#" + strconv.Itoa(i+1)
}

// hold keeps a message back, in the place of an earlier state of it if there
// is one.
func (r *reader) hold(m Message) {
	for i := range r.held {
		if h := &r.held[i]; h.ID == m.ID && h.Kind == m.Kind && m.ID != "" {
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

// pass hands a message out, after those that are held back. A tool's message
// waits with them.
func (r *reader) pass(m Message) {
	if len(r.held) > 0 && m.Role == Tool {
		r.hold(m)
		return
	}
	r.flush()
	r.emit(m)
}

func (r *reader) flush() {
	for _, m := range r.held {
		r.emit(m)
	}
	clear(r.held)
	r.held, r.size = r.held[:0], 0
}

// emit hands a message out. After an error nothing more is.
func (r *reader) emit(m Message) {
	if r.err == nil {
		r.err = r.each(m)
	}
}

// said passes the words of a person or an assistant, if there are any.
func (r *reader) said(role Role, id, text string) {
	if text != "" {
		r.pass(r.message(role, Said, id, text))
	}
}

// saidUnlessRepeated passes text that the file may have in two places, once.
func (r *reader) saidUnlessRepeated(role Role, id, text string, from int) {
	if text != "" && !r.state.repeats(role, text, from, r.line.at) {
		r.said(role, id, text)
	}
}

// echoed is a message that may be repeated in another place of the file.
type echoed struct {
	Hash uint64 `json:"hash"`
	From int    `json:"from"`
	At   int64  `json:"at"` // milliseconds since 1970
}

// maxEchoes is the largest distance between the two, in messages. Codex writes them
// one after the other, now and then with some tool calls between; the same
// words two minutes later are said again.
const (
	maxEchoes   = 16
	maxEchoTime = 2 * time.Minute
)

// repeats reports whether another place of the file already had this text; otherwise it
// remembers the text. from identifies the place.
func (s *State) repeats(role Role, text string, from int, at time.Time) bool {
	hash := xxh3.HashStringSeed(strings.TrimSpace(text), uint64(len(role)))
	for i, e := range s.Echo {
		if e.Hash == hash && e.From != from && at.Sub(time.UnixMilli(e.At)).Abs() <= maxEchoTime {
			s.Echo = append(s.Echo[:i], s.Echo[i+1:]...)
			return true
		}
	}
	if len(s.Echo) >= maxEchoes {
		s.Echo = append(s.Echo[:0], s.Echo[1:]...)
	}
	s.Echo = append(s.Echo, echoed{hash, from, at.UnixMilli()})
	return false
}
