package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/app"
)

// Value is one figure of a benchmark of contents.
type Value struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"` // %, lines, tokens or ms
}

// Values is the JSON document of a benchmark of contents.
type Values struct {
	Figures []Value `json:"figures"`
}

// The figures of [Morning] that have a target.
const (
	keepersPushed  = "keepers of the last 14 days that are pushed"
	replacedPushed = "replaced statements pushed"
	passingPushed  = "lines that only pass"
	largestContext = "largest context"
)

// Rows returns the figures as the rows of a table, with their targets.
func (v Values) Rows() [][]string {
	targets := map[string]string{keepersPushed: "95.0 or more", replacedPushed: "0", passingPushed: "10.0 or less", largestContext: "2000 or less"}
	rows := make([][]string, len(v.Figures))
	for i, f := range v.Figures {
		rows[i] = []string{f.Name, strconv.FormatFloat(f.Value, 'f', 1, 64), f.Unit, targets[strings.TrimPrefix(f.Name, busyPrefix)]}
	}
	return rows
}

// busyPrefix begins the names of the figures of the busy days.
const busyPrefix = "busy days: "

// The parameters of the made-up project of [Morning].
const (
	projectDays    = 60
	busyDays       = 2 // at its end
	keepersPerDay  = 3
	keepersBusy    = 20
	passingPerDay  = 6
	activityShare  = 3 // one in so many passing things is an activity
	replacedShare  = 3 // one in so many keepers replaces an earlier one
	expectedDays   = 14
	morningProject = "atlas"
)

// Morning measures what is pushed to the first session of a day. A made-up project keeps
// decisions, preferences, lessons and facts for 60 days, replaces some (`replace`) and mentions
// much that passes; on the two days after those it keeps twenty things a day. Each
// morning the context of 2,000 tokens is compared with what holds. All of it goes
// through the use cases, with a clock that moves from day to day.
func Morning(ctx context.Context, o Options) (_ Values, err error) {
	clock := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	b, err := begin(o, func() time.Time { return clock })
	if err != nil {
		return Values{}, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	h, err := b.home(ctx, "morning")
	if err != nil {
		return Values{}, err
	}
	if err := h.open(ctx); err != nil {
		return Values{}, err
	}
	p := &project{home: h, use: h.core.As(app.Caller{Project: morningProject}), texts: newMadeUp(seed), roots: map[string]int{}}
	var usual, busy mornings
	b.progress.start("days", projectDays+busyDays)
	for day := range projectDays + busyDays {
		keepers := keepersPerDay
		if day >= projectDays {
			keepers = keepersBusy
		}
		for n := range keepers + passingPerDay {
			clock = clock.Add(20 * time.Minute)
			if err := p.capture(ctx, day, n < keepers); err != nil {
				return Values{}, err
			}
		}
		if _, err := p.use.Goodbye(ctx, ""); err != nil {
			return Values{}, err
		}
		clock = time.Date(2026, 3, 3+day, 8, 0, 0, 0, time.UTC)
		m, err := p.morning(ctx, day+1)
		if err != nil {
			return Values{}, err
		}
		if day < projectDays {
			usual = append(usual, m)
		} else {
			busy = append(busy, m)
		}
		b.progress.add(1)
	}
	return Values{slices.Concat(usual.figures(""), busy.figures(busyPrefix))}, nil
}

// project is a made-up project with the state of its statements.
type project struct {
	home    *home
	use     *app.UseCases
	texts   *madeUp
	keepers []keeper
	roots   map[string]int // keepers by the id of their capture
	next    int            // captures
}

type keeper struct {
	statement
	id       string
	day      int
	replaced bool
}

// capture captures one thing of a day.
func (p *project) capture(ctx context.Context, day int, keep bool) error {
	p.next++
	switch {
	case keep:
		return p.keep(ctx, day)
	case p.next%activityShare == 0:
		_, err := p.use.Capture(ctx, brain.Source{Kind: brain.Activity, Type: "work", Description: p.texts.passing()}, app.Details{})
		return err
	}
	_, err := p.use.Remember(ctx, app.RememberRequest{Content: p.texts.passing()})
	return err
}

// keep captures a keeper: a new one, or one that replaces an earlier one.
func (p *project) keep(ctx context.Context, day int) error {
	s, d := p.texts.keeper(), app.Details{}
	if old := p.replaceable(); p.texts.rand.IntN(replacedShare) == 0 && old != nil {
		s, old.replaced = p.texts.replacement(old.statement), true
		d.Replaces = []string{old.id}
	}
	a, err := p.use.Remember(ctx, app.RememberRequest{Name: s.name, Content: s.text, Type: s.kind, Details: d})
	if err != nil {
		return err
	}
	if a.MemoryID == "" {
		return fmt.Errorf("%q was not stored", s.text)
	}
	p.roots[string(a.MemoryID)] = len(p.keepers)
	p.keepers = append(p.keepers, keeper{statement: s, id: string(a.MemoryID), day: day})
	return nil
}

// replaceable returns a keeper of the last weeks that can change, nil for none.
func (p *project) replaceable() *keeper {
	recent := p.keepers[max(0, len(p.keepers)-2*expectedDays*keepersPerDay):]
	if len(recent) == 0 {
		return nil
	}
	k := &recent[p.texts.rand.IntN(len(recent))]
	if k.replaced || len(k.topic.later) == 0 {
		return nil
	}
	return k
}

// morningFacts describes one morning's context.
type morningFacts struct {
	expected, known          int // keepers of the last 14 days that hold
	lines, replaced, passing int
	tokens                   int
	took                     time.Duration
}

// morning compares the context with what holds on a day.
func (p *project) morning(ctx context.Context, day int) (morningFacts, error) {
	start := time.Now()
	c, err := p.use.Context(ctx, app.ContextRequest{})
	m := morningFacts{lines: len(c.Lines), tokens: c.Tokens, took: time.Since(start)}
	if err != nil {
		return m, err
	}
	var ids []string
	for _, line := range c.Lines {
		ids = append(ids, line.IDs()...)
	}
	ms, err := p.home.brain.Base.Memories(ctx, ids...)
	if err != nil {
		return m, err
	}
	shown := map[int]bool{}
	for i := range ms {
		n, isKeeper := p.roots[ms[i].ID]
		switch {
		case !isKeeper:
			m.passing++
		case p.keepers[n].replaced:
			m.replaced++
		}
		shown[n] = shown[n] || isKeeper
	}
	for i, k := range p.keepers {
		if k.day >= day-expectedDays && !k.replaced {
			m.expected++
			if shown[i] {
				m.known++
			}
		}
	}
	return m, nil
}

// mornings has the results of several mornings.
type mornings []morningFacts

// figures returns the figures of the mornings.
func (all mornings) figures(prefix string) []Value {
	var sum, most morningFacts
	worst := 100.0
	for _, m := range all {
		sum.expected, sum.known = sum.expected+m.expected, sum.known+m.known
		sum.lines, sum.replaced, sum.passing = sum.lines+m.lines, sum.replaced+m.replaced, sum.passing+m.passing
		most.tokens, most.took = max(most.tokens, m.tokens), max(most.took, m.took)
		worst = min(worst, percent(m.known, m.expected))
	}
	return []Value{
		{prefix + keepersPushed, percent(sum.known, sum.expected), "%"},
		{prefix + "the same on the worst morning", worst, "%"},
		{prefix + replacedPushed, float64(sum.replaced), "lines"},
		{prefix + passingPushed, percent(sum.passing, sum.lines), "%"},
		{prefix + largestContext, float64(most.tokens), "tokens"},
		{prefix + "slowest context", float64(most.took.Microseconds()) / 1000, "ms"},
	}
}

func percent(part, of int) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(part) / float64(of)
}
