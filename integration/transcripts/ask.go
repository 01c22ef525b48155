package transcripts

import (
	"cmp"
	"context"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/extract"
)

const (
	// maxCandidates is how many statements an agent is asked about at once.
	maxCandidates = 5
	// lookedUp is how many candidates are looked up among the memories, because some of
	// them are known already.
	lookedUp = 3 * maxCandidates
	// maxNews is how much of a session is read to ask about it, in bytes: a resumed session
	// may be large. The rules extract from the part before that.
	maxNews = 4 << 20
)

type sessionState struct {
	Shown []string `json:"shown"` // statements that its agent was asked about
}

// Candidates returns the statements in a session's file beyond an offset that an agent may
// want to keep and that no memory says: at most five of the last 4 MiB, those with the most
// evidence, in the order in which they were said and with local times. It also returns the
// offset to continue from. None of them is extracted later: the agent judges better than
// any rule.
func (x *Extractor) Candidates(ctx context.Context, path string, from int64) ([]extract.Item, int64, error) {
	l := x.listener()
	next, err := l.file(path, from, maxNews)
	if err != nil || len(l.items) == 0 {
		return nil, next, err
	}
	all, err := l.unknown(ctx, strongest(l.items, lookedUp))
	if err != nil || len(all) == 0 {
		return nil, next, err
	}
	all = strongest(all, maxCandidates)
	states, err := loadStates[sessionState](ctx, x, brain.TranscriptSessionRecord, sessionsOf(all)...)
	if err != nil {
		return nil, next, err
	}
	var recs []stateRecord
	for n, i := range all {
		all[n].At = i.At.In(x.o.Location)
		s := states[i.Session]
		s.Shown = append(s.Shown, i.Quote)
		states[i.Session] = s
	}
	for session, s := range states {
		recs = append(recs, stateRecord{brain.TranscriptSessionRecord, session, s})
	}
	return all, next, x.put(ctx, recs...)
}

func sessionsOf(items []extract.Item) []string {
	return brain.Unique(brain.Map(items, func(i extract.Item) string { return i.Session }))
}

// strongest returns the n items with the most evidence, in their order.
func strongest(all []extract.Item, n int) []extract.Item {
	ranked := slices.SortedStableFunc(slices.Values(all), func(a, b extract.Item) int { return cmp.Compare(b.Strength, a.Strength) })
	ranked = ranked[:min(len(ranked), n)]
	slices.SortStableFunc(ranked, func(a, b extract.Item) int { return a.At.Compare(b.At) })
	return ranked
}
