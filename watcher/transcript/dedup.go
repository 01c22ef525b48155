package transcript

import (
	"strconv"

	"github.com/zeebo/xxh3"
)

// Verdict is the judgement of a Deduper on a message.
type Verdict int

// The three verdicts.
const (
	// New is a message that has not been seen.
	New Verdict = iota
	// Repeat is a copy of one that has been seen: leave it out.
	Repeat
	// Newer has the Key of one that has been seen and a later text: put it in
	// the place of that one.
	Newer
)

// Deduper finds copies of messages over any number of files: of forks, of
// compactions, of sessions that were resumed under another id. It keeps some
// forty bytes a message and no text. Show it each file in the same order every
// time, and each file from its beginning. It is not safe for concurrent use.
type Deduper struct {
	seen map[xxh3.Uint128]trace
}

type trace struct {
	text uint64
	at   int64
	size int32
}

// NewDeduper returns one that has seen nothing.
func NewDeduper() *Deduper { return &Deduper{seen: map[xxh3.Uint128]trace{}} }

// shortID is the length under which an id is only unique in its own session,
// as those of OpenClaw are, with 32 bits.
const shortID = 16

// Key is the same for all copies of a message: its id, with the timestamp if
// the id is short or that of a tool call, which some models number; without
// id, session, timestamp, role and the hash of the text. Where there is no
// timestamp either, the line takes its place, so that two short answers stay
// two.
func (m Message) Key() xxh3.Uint128 {
	stamp := strconv.FormatInt(m.At.UnixMilli(), 36)
	kind := string(m.Role) + "\x00" + string(m.Kind)
	switch {
	case len(m.ID) >= shortID && m.Role != Tool:
		return xxh3.HashString128("id\x00" + m.ID + "\x00" + kind)
	case m.ID != "":
		if m.Undated {
			stamp = m.Session
		}
		return xxh3.HashString128("short\x00" + m.ID + "\x00" + stamp + "\x00" + kind)
	case m.Undated:
		stamp = "line " + strconv.Itoa(m.Line)
	}
	text := strconv.FormatUint(xxh3.HashString(m.Text), 36)
	return xxh3.HashString128("text\x00" + m.Session + "\x00" + stamp + "\x00" + kind + "\x00" + text)
}

// See records a message and returns whether it has been seen. Of two texts under
// one key the later one is Newer; at the same instant, the longer one.
func (d *Deduper) See(m Message) Verdict {
	key := m.Key()
	now := trace{xxh3.HashString(m.Text), m.At.UnixMilli(), int32(min(len(m.Text), 1<<30))}
	old, seen := d.seen[key]
	switch {
	case !seen:
		d.seen[key] = now
		return New
	case old.text == now.text, now.at < old.at, now.at == old.at && now.size <= old.size:
		return Repeat
	}
	d.seen[key] = now
	return Newer
}
