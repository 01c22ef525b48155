package consolidate_test

import (
	"context"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
	"github.com/brainbridge/brainbridge/tiers"
)

// keptArchive takes everything.
type keptArchive struct{ brain.Archive }

func (keptArchive) Append(context.Context, time.Time, []brain.Forgotten) (string, error) {
	return "archive", nil
}

// A scheduled run forgets nothing if its clock is more than 30 days ahead of the run before it,
// unless one a day before was as far ahead. Runs of a person may. After the clock is right again,
// nothing of it is left.
func TestAClockThatJumpsForgetsNothing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := testlab.OpenStore(t)
		now := testlab.Start()
		run := func(byPerson bool) (forgotten int) {
			b := services.New(s, services.Options{Now: func() time.Time { return now }, Archive: keptArchive{}})
			r := consolidate.New(b.Base, b.Journal, consolidate.Options{Steps: []consolidate.Step{consolidate.NewForget(b.Journal, true)}})
			rep, err := r.Run(t.Context(), consolidate.Request{Kind: brain.RunConsolidate, ByPerson: byPerson})
			if err != nil {
				rt.Fatal(err)
			}
			return rep.Forgotten
		}
		// idle adds a memory that nobody has used for long by the clock as it is.
		idle := func() {
			m := storetest.Memory("idle")
			m.Tier, m.Created = tiers.Expired, now.AddDate(-2, 0, 0)
			m.Energy, m.LastDecay, m.BaseAt, m.ValidFrom = 0, m.Created, m.Created, m.Created
			if err := s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(m) }); err != nil {
				rt.Fatal(err)
			}
		}
		run(false)
		last, doubted := now, time.Time{}
		for range rapid.IntRange(1, 6).Draw(rt, "runs") {
			now = now.Add(time.Duration(rapid.SampledFrom([]int{1, 23, 24, 48, 29 * 24, 31 * 24, 10 * 365 * 24, -10 * 365 * 24}).Draw(rt, "hours")) * time.Hour)
			if now.Before(testlab.Start()) {
				now = last.Add(time.Hour)
			}
			idle()
			byPerson := rapid.IntRange(0, 3).Draw(rt, "by person") == 0
			ahead := now.Sub(last) > 30*brain.Day
			since := now.Sub(doubted)
			may := byPerson || !ahead && (doubted.IsZero() || since < 0 || since >= 23*time.Hour)
			if forgot := run(byPerson); (forgot > 0) != may {
				rt.Fatalf("at %s, %s after the last run, %s after one in doubt, by a person: %t: %d forgotten", now, now.Sub(last), since, byPerson, forgot)
			}
			if last = now; ahead && !byPerson {
				doubted = now
			}
		}
	})
}
