package ingest

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// OpenTask is how the body of an open reminder from a file begins.
const OpenTask = "[ ] "

// How the body of a reminder begins.
const (
	open    = OpenTask
	ticked  = "[x] " // in its note
	carried = "[>] " // closed because a newer note has the same task
)

// box returns the beginning of the body of a reminder in a note. s is the stored reminder.
func box(s brain.Source, o NoteOutcome) string {
	switch {
	case o.Ticked:
		return ticked
	case strings.HasPrefix(s.Body, carried):
		return carried
	}
	return open
}

// done returns when a reminder was done, zero while it is open. Ticking it in the note
// closes it, and removing the tick or changing its text opens it again. If the note did not
// change, the reminder does not change either, even if it was closed by hand.
func (b batch) done(s brain.Source, o NoteOutcome) time.Time {
	wasTicked := strings.HasPrefix(s.Body, ticked)
	switch {
	case o.Ticked && !wasTicked && s.Done.IsZero():
		return b.now
	case !o.Ticked && (wasTicked || s.Dir == b.dir && s.BodyHash != o.BodyHash):
		return time.Time{}
	}
	return s.Done
}

// carryReminders keeps only the newest of the reminders with the same text open. Older ones
// are closed until the newer one is removed from the notes without being done.
func (d *planner) carryReminders(notes []Note) {
	closed := map[string]string{} // latest day on which a text is ticked in a note
	titles := map[string]bool{}
	for _, n := range notes {
		for _, o := range n.Outcomes {
			if o.Ticked {
				titles[o.TitleKey], closed[o.TitleKey] = true, max(closed[o.TitleKey], o.Date)
			}
		}
	}
	planned := group(d.plan.sources, func(s brain.Source) string { return s.TitleKey })
	for _, s := range slices.Concat(append(slices.Collect(maps.Values(d.byFile)), d.plan.sources)...) {
		titles[s.TitleKey] = true
	}
	for _, title := range slices.Sorted(maps.Keys(titles)) {
		ours := planned[title]
		stored := slices.DeleteFunc(slices.Clone(d.byTitle[title]), func(s brain.Source) bool {
			return slices.ContainsFunc(ours, func(o brain.Source) bool { return o.ID == s.ID })
		})
		for _, s := range d.carry(append(stored, ours...), closed[title]) {
			d.plan.sources = slices.DeleteFunc(d.plan.sources, func(p brain.Source) bool { return p.ID == s.ID })
			d.plan.sources = append(d.plan.sources, s)
		}
	}
}

// carry returns the reminders with one text that change because of each other. closed is
// the latest day on which a note has the text ticked, "" for none.
func (b batch) carry(copies []brain.Source, closed string) (changed []brain.Source) {
	newest, done := newestCopy(copies, closed)
	mark := carried
	if done {
		mark = open
	}
	for _, s := range copies {
		was := s
		switch {
		case !isTask(s) || isDone(s):
		case s.Date < newest:
			if s.Done.IsZero() {
				s.Done = b.now
			}
			s.Body = mark + s.Body[len(open):]
		default:
			s.Done, s.Body = time.Time{}, open+s.Body[len(open):]
		}
		if s.Body != was.Body || !s.Done.Equal(was.Done) {
			changed = append(changed, s)
		}
	}
	return changed
}

// newestCopy returns the latest day of reminders with one text, and whether it is done
// then.
func newestCopy(copies []brain.Source, closed string) (newest string, done bool) {
	newest, done = closed, true
	for _, s := range copies {
		if !isTask(s) || s.Date < newest {
			continue
		}
		if s.Date > newest {
			newest, done = s.Date, true
		}
		done = done && (isDone(s) || newest == closed)
	}
	return newest, done
}

// isTask reports whether a reminder is in the notes, or was done before it left them.
func isTask(s brain.Source) bool {
	return s.Kind == brain.Reminder && (s.Removed.IsZero() || isDone(s))
}

func isDone(s brain.Source) bool { return !s.Done.IsZero() && !strings.HasPrefix(s.Body, carried) }
