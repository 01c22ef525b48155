package health

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
)

// SessionSummary is what a session did in a time, such as a day.
type SessionSummary struct {
	ID       string     `json:"id"`
	First    time.Time  `json:"first"` // of what is counted here
	Last     time.Time  `json:"last"`
	Captured []Captured `json:"captured"`
	Recalled int        `json:"recalled"` // memories that recalls returned
	Used     int        `json:"used"`     // verdicts, boosts and memories that were opened
}

// Captured is a memory that a session captured.
type Captured struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// summaries are what sessions did in a time, by their ids.
type summaries map[string]*SessionSummary

// entry returns the summary of a session, and extends it to an instant.
func (all summaries) entry(id string, instant time.Time) *SessionSummary {
	s := all[id]
	if s == nil {
		s = &SessionSummary{ID: id, First: instant, Captured: []Captured{}}
		all[id] = s
	}
	if instant.Before(s.First) {
		s.First = instant
	}
	s.Last = brain.Later(s.Last, instant)
	return s
}

// Sessions returns what each session did from one instant until before another, the earliest
// session first. Recalls are known for the last 90 days.
func Sessions(ctx context.Context, b *services.Services, from, to time.Time) ([]SessionSummary, error) {
	all := summaries{}
	for page, err := range b.Base.Pages(ctx, brain.ListFilter{Since: from}) {
		if err != nil {
			return nil, err
		}
		for _, m := range page {
			if m.SessionID != "" && m.Created.Before(to) {
				s := all.entry(m.SessionID, m.Created)
				s.Captured = append(s.Captured, Captured{m.ID, m.Name})
			}
		}
	}
	for _, kind := range []brain.RecordKind{brain.TouchRecord, brain.UseEventRecord} {
		if err := all.addUses(ctx, b, kind, from, to); err != nil {
			return nil, err
		}
	}
	days := brain.Map(slices.Collect(maps.Values(all)), func(s *SessionSummary) SessionSummary { return *s })
	slices.SortFunc(days, func(a, b SessionSummary) int { return cmp.Or(a.First.Compare(b.First), cmp.Compare(a.ID, b.ID)) })
	return days, nil
}

// addUses counts records of one kind: of touches only the recalls, of use events all. It skips a
// record that cannot be decoded, which the health report names.
func (all summaries) addUses(ctx context.Context, b *services.Services, kind brain.RecordKind, from, to time.Time) error {
	read := func(before time.Time) ([]brain.Record, error) {
		return lifecycle.Read(ctx, b.Base, func(r brain.Reader) ([]brain.Record, error) {
			return r.ListRecords(kind, brain.RecordFilter{Before: before, Limit: dayPage})
		})
	}
	for rec, err := range latest(from, to, func(r brain.Record) time.Time { return r.At }, read) {
		if err != nil {
			return err
		}
		e, err := brain.Body[brain.UseEvent](rec)
		switch {
		case err != nil || e.Session == "":
		case kind == brain.UseEventRecord:
			all.entry(e.Session, rec.At).Used++
		case e.Kind == lifecycle.EventRecall:
			all.entry(e.Session, rec.At).Recalled++
		}
	}
	return nil
}
