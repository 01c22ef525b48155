package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/cmd/benchmark/generate"
	"github.com/brainbridge/brainbridge/integration/app"
)

// project.json has the phrases of a made-up project.
//
//go:embed project.json
var projectJSON []byte

// The parameters of the made-up project.
const (
	projectDays   = 60
	busyDays      = 2 // at its end
	keepersPerDay = 3
	keepersBusy   = 20
	passingPerDay = 6
	expectedDays  = 14

	// One in so many:
	activityShare   = 3 // of what passes is an activity
	replacedShare   = 3 // of the keepers replaces an earlier one
	preferenceShare = 9 // of the others is a preference
)

// measureMorning measures what is pushed to the first session of a day. A made-up project keeps
// decisions, preferences, lessons and facts for 60 days, replaces some and mentions much that
// passes; on the two days after those it keeps twenty things a day. Each morning the context of
// 2,000 tokens is compared with what holds. All of it goes through the use cases, with a clock
// that moves from day to day.
func measureMorning(ctx context.Context, o options) (_ report, err error) {
	clock := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	b, err := begin(o, func() time.Time { return clock })
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	h, err := b.emptyHome(ctx, "morning")
	if err != nil {
		return nil, err
	}
	if err := h.open(ctx); err != nil {
		return nil, err
	}
	p, err := newProject(h)
	if err != nil {
		return nil, err
	}
	var all []morning
	for day := range projectDays + busyDays {
		keepers := keepersPerDay
		if day >= projectDays {
			keepers = keepersBusy
		}
		for n := range keepers + passingPerDay {
			clock = clock.Add(20 * time.Minute)
			if err := p.capture(ctx, day, n < keepers); err != nil {
				return nil, err
			}
		}
		if _, err := p.use.Goodbye(ctx, ""); err != nil {
			return nil, err
		}
		clock = time.Date(2026, 3, 3+day, 8, 0, 0, 0, time.UTC)
		m, err := p.morning(ctx, day+1)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	b.mornings("", all[:projectDays])
	b.mornings("busy days: ", all[projectDays:])
	return &b.figures, nil
}

// topic is what can be said of a component: in words for the first time, in others after it
// changed, and with which values.
type topic struct {
	Name, Kind           string
	First, Later, Values []string
}

// keeper is a statement that the project keeps.
type keeper struct {
	topic
	component, value string
	id               string
	day              int
	replaced         bool
}

// project is a made-up project.
type project struct {
	Components, Reasons, Did, Then []string
	Topics                         []topic

	home    *home
	use     *app.UseCases
	rand    *rand.Rand
	unused  []keeper // in the order in which the project keeps them
	keepers []keeper
	roots   map[string]int // keepers by the id of their memory
	passing int
}

func newProject(h *home) (*project, error) {
	p := &project{home: h, use: h.core.As(app.Caller{Project: "atlas"}), rand: rand.New(rand.NewPCG(seed, seed)), roots: map[string]int{}}
	if err := json.Unmarshal(projectJSON, p); err != nil {
		return nil, fmt.Errorf("read project.json: %w", err)
	}
	for _, c := range p.Components {
		for _, t := range p.Topics {
			p.unused = append(p.unused, keeper{topic: t, component: c})
		}
	}
	p.rand.Shuffle(len(p.unused), func(i, j int) { p.unused[i], p.unused[j] = p.unused[j], p.unused[i] })
	return p, nil
}

func (p *project) pick(list []string) string { return list[p.rand.IntN(len(list))] }

// capture captures one thing of a day: a keeper, which may replace an earlier one, or what passes.
func (p *project) capture(ctx context.Context, day int, keep bool) error {
	if !keep {
		p.passing++
		text := fmt.Sprintf("%s of %s, %s", p.pick(p.Did), p.pick(p.Components), p.pick(p.Then))
		if p.passing%activityShare == 0 {
			_, err := p.use.Capture(ctx, brain.Source{Kind: brain.Activity, Type: "work", Description: text}, app.Details{})
			return err
		}
		_, err := p.use.Remember(ctx, app.RememberRequest{Content: text})
		return err
	}
	preference := p.rand.IntN(preferenceShare) == 0
	next := slices.IndexFunc(p.unused, func(k keeper) bool { return (k.Kind == "preference") == preference })
	k, d := p.unused[next], app.Details{}
	phrases := k.First
	if old := p.replaceable(); old != nil {
		k, phrases, old.replaced, d.Replaces = *old, old.Later, true, []string{old.id}
	} else {
		p.unused = slices.Delete(p.unused, next, next+1)
	}
	for was := k.value; k.value == was; {
		k.value = p.pick(k.Values)
	}
	name, text := "", generate.Capital(fmt.Sprintf(p.pick(phrases), k.component, k.value))
	switch reason := p.pick(p.Reasons); p.rand.IntN(4) {
	case 0:
		text += ", " + reason + "."
	case 1:
		name, text = text, generate.Capital(reason)+"."
	case 2:
		text += ".\n\n" + generate.Capital(reason) + "."
	default:
		text += "."
	}
	a, err := p.use.Remember(ctx, app.RememberRequest{Name: name, Content: text, Type: k.Kind, Details: d})
	if err != nil {
		return err
	}
	k.id, k.day, k.replaced = string(a.MemoryID), day, false
	p.roots[k.id] = len(p.keepers)
	p.keepers = append(p.keepers, k)
	return nil
}

// replaceable returns a keeper of the last weeks that changes now, nil for none.
func (p *project) replaceable() *keeper {
	recent := p.keepers[max(0, len(p.keepers)-2*expectedDays*keepersPerDay):]
	if len(recent) == 0 || p.rand.IntN(replacedShare) > 0 {
		return nil
	}
	k := &recent[p.rand.IntN(len(recent))]
	if k.replaced || len(k.Later) == 0 {
		return nil
	}
	return k
}

// morning describes the context of one morning.
type morning struct {
	expected, known                  int // keepers of the last 14 days that hold
	lines, replaced, passing, tokens int
	took                             time.Duration
}

// morning compares the context with what holds on a day.
func (p *project) morning(ctx context.Context, day int) (morning, error) {
	start := time.Now()
	c, err := p.use.Context(ctx, app.ContextRequest{})
	m := morning{lines: len(c.Lines), tokens: c.Tokens, took: time.Since(start)}
	if err != nil {
		return m, err
	}
	shown := map[int]bool{}
	for _, line := range c.Lines {
		for _, id := range line.IDs() {
			n, isKeeper := p.roots[id]
			switch {
			case !isKeeper:
				m.passing++
			case p.keepers[n].replaced:
				m.replaced++
			}
			shown[n] = shown[n] || isKeeper
		}
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

// mornings adds the figures of several mornings.
func (r *figures) mornings(prefix string, all []morning) {
	var sum morning
	worst := 100.0
	for _, m := range all {
		sum.expected, sum.known = sum.expected+m.expected, sum.known+m.known
		sum.lines, sum.replaced, sum.passing = sum.lines+m.lines, sum.replaced+m.replaced, sum.passing+m.passing
		sum.tokens, sum.took = max(sum.tokens, m.tokens), max(sum.took, m.took)
		worst = min(worst, percent(m.known, m.expected))
	}
	r.single(prefix+"keepers of the last 14 days that are pushed", 0, percent(sum.known, sum.expected), "%")
	r.single(prefix+"the same on the worst morning", 0, worst, "%")
	r.single(prefix+"replaced statements pushed", 0, float64(sum.replaced), "lines")
	r.single(prefix+"lines that only pass", 0, percent(sum.passing, sum.lines), "%")
	r.single(prefix+"largest context", 0, float64(sum.tokens), "tokens")
	r.single(prefix+"slowest context", 0, millis(sum.took), "ms")
}
