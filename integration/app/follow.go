package app

import (
	"context"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// Observer is told what happens in a brain, for a person who watches the daemon. It must be
// safe for concurrent use.
type Observer interface {
	// NotesRead reports notes that the daemon has ingested.
	NotesRead(r NotesResult)
	// Captured reports new memories, oldest first, whichever process captured them.
	Captured(ms []brain.Memory)
	// Ran reports a finished run of any process.
	Ran(r RunAnswer)
	// Due reports an open reminder that has become due.
	Due(reminder brain.Source)
}

const (
	// followEvery is the time between two looks at the store: three short queries.
	followEvery = 2 * time.Second
	// remindersEvery is how often the reminders are read while nothing is captured.
	remindersEvery = 30 * time.Second

	followPage    = 1000 // memories that are read at once
	followedRuns  = 20   // latest runs that are looked at
	mostReminders = 1000 // open reminders that are looked at
)

// follower finds what happened since its last look at the store.
type follower struct {
	*Daemon
	observer Observer
	mark     string          // of the texts that were read; "" before the first look
	known    map[string]bool // roots of the memories that were there or were reported
	runs     map[string]bool // finished ones among the latest; nil before the first look

	remindersRead time.Time
	nextDue       time.Time // zero: none
	reminded      time.Time // reminders that were due until then were reported
}

// Observe makes o the observer of what happens from now on. It reads the whole brain once,
// because a store has no other way to its latest mark.
func (d *Daemon) Observe(ctx context.Context, o Observer) error {
	now := d.brain.Base.Now().Local()
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, -1, time.Local)
	d.follower = &follower{Daemon: d, observer: o, known: map[string]bool{}, reminded: today}
	_, err := d.follower.captures(ctx)
	if err == nil {
		_, err = d.follower.newRuns(ctx)
	}
	return err
}

// Follow tells the observer, if there is one, what all processes do, until ctx ends.
func (d *Daemon) Follow(ctx context.Context) error {
	if d.follower == nil {
		return nil
	}
	t := time.NewTicker(followEvery)
	defer t.Stop()
	for {
		if err := d.follower.look(ctx); err != nil && ctx.Err() == nil {
			d.log.Debug().Err(err).Msg("cannot see what happens in the store, will be tried again")
		}
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
		}
	}
}

func (f *follower) look(ctx context.Context) error {
	captured, err := f.captures(ctx)
	if len(captured) > 0 {
		f.observer.Captured(captured)
	}
	if err != nil {
		return err
	}
	runs, err := f.newRuns(ctx)
	if err != nil {
		return err
	}
	for _, id := range runs {
		r, err := f.use.Run(ctx, id)
		if err != nil {
			return err
		}
		f.observer.Ran(r)
	}
	return f.reminders(ctx, len(captured) > 0)
}

// captures returns the memories that are new since the last look: not the results of edits,
// promotions and merges.
func (f *follower) captures(ctx context.Context) (captured []brain.Memory, err error) {
	first := f.mark == ""
	for more := true; more; {
		var page []brain.Memory
		var next string
		err = f.brain.Base.Store.View(ctx, func(r brain.Reader) (err error) {
			page, next, err = r.Written(f.mark, followPage)
			return err
		})
		if err != nil {
			return captured, err
		}
		for _, m := range page {
			if !first && m.Current() && !f.known[m.ID] && len(m.MergedFrom) == 0 {
				captured = append(captured, m)
			}
			f.known[m.ID] = true
		}
		f.mark, more = next, len(page) == followPage
	}
	return captured, nil
}

// newRuns returns the runs that have ended since the last look, oldest first.
func (f *follower) newRuns(ctx context.Context) (ended []string, err error) {
	latest, err := f.brain.Journal.Runs(ctx, followedRuns)
	if err != nil {
		return nil, err
	}
	finished := map[string]bool{}
	for _, run := range slices.Backward(latest) {
		if run.Finished.IsZero() {
			continue
		}
		if f.runs != nil && !f.runs[run.ID] {
			ended = append(ended, run.ID)
		}
		finished[run.ID] = true
	}
	f.runs = finished
	return ended, nil
}

// reminders reports those that have become due since the last look; at the first look, those
// of today. changed says that there may be new ones.
func (f *follower) reminders(ctx context.Context, changed bool) error {
	now := f.brain.Base.Now()
	isDue := !f.nextDue.IsZero() && !f.nextDue.After(now)
	if !changed && !isDue && now.Sub(f.remindersRead) < remindersEvery {
		return nil
	}
	open, err := lifecycle.Read(ctx, f.brain.Base, func(r brain.Reader) ([]brain.Source, error) {
		return r.ListSources(brain.SourceFilter{Kind: brain.Reminder, Open: true, Limit: mostReminders})
	})
	if err != nil {
		return err
	}
	f.nextDue = time.Time{}
	slices.SortFunc(open, func(a, b brain.Source) int { return a.Due.Compare(b.Due) })
	for _, s := range open {
		if s.Due.After(now) {
			f.nextDue = s.Due
			break
		}
		if !s.Due.IsZero() && (s.Due.After(f.reminded) || s.Created.After(f.reminded)) {
			f.observer.Due(s)
		}
	}
	f.reminded, f.remindersRead = now, now
	return nil
}
