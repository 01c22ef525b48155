package transcripts

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// maxCandidates is how many statements an agent is asked about at once.
const maxCandidates = 5

// lookedUp is how many are looked up in the memory, some of which it knows already.
const lookedUp = 3 * maxCandidates

// sessionState is the stored state of a session.
type sessionState struct {
	// Asked is the time of the last statement that its agent was asked about.
	Asked time.Time `json:"asked"`
}

// Candidates returns the statements in a session's file beyond a position that an agent
// may want to keep and that no memory says: at most five, those with the most evidence,
// in the order in which they were said. It also returns the position to go on from.
//
// The agent judges better than any rule. Therefore nothing that was said up to the last
// of them is extracted later: the agent keeps it, or it is not worth keeping.
func (x *Extractor) Candidates(ctx context.Context, path string, pos transcript.Position) ([]extract.Item, transcript.Position, error) {
	next := pos
	items, err := x.listen(func(l *listener) (err error) {
		next, err = l.file(path, pos)
		return err
	})
	if err != nil {
		return nil, pos, err
	}
	if len(items) == 0 {
		return nil, next, nil
	}
	last := slices.MaxFunc(items, func(a, z storedItem) int { return a.At.Compare(z.At) })
	all, err := x.unknown(ctx, strongest(items, lookedUp))
	if err != nil || len(all) == 0 {
		return nil, next, err
	}
	err = x.put(ctx, stateRecord{brain.TranscriptSessionRecord, last.Session, sessionState{Asked: last.At}})
	return all[:min(len(all), maxCandidates)], next, err
}

// strongest returns the n items with the most evidence, in their order.
func strongest(all []storedItem, n int) []storedItem {
	ranked := slices.SortedStableFunc(slices.Values(all), func(a, z storedItem) int { return cmp.Compare(z.Strength, a.Strength) })
	ranked = ranked[:min(len(ranked), n)]
	slices.SortStableFunc(ranked, func(a, z storedItem) int { return a.At.Compare(z.At) })
	return ranked
}

// askedUntil returns until when the agent of each session was asked what to keep.
func (x *Extractor) askedUntil(r brain.Reader, sessions []string) (map[string]time.Time, error) {
	var ids []string
	for _, s := range brain.Unique(sessions) {
		ids = append(ids, x.recordID(brain.TranscriptSessionRecord, s))
	}
	recs, err := r.Records(brain.TranscriptSessionRecord, ids...)
	if err != nil {
		return nil, err
	}
	until := make(map[string]time.Time, len(recs))
	for _, rec := range recs {
		var s sessionState
		if err := json.Unmarshal(rec.Body, &s); err != nil {
			return nil, fmt.Errorf("read the state of session %s: %w", rec.Key, err)
		}
		until[rec.Key] = s.Asked
	}
	return until, nil
}
