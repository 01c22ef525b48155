package brain

import (
	"context"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/tiers"
)

// SessionJob is the mark of when a session of an agent ended last.
const SessionJob = "session"

// sessionMark is kept of the end of the last session.
type sessionMark struct {
	Finished time.Time `json:"finished"`
	Written  string    `json:"written,omitempty"` // how far texts were written by then, see [MemoryReader.Written]
	// Earlier are the ends before it, newest first, for sessions that go on
	// while others end.
	Earlier []sessionMark `json:"earlier,omitempty"`
}

// keptMarks is how many earlier ends are kept.
const keptMarks = 20

// before is how far texts were written at an instant, or earlier.
func (m sessionMark) before(at time.Time) string {
	for _, end := range append([]sessionMark{m}, m.Earlier...) {
		if !end.Finished.After(at) {
			return end.Written
		}
	}
	return ""
}

// markPage is how many texts are passed over at once.
const markPage = 1000

// EndSession records that a session of an agent came to its end. Its cost grows
// with what was written since the end before, the first time with all that is
// stored.
func (b *Brain) EndSession(ctx context.Context, at time.Time) error {
	var mark sessionMark
	if err := b.Checkpoint(ctx, SessionJob, &mark); err != nil {
		return err
	}
	if !mark.Finished.IsZero() {
		mark.Earlier = append([]sessionMark{{Finished: mark.Finished, Written: mark.Written}}, mark.Earlier...)
		mark.Earlier = mark.Earlier[:min(len(mark.Earlier), keptMarks)]
	}
	for read := markPage; read == markPage; {
		var next string
		err := b.store.View(ctx, func(r Reader) error {
			ms, behind, err := r.Written(mark.Written, false, markPage)
			next, read = behind, len(ms)
			return err
		})
		if err != nil {
			return fmt.Errorf("mark the end of the session: %w", err)
		}
		mark.Written = next
	}
	mark.Finished = at
	return b.PutCheckpoint(ctx, SessionJob, mark)
}

// newestLimit is how many texts a context looks at that were written since the
// last session.
const newestLimit = 500

// sinceLastSession returns what came after the last session's end and is live,
// as far as a context is about it, strongest first, and when that end was.
// Before the first session has ended there is nothing.
func (q *ContextQuery) sinceLastSession(r Reader, tl tiers.Timeline, now time.Time) ([]Memory, time.Time, error) {
	var last sessionMark
	if err := readCheckpoint(r, SessionJob, &last); err != nil || last.Finished.IsZero() {
		return nil, time.Time{}, err
	}
	ms, _, err := r.Written(last.Written, q.Tests, newestLimit)
	fresh := chosen(ms, func(m *Memory) bool {
		return !m.Created.Before(Instant(last.Finished)) && m.Tier.Live() && !tl.Expired(m.State, now) && q.about(m)
	})
	byEnergy(tl, fresh, now)
	return fresh, last.Finished, err
}

// about reports whether a memory is of the project that a context is about, or
// of none.
func (q *ContextQuery) about(m *Memory) bool {
	return q.Project == nil || m.Project == "" || m.Project == *q.Project
}
