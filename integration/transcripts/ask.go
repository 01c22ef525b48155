package transcripts

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/extract"
)

const (
	// maxCandidates is how many statements an agent is asked about at once.
	maxCandidates = 5
	// lookedUp is how many are looked up in the memory, some of which it knows already.
	lookedUp = 3 * maxCandidates
	// maxNews is how much of a session is read to ask about it, in bytes: a resumed session
	// may be large. The rules extract from the part before that.
	maxNews = 4 << 20
)

// sessionState is the stored state of a session.
type sessionState struct {
	Asked []period `json:"asked"` // about which its agent was asked, in order
}

// period is the time from one statement to another.
type period struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// covers reports whether the agent was asked about what was said at an instant.
func (s sessionState) covers(at time.Time) bool {
	return slices.ContainsFunc(s.Asked, func(p period) bool { return !at.Before(p.From) && !at.After(p.To) })
}

// Candidates returns the statements in a session's file beyond an offset that an agent
// may want to keep and that no memory says: at most five of the last 4 MiB, those with
// the most evidence, in the order in which they were said. It also returns the offset to
// go on from.
//
// The agent judges better than any rule. Therefore nothing that was said in that part, up
// to the last of them, is extracted later: the agent keeps it, or it is not worth keeping.
func (x *Extractor) Candidates(ctx context.Context, path string, from int64) ([]extract.Item, int64, error) {
	l := x.listener()
	next, err := l.file(path, from, maxNews)
	if err != nil || len(l.items) == 0 {
		return nil, next, err
	}
	all, err := x.unknown(ctx, strongest(l.items, lookedUp))
	if err != nil || len(all) == 0 {
		return nil, next, err
	}
	last := slices.MaxFunc(l.items, func(a, z extract.Item) int { return a.At.Compare(z.At) })
	known, err := loadStates[sessionState](ctx, x, brain.TranscriptSessionRecord, last.Session)
	if err != nil {
		return nil, next, err
	}
	state := known[last.Session]
	if n := len(state.Asked); n > 0 && next-from <= maxNews {
		state.Asked[n-1].To = last.At
	} else if next-from <= maxNews {
		state.Asked = []period{{To: last.At}}
	} else {
		state.Asked = append(state.Asked, period{l.first, last.At})
	}
	err = x.put(ctx, stateRecord{brain.TranscriptSessionRecord, last.Session, state})
	return strongest(all, maxCandidates), next, err
}

// strongest returns the n items with the most evidence, in their order.
func strongest(all []extract.Item, n int) []extract.Item {
	ranked := slices.SortedStableFunc(slices.Values(all), func(a, z extract.Item) int { return cmp.Compare(z.Strength, a.Strength) })
	ranked = ranked[:min(len(ranked), n)]
	slices.SortStableFunc(ranked, func(a, z extract.Item) int { return a.At.Compare(z.At) })
	return ranked
}
