package health

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
)

// Statistics count what was done.
type Statistics struct {
	Sessions        int      `json:"sessions"`
	MemoriesApplied int      `json:"memoriesApplied"` // distinct memories that were judged, boosted or opened
	HelpfulRate     *float64 `json:"helpfulRate"`     // of the verdicts, null if there are none
	NewlySaved      int      `json:"newlySaved"`
	Topics          []Topic  `json:"topics"` // of the saved memories, most frequent first
}

// Topic is a topic and the number of memories about it.
type Topic struct {
	Topic    string `json:"topic"`
	Memories int    `json:"memories"`
}

const page = 1000 // memories or records that are read at a time

// period has the events since an instant, in one session or all.
type period struct {
	since    time.Time
	sessions map[string]bool
	used     map[string]bool // roots of the memories
	helpful  int             // helpful verdicts
	verdicts int             // all verdicts
	saved    []brain.Memory
}

// readPeriod reads the events since the last reflection, in time proportional to their
// number. It returns the mark from which the next one continues.
func readPeriod(ctx context.Context, b *services.Services, q ReflectionRequest) (p period, mark string, err error) {
	p = period{since: q.Since, sessions: map[string]bool{}, used: map[string]bool{}}
	for _, s := range q.Sessions {
		p.addSession(s)
	}
	mine := func(session string) bool { return q.Scope != Quick || session == q.Session }
	before, err := readLast(ctx, b)
	if err == nil {
		mark, err = p.readSaved(ctx, b, before.Written, mine)
	}
	if err == nil {
		err = p.readUses(ctx, b, mine)
	}
	return p, mark, err
}

// addSession adds a session, unless it is an hour of commands.
func (p *period) addSession(session string) {
	if session != "" && !lifecycle.IsHourly(session) {
		p.sessions[session] = true
	}
}

// readSaved reads what was stored after a mark, each memory once, and returns the new mark.
func (p *period) readSaved(ctx context.Context, b *services.Services, mark string, mine func(string) bool) (string, error) {
	seen := map[string]bool{}
	return b.Base.EachWritten(ctx, mark, page, func(ms []brain.Memory, _ string) (bool, error) {
		for i := range ms {
			m := &ms[i]
			if !m.Current() || m.Created.Before(brain.Instant(p.since)) || seen[m.ID] || !mine(m.SessionID) {
				continue
			}
			seen[m.ID] = true
			p.addSession(m.SessionID)
			p.saved = append(p.saved, *m)
		}
		return true, nil
	})
}

// readUses reads the uses of memories, newest first.
func (p *period) readUses(ctx context.Context, b *services.Services, mine func(string) bool) error {
	seen, before := map[string]bool{}, time.Time{}
	for {
		recs, err := lifecycle.Read(ctx, b.Base, func(r brain.Reader) ([]brain.Record, error) {
			return r.ListRecords(brain.UseEventRecord, brain.RecordFilter{Before: before, Limit: page})
		})
		readable, events, err := brain.WithBodies[brain.UseEvent](recs, err)
		if err != nil {
			return fmt.Errorf("read how memories were used: %w", err)
		}
		for i, e := range events {
			if rec := readable[i]; !seen[rec.ID] && mine(rec.Key) && !rec.At.Before(p.since) {
				seen[rec.ID] = true
				p.use(rec, brain.Verdict(e.Kind))
			}
		}
		if len(recs) < page || recs[len(recs)-1].At.Before(p.since) {
			return nil
		}
		before = pageBefore(before, recs[len(recs)-1].At)
	}
}

// pageBefore returns the instant before which the next page ends. It includes the
// instant of the last record once more, since records of one instant may be on two
// pages, unless the whole page is of that instant.
func pageBefore(before, last time.Time) time.Time {
	if again := last.Add(time.Millisecond); !again.Equal(before) {
		return again
	}
	return last
}

// use counts a use, and its verdict if it is one.
func (p *period) use(rec brain.Record, v brain.Verdict) {
	p.addSession(rec.Key)
	p.used[rec.Owner] = true
	switch v {
	case brain.Helpful:
		p.helpful++
		p.verdicts++
	case brain.NotHelpful:
		p.verdicts++
	}
}

func (p period) statistics() *Statistics {
	s := &Statistics{Sessions: len(p.sessions), MemoriesApplied: len(p.used), NewlySaved: len(p.saved), Topics: []Topic{}}
	if p.verdicts > 0 {
		s.HelpfulRate = new(float64(p.helpful) / float64(p.verdicts))
	}
	topics := map[string]int{}
	for i := range p.saved {
		topics[TopicOf(p.saved[i].Name+"\n"+p.saved[i].Content)]++
	}
	for topic, n := range topics {
		s.Topics = append(s.Topics, Topic{topic, n})
	}
	slices.SortFunc(s.Topics, func(x, y Topic) int {
		return cmp.Or(cmp.Compare(y.Memories, x.Memories), strings.Compare(x.Topic, y.Topic))
	})
	return s
}
