package transcripts

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/brainbridge/brainbridge/brain/redact"
	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// collector puts the messages of a day in order, each once. Texts are in a temporary file
// that has no name; in memory is an entry for each message.
type collector struct {
	zone     *time.Location
	file     *os.File
	out      *bufio.Writer // its first error stays
	size     int64
	entries  []entry
	places   map[xxh3.Uint128]int // of messages in entries, by key
	sessions []session
	messages int // that the person and the assistant said
	redacted int
}

type entry struct {
	at      int64 // milliseconds since 1970
	offset  int64 // of its text in the temporary file
	size    int32
	raw     int32 // size before secrets were redacted
	secrets int32
	session int32
	role    transcript.Role
	kind    transcript.Kind

	takenBack bool
}

type session struct {
	id                 string
	folder, repository string
	format             transcript.Format
	first              int64 // milliseconds since 1970
}

func newCollector(zone *time.Location) (*collector, error) {
	f, err := temporary()
	if err != nil {
		return nil, err
	}
	return &collector{zone: zone, file: f, out: bufio.NewWriterSize(f, 1<<16), places: map[xxh3.Uint128]int{}}, nil
}

func (c *collector) close() { _ = c.file.Close() } // it was only read in the end

// temporary returns a file without a name, which is removed when it is closed.
func temporary() (*os.File, error) {
	f, err := os.CreateTemp("", "brainbridge-transcript-")
	if err != nil {
		return nil, fmt.Errorf("make a temporary file for texts: %w", err)
	}
	return f, os.Remove(f.Name())
}

// add adds a message. Of its texts the latest counts, at the same instant the longest.
func (c *collector) add(m transcript.Message) {
	key, at := m.Key(), m.At.UnixMilli()
	n, known := c.places[key]
	if m.TakenBack {
		if known {
			c.entries[n].takenBack = true
		}
		return
	}
	if known {
		size, before := int32(len(m.Text)), c.entries[n]
		if at < before.at || size == before.raw || at == before.at && size < before.raw {
			return
		}
	}
	text, found := redact.Text(m.Text)
	if strings.TrimSpace(text) == "" {
		return
	}
	if !known {
		n = len(c.entries)
		c.places[key] = n
		c.entries = append(c.entries, entry{session: c.session(m, at), role: m.Role, kind: m.Kind})
		if m.Kind == transcript.Said {
			c.messages++
		}
	}
	_, _ = c.out.WriteString(text) // sort returns the error
	e := &c.entries[n]
	c.redacted += found - int(e.secrets)
	e.at, e.offset, e.size, e.raw, e.secrets = at, c.size, int32(len(text)), int32(len(m.Text)), int32(found)
	c.size += int64(len(text))
}

func (c *collector) session(m transcript.Message, at int64) int32 {
	n := slices.IndexFunc(c.sessions, func(s session) bool { return s.id == m.Session })
	if n < 0 {
		n = len(c.sessions)
		c.sessions = append(c.sessions, session{id: strings.Clone(m.Session), format: m.Format, first: at})
	}
	s := &c.sessions[n]
	s.folder, s.repository, s.first = cmp.Or(s.folder, m.Folder), cmp.Or(s.repository, m.Repository), min(s.first, at)
	return int32(n)
}

// sort puts the entries in order: by session, the earliest first, and by time.
func (c *collector) sort() error {
	if err := c.out.Flush(); err != nil {
		return fmt.Errorf("keep texts in a temporary file: %w", err)
	}
	slices.SortStableFunc(c.entries, func(a, b entry) int {
		if a.session == b.session {
			return cmp.Compare(a.at, b.at)
		}
		x, y := c.sessions[a.session], c.sessions[b.session]
		return cmp.Or(cmp.Compare(x.first, y.first), strings.Compare(x.id, y.id))
	})
	clear(c.places)
	return nil
}

// piece is a message in its place.
type piece struct {
	entry
	text    string
	session string
	at      time.Time // in the zone of the days
	title   string    // heading of the session, without number signs: "09:00 claude-code ID"
	heading string    // and of the exchange
}

// walk calls fn with the messages in order. It may be called again.
func (c *collector) walk(fn func(piece) error) error {
	exchanges := map[string]int{} // so far, by heading
	p, last := piece{}, int32(-1)
	for _, e := range c.entries {
		buf := make([]byte, e.size)
		if _, err := c.file.ReadAt(buf, e.offset); err != nil {
			return fmt.Errorf("read a text from a temporary file: %w", err)
		}
		s := c.sessions[e.session]
		p.entry, p.text, p.session, p.at = e, string(buf), s.id, time.UnixMilli(e.at).In(c.zone)
		p.title = time.UnixMilli(s.first).In(c.zone).Format("15:04") + " " + string(s.format) + " " + sessionName(s.id)
		if e.session != last || e.role == transcript.User && e.kind == transcript.Said {
			p.heading = exchange(p)
			exchanges[p.heading]++
			if n := exchanges[p.heading]; n > 1 {
				p.heading += " (" + strconv.Itoa(n) + ")"
			}
		}
		last = e.session
		if err := fn(p); err != nil {
			return err
		}
	}
	return nil
}
