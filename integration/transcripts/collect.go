package transcripts

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/brainbridge/brainbridge/brain/redact"
	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// collector puts the messages of a day in order. Texts lie in a temporary file
// that has no name; in memory is an entry for each message.
type collector struct {
	file     *os.File
	out      *bufio.Writer // its first error stays
	size     int64
	copies   *transcript.Deduper
	entries  []entry
	newer    map[xxh3.Uint128]int // the last text of messages that have several
	sessions []session
	byName   map[string]int32
	path     string // of the last message
	paths    int32  // number of files with messages
	redacted int
}

// entry is one message.
type entry struct {
	key     uint64 // half of that of the message
	at      int64  // milliseconds since 1970
	offset  int64  // of its text in the temporary file
	size    int32
	session int32
	path    int32
	line    int32
	role    transcript.Role
	kind    transcript.Kind
	// heading is set for an entry from the earlier transcript of the day: that
	// above it there. Its text is that of the earlier transcript, too.
	heading *string
}

// session is one conversation.
type session struct {
	id     string
	folder string // working directory
	format transcript.Format
	first  int64  // milliseconds since 1970
	title  string // of a session that only the earlier transcript has
}

func newCollector(temp string) (*collector, error) {
	f, err := os.CreateTemp(temp, "brainbridge-transcript-")
	if err != nil {
		return nil, fmt.Errorf("make a temporary file for texts: %w", err)
	}
	_ = os.Remove(f.Name()) // it stays until it is closed; where that does not work, close removes it
	return &collector{
		file: f, out: bufio.NewWriterSize(f, 1<<16), copies: transcript.NewDeduper(),
		newer: map[xxh3.Uint128]int{}, byName: map[string]int32{},
	}, nil
}

func (c *collector) close() {
	if c != nil && c.file != nil {
		_ = c.file.Close() // only read from here on
		_ = os.Remove(c.file.Name())
		c.file = nil
	}
}

// add takes a message of the day. Files come in the order of their paths.
func (c *collector) add(m transcript.Message, path string) {
	verdict := c.copies.See(m)
	if verdict == transcript.Repeat {
		return
	}
	text, found := redact.Text(m.Text)
	if strings.TrimSpace(text) == "" {
		return
	}
	c.redacted += found
	key := m.Key()
	if verdict == transcript.Newer {
		c.newer[key] = len(c.entries)
	}
	if c.path != path {
		c.path = path
		c.paths++
	}
	at := m.At.UnixMilli()
	c.write(text, entry{
		key: key.Lo, at: at, session: c.session(m, at),
		path: c.paths, line: int32(min(m.Line, 1<<31-1)), role: m.Role, kind: m.Kind,
	})
}

// write adds an entry with its text.
func (c *collector) write(text string, e entry) {
	_, _ = c.out.WriteString(text) // settle returns the error
	e.offset, e.size = c.size, int32(len(text))
	c.entries = append(c.entries, e)
	c.size += int64(len(text))
}

func (c *collector) session(m transcript.Message, at int64) int32 {
	n, known := c.byName[m.Session]
	if !known {
		n = int32(len(c.sessions))
		id := strings.Clone(m.Session)
		c.byName[id] = n
		c.sessions = append(c.sessions, session{id: id, format: m.Format, first: at})
	}
	if c.sessions[n].folder == "" {
		c.sessions[n].folder = strings.Clone(m.Folder)
	}
	c.sessions[n].first = min(c.sessions[n].first, at)
	return n
}

// folders returns the working directories of the sessions.
func (c *collector) folders() map[string]string {
	all := map[string]string{}
	for _, s := range c.sessions {
		all[s.id] = s.folder
	}
	return all
}

// settle puts the last text of each message in its place, and sorts.
func (c *collector) settle() error {
	c.takeNewest()
	return c.sort()
}

// sort puts the entries in order: by session, the earliest first, and by time.
func (c *collector) sort() error {
	if err := c.out.Flush(); err != nil {
		return fmt.Errorf("keep texts in a temporary file: %w", err)
	}
	slices.SortStableFunc(c.entries, func(a, b entry) int {
		if a.session != b.session {
			x, y := c.sessions[a.session], c.sessions[b.session]
			return cmp.Or(cmp.Compare(x.first, y.first), strings.Compare(x.id, y.id))
		}
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.path, b.path), cmp.Compare(a.line, b.line))
	})
	return nil
}

// messages counts what the person and the assistant said.
func (c *collector) messages() int {
	n := 0
	for _, e := range c.entries {
		if e.kind == transcript.Said && e.heading == nil {
			n++
		}
	}
	return n
}

// takeNewest puts the last text of a message in the place of its first.
func (c *collector) takeNewest() {
	if len(c.newer) == 0 {
		return
	}
	last := map[uint64]entry{}
	for key, i := range c.newer {
		last[key.Lo] = c.entries[i]
	}
	placed := map[uint64]bool{}
	kept := c.entries[:0]
	for _, e := range c.entries {
		newest, several := last[e.key]
		if several && placed[e.key] {
			continue
		}
		if several {
			placed[e.key] = true
			e.offset, e.size = newest.offset, newest.size
		}
		kept = append(kept, e)
	}
	c.entries = kept
}

// piece is a message in its place.
type piece struct {
	entry
	text           string
	session        string
	at             time.Time
	startsSession  bool   // it is the first message of a session
	startsExchange bool   // it is the first message of an exchange
	title          string // heading of the session, without number signs
	heading        string // and of the exchange
}

// walk calls fn with the messages in order. It may be called again.
func (c *collector) walk(h headings, fn func(piece) error) error {
	h.taken = map[string]int{}
	var buf []byte
	p, at := piece{}, int32(-1)
	for _, e := range c.entries {
		buf = slices.Grow(buf[:0], int(e.size))[:e.size]
		if _, err := c.file.ReadAt(buf, e.offset); err != nil {
			return fmt.Errorf("read a text from a temporary file: %w", err)
		}
		s := c.sessions[e.session]
		p.entry, p.text, p.session, p.at = e, string(buf), s.id, time.UnixMilli(e.at).UTC()
		p.startsSession = e.session != at
		if at = e.session; p.startsSession {
			p.title, p.heading = cmp.Or(s.title, h.session(s)), ""
		}
		if e.heading != nil {
			p.startsExchange = *e.heading != "" && *e.heading != p.heading
		} else {
			p.startsExchange = p.heading == "" || e.role == transcript.User && e.kind == transcript.Said
		}
		switch {
		case p.startsExchange && e.heading != nil:
			p.heading = *e.heading
		case p.startsExchange:
			p.heading = h.exchange(p)
		}
		if err := fn(p); err != nil {
			return err
		}
	}
	return nil
}
