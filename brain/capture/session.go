package capture

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// Tally counts the events in a session of an agent.
type Tally struct {
	Captures int // without activities; includes captures whose session is not known
	Used     int // memories that were judged, boosted or opened in the session
}

// Uses selects the uses of a session: those with its own id since the instant Since, and
// those of its connections over MCP until Until (zero: no end). Without an id it selects
// all uses.
type Uses struct {
	ID           string
	Connections  []string
	Others       []string // ids of other sessions, and of their connections
	Since, Until time.Time
}

// isOther reports whether a memory is known to be of another session.
func (s Uses) isOther(m *brain.Memory) bool {
	late := !s.Until.IsZero() && m.Created.After(s.Until)
	return m.SessionID != s.ID && (late || slices.Contains(s.Others, m.SessionID))
}

const maxTallied = 1000 // captures, and uses whose session is not known, that are counted at most

// SessionTally counts what a session captured and which memories it used.
func (s *Service) SessionTally(ctx context.Context, uses Uses) (Tally, error) {
	var t Tally
	since := brain.Instant(uses.Since)
	err := s.base.Store.View(ctx, func(r brain.Reader) error {
		t = Tally{}
		remembered, others, err := remembered(r, since, uses)
		if err != nil {
			return err
		}
		t.Captures = remembered
		ss, err := r.ListSources(brain.SourceFilter{Limit: maxTallied})
		if err != nil {
			return err
		}
		for i := range ss {
			if ss[i].Kind != brain.Activity && !ss[i].Created.Before(since) && !others[ss[i].ID] {
				t.Captures++
			}
		}
		t.Used, err = uses.count(r)
		return err
	})
	return t, brain.Wrap(err, "count what the session did")
}

// remembered counts the memories of a session without a source since an instant: remembered
// texts and entities. It also returns the sources of the memories of other sessions.
func remembered(r brain.Reader, since time.Time, s Uses) (count int, others map[string]bool, err error) {
	var ends lifecycle.SessionMark
	if err := lifecycle.ReadCheckpoint(r, lifecycle.SessionJob, &ends); err != nil {
		return 0, nil, err
	}
	captured, after := map[string]bool{}, ends.Before(since)
	others = map[string]bool{}
	for read := markPage; read == markPage && len(captured) < maxTallied; {
		ms, next, err := r.Written(after, markPage)
		if err != nil {
			return 0, nil, err
		}
		for i := range ms {
			m := &ms[i]
			if s.isOther(m) {
				others[m.SourceNodeID] = true
			} else if m.SourceNodeID == "" && len(m.MergedFrom) == 0 && m.Current() && !m.Created.Before(since) {
				captured[m.ID] = true
			}
		}
		after, read = next, len(ms)
	}
	return len(captured), others, nil
}

// count counts the memories that were used.
func (s Uses) count(r brain.RecordReader) (int, error) {
	var events []brain.Record
	var err error
	if s.ID == "" {
		events, err = r.ListRecords(brain.UseEventRecord, brain.RecordFilter{Limit: maxTallied})
	} else {
		events, err = r.ListRecords(brain.UseEventRecord, brain.RecordFilter{By: brain.ByKey, Keys: append(slices.Clip(s.Connections), s.ID)})
	}
	used := map[string]bool{}
	for _, e := range events {
		late := s.ID != "" && e.Key != s.ID && !s.Until.IsZero() && e.At.After(s.Until)
		if !late && !e.At.Before(brain.Instant(s.Since)) {
			used[e.Owner] = true
		}
	}
	return len(used), err
}

const keptMarks = 20 // earlier ends that are kept

const markPage = 1000 // texts that are skipped at a time

// EndSession records that a session of an agent in a project ended. The time it takes
// depends on what was written since the previous end; the first time it reads all texts.
func (s *Service) EndSession(ctx context.Context, project string, at time.Time) error {
	var mark lifecycle.SessionMark
	if err := s.base.Checkpoint(ctx, lifecycle.SessionJob, &mark); err != nil {
		return err
	}
	if !mark.Finished.IsZero() {
		mark.Earlier = append([]lifecycle.SessionMark{{Finished: mark.Finished, Written: mark.Written}}, mark.Earlier...)
		mark.Earlier = mark.Earlier[:min(len(mark.Earlier), keptMarks)]
	}
	var err error
	mark.Written, err = s.base.EachWritten(ctx, mark.Written, markPage, func([]brain.Memory, string) (bool, error) { return true, nil })
	if err != nil {
		return fmt.Errorf("mark the end of the session: %w", err)
	}
	mark.Finished = at
	if mark.Projects == nil {
		mark.Projects = map[string]lifecycle.SessionMark{}
	}
	mark.Projects[project] = lifecycle.SessionMark{Finished: at, Written: mark.Written}
	return s.base.PutCheckpoint(ctx, lifecycle.SessionJob, mark)
}
