package health

import (
	"cmp"
	"context"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/services"
)

// The thresholds of the rankings.
const (
	Most      = 10  // memories in a ranking
	highUses  = 5   // minimum uses of a memory of high value
	highShare = 0.7 // minimum share of its helpful verdicts
	lowUses   = 3   // minimum uses of a memory of low value
	lowShare  = 0.4 // its share of helpful verdicts is below this
)

// Ranked is a memory with its uses and verdicts.
type Ranked struct {
	ID            string  `json:"id"`
	Name          string  `json:"name"`
	MemoryType    string  `json:"memoryType"`
	Uses          int     `json:"uses"`
	Helpful       int     `json:"helpful"`
	NotHelpful    int     `json:"notHelpful"`
	Effectiveness float64 `json:"effectiveness"`
	// Core reports whether it has enough verdicts for core memory and is not in it.
	Core bool `json:"core"`
	// Actions are the commands that act on it: correct, forget and why for a memory of
	// low value, promote for a candidate for core memory.
	Actions []string `json:"actions"`
}

// rank returns the rankings of the memories that are chosen.
func rank(ctx context.Context, b *services.Services, chosen func(brain.Memory) bool) (high, low []Ranked, err error) {
	judged, err := readJudged(ctx, b)
	if err != nil {
		return nil, nil, err
	}
	numbers, err := b.Base.Numbers(ctx)
	if err != nil {
		return nil, nil, err
	}
	high, low = []Ranked{}, []Ranked{}
	for _, m := range judged {
		if !chosen(m) {
			continue
		}
		r := Ranked{
			ID: m.ID, Name: m.Name, MemoryType: m.MemoryType, Uses: m.UseCount, Helpful: m.HelpfulCount, NotHelpful: m.NotHelpfulCount,
			Effectiveness: *m.Effectiveness(), Actions: []string{},
		}
		switch {
		case r.Uses >= highUses && r.Effectiveness >= highShare:
			r.Core = !m.IsCore() && r.Helpful+r.NotHelpful >= numbers.Core.Uses && r.Effectiveness >= numbers.Core.Effectiveness
			if r.Core {
				r.Actions = []string{"brainbridge core promote " + r.ID}
			}
			high = append(high, r)
		case r.Uses >= lowUses && r.Effectiveness < lowShare:
			r.Actions = []string{"brainbridge correct " + r.ID + " TEXT", "brainbridge forget " + r.ID, "brainbridge why " + r.ID}
			low = append(low, r)
		}
	}
	return first(high, -1), first(low, 1), nil
}

// first returns the first of a ranking: by effectiveness (1: lowest first), then by uses.
func first(all []Ranked, direction int) []Ranked {
	slices.SortFunc(all, func(x, y Ranked) int {
		return cmp.Or(direction*cmp.Compare(x.Effectiveness, y.Effectiveness), cmp.Compare(y.Uses, x.Uses), cmp.Compare(x.ID, y.ID))
	})
	return all[:min(len(all), Most)]
}

// readJudged returns the live and expired memories with verdicts.
func readJudged(ctx context.Context, b *services.Services) (judged []brain.Memory, err error) {
	for page, err := range b.Base.Pages(ctx, brain.ListFilter{}) {
		if err != nil {
			return nil, err
		}
		judged = append(judged, slices.DeleteFunc(page, func(m brain.Memory) bool { return m.Effectiveness() == nil })...)
	}
	return judged, nil
}
