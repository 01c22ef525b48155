package consolidate

import (
	"fmt"
	"time"
)

// When a whole run is due, beside the number of live memories that the brain's
// own numbers set (lifecycle.maxMemories).
const (
	dueAfter = 7 * 24 * time.Hour // since the last one
	dueNew   = 10                 // new memories since the last one
)

// Occasion is what decides whether a whole run is due.
type Occasion struct {
	Now  time.Time
	Last time.Time // of the last whole run; zero: there was none
	Live int       // live memories
	Max  int       // live memories over which a run is due
	New  int       // memories that came since the last run
}

// Due tells whether a whole run is due, and why or why not.
func (o Occasion) Due() (due bool, reason string) {
	switch since := o.Now.Sub(o.Last); {
	case o.Last.IsZero():
		return true, "there was no run yet"
	case o.Live > o.Max:
		return true, fmt.Sprintf("%s live, more than %d", memoriesAre(o.Live), o.Max)
	case since >= dueAfter:
		return true, fmt.Sprintf("the last run was %d days ago", int(since/day))
	case o.New >= dueNew:
		return true, fmt.Sprintf("%d memories are new since the last run", o.New)
	default:
		return false, fmt.Sprintf("%s live of at most %d, %d of %d are new, and the last run was %d of %d days ago",
			memoriesAre(o.Live), o.Max, o.New, dueNew, max(0, int(since/day)), int(dueAfter/day))
	}
}

func memoriesAre(n int) string {
	if n == 1 {
		return "1 memory is"
	}
	return fmt.Sprintf("%d memories are", n)
}

const day = 24 * time.Hour

// Next tells what makes the next run due, when a run has just ended.
func (o Occasion) Next() []string {
	return []string{
		fmt.Sprintf("more than %d live memories (%d are)", o.Max, o.Live),
		fmt.Sprintf("%s, %d days after this run", o.Now.Add(dueAfter).Format(time.RFC3339), int(dueAfter/day)),
		fmt.Sprintf("%d new memories", dueNew),
		"a finished project",
	}
}
