package health

import (
	"cmp"
	"context"
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

// Sessions returns what each session did from one instant until before another, the earliest
// session first. Recalls are known for the last 90 days.
func Sessions(ctx context.Context, b *services.Services, from, to time.Time) ([]SessionDay, error) {
	byID := map[string]*SessionDay{}
	in := func(id string, at time.Time) *SessionDay {
		s := byID[id]
		if s == nil {
			s = &SessionDay{ID: id, First: at, Captured: []Captured{}}
			byID[id] = s
		}
		if at.Before(s.First) {
			s.First = at
		}
		s.Last = brain.Later(s.Last, at)
		return s
	}
	for page, err := range b.Base.Pages(ctx, brain.ListFilter{Since: from}) {
		if err != nil {
			return nil, err
		}
		for _, m := range page {
			if m.SessionID != "" && m.Created.Before(to) {
				s := in(m.SessionID, m.Created)
				s.Captured = append(s.Captured, Captured{m.ID, m.Name})
			}
		}
	}
	for _, kind := range []brain.RecordKind{brain.TouchRecord, brain.UseEventRecord} {
		read := func(before time.Time) ([]brain.Record, error) {
			return lifecycle.Read(ctx, b.Base, func(r brain.Reader) ([]brain.Record, error) {
				return r.ListRecords(kind, brain.RecordFilter{Before: before, Limit: dayPage})
			})
		}
		for rec, err := range latest(from, to.Add(-time.Millisecond), func(r brain.Record) time.Time { return r.At }, read) {
			if err != nil {
				return nil, err
			}
			e, err := brain.Body[brain.UseEvent](rec)
			switch {
			case err != nil || e.Session == "": // health names a body that cannot be read
			case kind == brain.UseEventRecord:
				in(e.Session, rec.At).Used++
			case e.Kind == lifecycle.EventRecall:
				in(e.Session, rec.At).Recalled++
			}
		}
	}
	var all []SessionDay
	for _, s := range byID {
		all = append(all, *s)
	}
	slices.SortFunc(all, func(a, b SessionDay) int { return cmp.Or(a.First.Compare(b.First), cmp.Compare(a.ID, b.ID)) })
	return all, nil
}
