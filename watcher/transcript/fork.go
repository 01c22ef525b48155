package transcript

import (
	"encoding/hex"
	"strings"
	"time"
)

// fork is the head of a forked Codex session, which repeats its parent's
// lines. Their timestamps are those of the fork, so that only two things tell
// where they end: the ids of turns, which are UUIDs of version 7 and keep the
// time at which the turn first ran, and the clock, since the copy is written
// in an instant.
type fork struct {
	At     time.Time `json:"at,omitzero"` // when the session was forked
	Replay bool      `json:"replay,omitempty"`
}

// replayTime is how long the writing of a copy may take.
const replayTime = 2500 * time.Millisecond

func forkOf(session string, started time.Time) fork {
	at, ok := uuidTime(session)
	if !ok {
		at = started
	}
	return fork{At: at, Replay: !at.IsZero()}
}

// replayed says whether a line is a copy of the parent's. The first line that
// is none ends the copy.
func (r *reader) replayed(typ string, rec *record, when dated) bool {
	f := &r.state.Fork
	if !f.Replay {
		return false
	}
	if turn, ok := turnTime(typ, rec); ok {
		f.Replay = turn.Before(f.At)
	} else if !when.undated && when.at.Sub(f.At) > replayTime {
		f.Replay = false
	}
	return f.Replay
}

// turnTime is when the turn began that a line announces.
func turnTime(typ string, rec *record) (at time.Time, ok bool) {
	if typ != "turn_context" && typ != "event_msg" {
		return at, false
	}
	if typ == "event_msg" {
		if kind := member(rec.payload, "type"); !is(kind, "task_started") && !is(kind, "turn_started") {
			return at, false
		}
	}
	return uuidTime(str(member(rec.payload, "turn_id")))
}

// uuidTime is the instant in a UUID of version 7.
func uuidTime(id string) (at time.Time, ok bool) {
	if len(id) != 36 || id[14] != '7' {
		return at, false
	}
	b, err := hex.DecodeString(strings.ReplaceAll(id[:13], "-", ""))
	if err != nil || len(b) != 6 {
		return at, false
	}
	ms := int64(0)
	for _, v := range b {
		ms = ms<<8 | int64(v)
	}
	return time.UnixMilli(ms).UTC(), true
}
