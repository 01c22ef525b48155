package transcript

import (
	"strconv"

	"github.com/zeebo/xxh3"
)

// shortID is the length under which an id is unique in its own session only.
const shortID = 16

// Key is the same for all copies of a message: its id, with the timestamp if the id is short
// or that of a tool call; without id, session, timestamp, role and the hash of the text. The
// line stands for a missing timestamp, so that two short answers stay two.
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
