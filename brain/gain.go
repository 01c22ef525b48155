package brain

import (
	"time"

	"github.com/brainbridge/brainbridge/tiers"
)

// restored is a memory as it was before an action, with what it gained since. It
// has the version of then, so that the action before can be undone next.
func restored(tl tiers.Timeline, c Change, here Memory, g gain) Memory {
	back := *c.Before
	if c.keepsText() { // the journal left the text out
		back.Content, back.Observations, back.Extra = here.Content, here.Observations, here.Extra
	}
	g.counters(&back)
	if !back.PromoteDue.IsZero() { // only a later touch makes it due again
		back.State = tl.Reset(back.State, back.Base, back.BaseAt)
	}
	if gained := g.energy(); gained > 0 {
		back.State = tl.Reset(back.State, tl.Energy(back.State, g.now)+gained, g.now)
	}
	back.SessionCount = c.Before.SessionCount + g.here.SessionCount - g.since.SessionCount
	back.complete()
	return back
}

// gain is what a memory gained since an action.
type gain struct {
	tl          tiers.Timeline
	since, here Memory // right after the action, and now
	now         time.Time
}

// energy is what boosts, accesses and recalls have added since, faded to now.
func (g gain) energy() float64 {
	since := g.since.State
	if g.here.PromoteDue.IsZero() && !since.PromoteDue.IsZero() { // a later action was undone before
		since = g.tl.Reset(since, since.Base, since.BaseAt)
	}
	gained := g.tl.Energy(g.here.State, g.now) - g.tl.Energy(since, g.now)
	if gained < 1e-9 {
		return 0
	}
	return gained
}

func (g gain) counters(m *Memory) {
	m.AccessCount += g.here.AccessCount - g.since.AccessCount
	m.RecallCount += g.here.RecallCount - g.since.RecallCount
	m.UseCount += g.here.UseCount - g.since.UseCount
	m.HelpfulCount += g.here.HelpfulCount - g.since.HelpfulCount
	m.NotHelpfulCount += g.here.NotHelpfulCount - g.since.NotHelpfulCount
	m.Confirmations += g.here.Confirmations - g.since.Confirmations
	if g.here.LastAccessed.After(g.since.LastAccessed) {
		m.LastAccessed = later(m.LastAccessed, g.here.LastAccessed)
	}
	if g.here.LastUsed.After(g.since.LastUsed) {
		m.LastUsed = later(m.LastUsed, g.here.LastUsed)
	}
}
