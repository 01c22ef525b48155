package transcript

import (
	"time"

	"github.com/google/uuid"
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

// replayed reports whether a line is a copy of the parent's. The first line that
// is none ends the copy.
func (r *reader) replayed(typ string, payload []byte) bool {
	f := &r.state.Fork
	if !f.Replay {
		return false
	}
	if turn, ok := turnTime(typ, payload); ok {
		f.Replay = turn.Before(f.At)
	} else if !r.line.undated && r.line.at.Sub(f.At) > replayTime {
		f.Replay = false
	}
	return f.Replay
}

// turnTime returns the beginning of the turn that a line announces.
func turnTime(typ string, payload []byte) (at time.Time, ok bool) {
	var kind, turn []byte
	pick(payload, field{"type", &kind}, field{"turn_id", &turn})
	if typ == "turn_context" || typ == "event_msg" && (is(kind, "task_started") || is(kind, "turn_started")) {
		return uuidTime(str(turn))
	}
	return at, false
}

// uuidTime returns the instant in a UUID of version 7.
func uuidTime(id string) (at time.Time, ok bool) {
	u, err := uuid.Parse(id)
	if err != nil || u.Version() != 7 {
		return at, false
	}
	return time.Unix(u.Time().UnixTime()).UTC(), true
}
