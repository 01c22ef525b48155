package consolidate_test

import (
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
)

func TestWhenARunIsDue(t *testing.T) {
	now := testlab.Start()
	last := func(days time.Duration) consolidate.LastRun {
		return consolidate.LastRun{At: now.Add(-days * 24 * time.Hour)}
	}
	for name, c := range map[string]struct {
		o    consolidate.Triggers
		want bool
		why  string
	}{
		"never":              {consolidate.Triggers{}, true, "no run yet"},
		"nothing":            {consolidate.Triggers{Last: last(0)}, false, "0 new (due at 10)"},
		"as many as allowed": {consolidate.Triggers{Last: last(0), Live: 200}, false, "200 memories are live (limit 200)"},
		"one more":           {consolidate.Triggers{Last: last(0), Live: 201}, true, "201 memories are live"},
		"six days":           {consolidate.Triggers{Last: last(6)}, false, "6d ago (due after 7 days)"},
		"nearly seven":       {consolidate.Triggers{Last: consolidate.LastRun{At: last(7).At.Add(time.Second)}}, false, "6d ago (due after 7 days)"},
		"seven days":         {consolidate.Triggers{Last: last(7)}, true, "7 days ago"},
		"nine are new":       {consolidate.Triggers{Last: last(0), New: 9}, false, "9 new (due at 10)"},
		"ten are new":        {consolidate.Triggers{Last: last(0), New: 10}, true, "10 memories are new"},
		"the clock was back": {consolidate.Triggers{Last: last(-3)}, false, "a moment ago (due after 7 days)"},
	} {
		c.o.Now, c.o.Max = now, 200
		due, why := c.o.Due()
		if due != c.want || !strings.Contains(why, c.why) {
			t.Errorf("%s: due %v, %q; want %v, %q", name, due, why, c.want, c.why)
		}
	}
}

func TestNextRunIsToldWithItsDay(t *testing.T) {
	o := consolidate.Triggers{Now: testlab.Start(), Live: 143, Max: 200}
	told := strings.Join(o.Next(), "\n")
	for _, want := range []string{"200 live memories (143 are)", "2026-02-12T09:00:00Z", "10 new memories"} {
		if !strings.Contains(told, want) {
			t.Errorf("%q is not told:\n%s", want, told)
		}
	}
}
