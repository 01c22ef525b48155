package journal

import (
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// restored returns a memory as it was before an action, plus what it gained since. It has
// its version from before the action, so that the action before that can be undone next.
func restored(tl tiers.Timeline, c brain.Change, here brain.Memory, g gain) brain.Memory {
	back := *c.Before
	if c.KeepsText() { // the journal omitted the text
		back.Content, back.Observations, back.Extra = here.Content, here.Observations, here.Extra
	}
	g.counters(&back)
	if !back.PromoteDue.IsZero() { // only a later touch makes it due again
		back.State = tl.Reset(back.State, back.Base, back.BaseAt)
	}
	if gained := g.energy(); gained > 0 {
		back.State = tl.Reset(back.State, tl.Energy(back.State, g.Now)+gained, g.Now)
	}
	back.SessionCount = c.Before.SessionCount + g.Here.SessionCount - g.Since.SessionCount
	back.Complete()
	return back
}

// gain is the energy and the uses that a memory gained since an action.
type gain struct {
	Timeline    tiers.Timeline
	Since, Here brain.Memory // right after the action, and now
	Now         time.Time
}

// energy returns what boosts, accesses and recalls have added since, faded to now.
func (g gain) energy() float64 {
	since := g.Since.State
	if g.Here.PromoteDue.IsZero() && !since.PromoteDue.IsZero() { // a later action was undone before
		since = g.Timeline.Reset(since, since.Base, since.BaseAt)
	}
	gained := g.Timeline.Energy(g.Here.State, g.Now) - g.Timeline.Energy(since, g.Now)
	if gained < 1e-9 {
		return 0
	}
	return gained
}

func (g gain) counters(m *brain.Memory) {
	since, here := g.Since.Counters(), g.Here.Counters()
	for i, count := range m.Counters() {
		*count += *here[i] - *since[i]
	}
	if g.Here.LastAccessed.After(g.Since.LastAccessed) {
		m.LastAccessed = brain.Later(m.LastAccessed, g.Here.LastAccessed)
	}
	if g.Here.LastUsed.After(g.Since.LastUsed) {
		m.LastUsed = brain.Later(m.LastUsed, g.Here.LastUsed)
	}
}
