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
// that has no name; what is held is an entry a message.
type collector struct {
	file     *os.File
	out      *bufio.Writer
	size     int64
	copies   *transcript.Deduper
	entries  []entry
	newer    map[xxh3.Uint128]int // the last text of messages that have several
	sessions []session
	byName   map[string]int32
	paths    []string
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
	role    speaker
	kind    what
}

// session is one conversation.
type session struct {
	id    string
	path  int32 // of the file that it was first met in
	first int64 // milliseconds since 1970
	rank  int
}

type (
	speaker uint8
	what    uint8
)

const (
	user speaker = iota
	assistant
	tool
)

const (
	said what = iota
	call
	output
	failure
)

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
	if c != nil {
		_ = c.file.Close() // only read from here on
		_ = os.Remove(c.file.Name())
	}
}

// add takes a message of the day. Files come in the order of their paths. An
// error is an errFatal.
func (c *collector) add(m transcript.Message, path string) error {
	verdict := c.copies.See(m)
	if verdict == transcript.Repeat {
		return nil
	}
	text, secrets := redact.Text(m.Text)
	if strings.TrimSpace(text) == "" {
		return nil
	}
	c.redacted += secrets
	if _, err := c.out.WriteString(text); err != nil {
		return errFatal{fmt.Errorf("keep a text in a temporary file: %w", err)}
	}
	key := m.Key()
	if verdict == transcript.Newer {
		c.newer[key] = len(c.entries)
	}
	at := m.At.UnixMilli()
	c.entries = append(c.entries, entry{
		key: key.Lo, at: at, offset: c.size, size: int32(len(text)), session: c.session(m.Session, path, at),
		path: c.path(path), line: int32(min(m.Line, 1<<31-1)), role: roleOf(m.Role), kind: kindOf(m.Kind),
	})
	c.size += int64(len(text))
	return nil
}

func (c *collector) path(path string) int32 {
	if n := len(c.paths); n == 0 || c.paths[n-1] != path {
		c.paths = append(c.paths, path)
	}
	return int32(len(c.paths) - 1)
}

func (c *collector) session(id, path string, at int64) int32 {
	n, known := c.byName[id]
	if !known {
		n = int32(len(c.sessions))
		id = strings.Clone(id)
		c.byName[id] = n
		c.sessions = append(c.sessions, session{id: id, path: c.path(path), first: at})
	}
	c.sessions[n].first = min(c.sessions[n].first, at)
	return n
}

func roleOf(r transcript.Role) speaker {
	switch r {
	case transcript.User:
		return user
	case transcript.Assistant:
		return assistant
	}
	return tool
}

func kindOf(k transcript.Kind) what {
	switch k {
	case transcript.Call:
		return call
	case transcript.Output:
		return output
	case transcript.Failure:
		return failure
	}
	return said
}

// settle puts the entries in order: by session, the earliest first, and by time.
func (c *collector) settle() error {
	if err := c.out.Flush(); err != nil {
		return fmt.Errorf("keep texts in a temporary file: %w", err)
	}
	c.takeNewest()
	order := make([]int, len(c.sessions))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		x, y := c.sessions[a], c.sessions[b]
		return cmp.Or(cmp.Compare(x.first, y.first), strings.Compare(x.id, y.id))
	})
	for rank, i := range order {
		c.sessions[i].rank = rank
	}
	slices.SortStableFunc(c.entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(c.sessions[a.session].rank, c.sessions[b.session].rank), cmp.Compare(a.at, b.at),
			cmp.Compare(a.path, b.path), cmp.Compare(a.line, b.line))
	})
	return nil
}

// messages counts what the person and the assistant said; calls of tools and
// their results are none.
func (c *collector) messages() int {
	n := 0
	for _, e := range c.entries {
		if e.kind == said {
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
	text    string
	session string
	at      time.Time
	opens   bool   // it is the first of its session
	begins  bool   // and of an exchange
	title   string // heading of the session, without number signs
	heading string // and of the exchange
}

// walk hands out the messages in order. It may be called again.
func (c *collector) walk(h headings, fn func(piece) error) error {
	h.taken = map[string]int{}
	var buf []byte
	p, at := piece{}, int32(-1)
	for _, e := range c.entries {
		if int(e.size) > cap(buf) {
			buf = make([]byte, e.size)
		}
		buf = buf[:e.size]
		if _, err := c.file.ReadAt(buf, e.offset); err != nil {
			return fmt.Errorf("read a text from a temporary file: %w", err)
		}
		s := c.sessions[e.session]
		p.entry, p.text, p.session, p.at = e, string(buf), s.id, time.UnixMilli(e.at).UTC()
		p.opens = e.session != at
		p.begins = p.opens || e.role == user && e.kind == said
		if at = e.session; p.opens {
			p.title = h.session(s, c.paths[s.path])
		}
		if p.begins {
			p.heading = h.exchange(p)
		}
		if err := fn(p); err != nil {
			return err
		}
	}
	return nil
}
