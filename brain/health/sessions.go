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

// SessionDay is what a session did in a day.
type SessionDay struct {
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

// sessionDays are what sessions did in a day, by their ids.
type sessionDays map[string]*SessionDay

// at returns what a session did, which includes something at an instant.
func (all sessionDays) at(id string, instant time.Time) *SessionDay {
	s := all[id]
	if s == nil {
		s = &SessionDay{ID: id, First: instant, Captured: []Captured{}}
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
func Sessions(ctx context.Context, b *services.Services, from, to time.Time) ([]SessionDay, error) {
	all := sessionDays{}
	for page, err := range b.Base.Pages(ctx, brain.ListFilter{Since: from}) {
		if err != nil {
			return nil, err
		}
		for _, m := range page {
			if m.SessionID != "" && m.Created.Before(to) {
				s := all.at(m.SessionID, m.Created)
				s.Captured = append(s.Captured, Captured{m.ID, m.Name})
			}
		}
	}
	for _, kind := range []brain.RecordKind{brain.TouchRecord, brain.UseEventRecord} {
		if err := all.addUses(ctx, b, kind, from, to); err != nil {
			return nil, err
		}
	}
	days := brain.Map(slices.Collect(maps.Values(all)), func(s *SessionDay) SessionDay { return *s })
	slices.SortFunc(days, func(a, b SessionDay) int { return cmp.Or(a.First.Compare(b.First), cmp.Compare(a.ID, b.ID)) })
	return days, nil
}

// addUses adds the recalls among touches, or the uses. Health names a body that cannot be read.
func (all sessionDays) addUses(ctx context.Context, b *services.Services, kind brain.RecordKind, from, to time.Time) error {
	read := func(before time.Time) ([]brain.Record, error) {
		return lifecycle.Read(ctx, b.Base, func(r brain.Reader) ([]brain.Record, error) {
			return r.ListRecords(kind, brain.RecordFilter{Before: before, Limit: dayPage})
		})
	}
	for rec, err := range latest(from, to.Add(-time.Millisecond), func(r brain.Record) time.Time { return r.At }, read) {
		if err != nil {
			return err
		}
		e, err := brain.Body[brain.UseEvent](rec)
		switch {
		case err != nil || e.Session == "":
		case kind == brain.UseEventRecord:
			all.at(e.Session, rec.At).Used++
		case e.Kind == lifecycle.EventRecall:
			all.at(e.Session, rec.At).Recalled++
		}
	}
	return nil
}
