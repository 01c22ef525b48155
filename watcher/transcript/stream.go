package transcript

import (
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

// begin starts a streamed message, unless it is the one at hand.
func (r *reader) begin(id string) {
	if id != r.stream.id {
		r.flush()
		r.stream = stream{id: id}
	}
}

// block returns the ID of a text block of the message at hand: by its place
// among the texts, or that of the text it has grown from.
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

// hold keeps a message back, in the place of an earlier state of it if there
// is one: only streamed messages have several.
func (r *reader) hold(m Message) {
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

func (r *reader) flush() {
	for _, m := range r.held {
		r.emit(m)
	}
	clear(r.held)
	r.held, r.size = r.held[:0], 0
}

// emit passes a message on. After an error nothing more is.
func (r *reader) emit(m Message) {
	if r.err == nil {
		r.err = r.each(m)
	}
}

// said takes the words of a person or an assistant, if there are any. They wait for what
// is said next: they may turn out to be a summary, or of another session.
func (r *reader) said(role Role, id, text string) {
	if text != "" {
		r.flush()
		r.hold(r.message(role, Said, id, text))
	}
}

// echo is a message that may be repeated in another form: Codex writes what was said as
// an item and as an event, OpenClaw mirrors what it sent to a channel.
type echo struct {
	role   Role
	text   string
	second bool // in the second form
	at     time.Time
}

// The largest distance between the two forms. The same words two minutes later are said
// again.
const (
	maxEchoes   = 16 // messages
	maxEchoTime = 2 * time.Minute
)

// saidUnlessRepeated takes text that the file may have in two forms, once.
func (r *reader) saidUnlessRepeated(role Role, id, text string, second bool) {
	if text == "" {
		return
	}
	for i, e := range r.echoes {
		if e.role == role && e.text == text && e.second != second && r.line.at.Sub(e.at).Abs() <= maxEchoTime {
			r.echoes = append(r.echoes[:i], r.echoes[i+1:]...)
			return
		}
	}
	r.echoes = append(r.echoes, echo{role, text, second, r.line.at})
	r.echoes = r.echoes[max(0, len(r.echoes)-maxEchoes):]
	r.said(role, id, text)
}
