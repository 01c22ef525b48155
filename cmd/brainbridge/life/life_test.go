// Package life has the laws of a memory's life. Whatever is captured, used, changed, merged, forgotten and undone, in any order:
// what each memory says and said is what a plain list says, under every id that it ever had, on both stores.
package life

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/review"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/brain/words"
)

func TestLife(t *testing.T) {
	storetest.Some(t, storetest.Dear, func(rt *rapid.T) {
		p := newPlay(t, rt)
		p.newWorld("sqlite", p.onSQLite())
		p.live(7, p.onSQLite)
	})
}

// The same on both stores side by side; each is restored into the other one.
func TestLifeOnBothStores(t *testing.T) {
	uri := neo4jtest.Server(t)
	storetest.Some(t, 2*storetest.LivedServed, func(rt *rapid.T) {
		p := newPlay(t, rt)
		onNeo4j := func() brain.Store {
			return p.opened(neo4j.Open(t.Context(), neo4j.Config{URI: uri, Brain: "life-" + brain.NewID()}))
		}
		p.newWorld("sqlite", p.onSQLite())
		p.newWorld("neo4j", onNeo4j())
		p.live(5, onNeo4j, p.onSQLite)
	})
}

// play is one sequence of operations in some worlds, and the lives that should come of it.
type play struct {
	*rapid.T
	t       *testing.T
	now     time.Time
	worlds  []*world
	lives   []*life
	byText  map[string]*life
	runs    []*run // those of the journal, oldest first
	touched time.Time
	times   []time.Time // of all operations
}

func newPlay(t *testing.T, rt *rapid.T) *play {
	return &play{T: rt, t: t, now: time.Date(2026, 2, 5, 9, 0, 0, 0, time.UTC), byText: map[string]*life{}}
}

func (p *play) onSQLite() brain.Store {
	return p.opened(sqlite.Open(p.t.Context(), filepath.Join(p.t.TempDir(), "brain.db"), "life"))
}

func (p *play) opened(s brain.Store, err error) brain.Store {
	if err != nil {
		p.Fatal(err)
	}
	p.Cleanup(func() { _ = s.Close() })
	return s
}

// op is one operation. Its numbers choose among what is there, so that any part of a list of operations can be done.
type op struct {
	Do      string
	A, B, N int
}

// drawOp draws bits, because other generators prefer small numbers: few operations would be about what another one changed.
func drawOp(t *rapid.T) op {
	number := rapid.Custom(func(t *rapid.T) (n int) {
		for range 4 {
			if n *= 2; rapid.Bool().Draw(t, "bit") {
				n++
			}
		}
		return n
	})
	kinds := strings.Fields("wait capture use use settle settle correct correct edit edit replace merge merge forget undo undo")
	return op{kinds[number.Draw(t, "do")], number.Draw(t, "a"), number.Draw(t, "b"), number.Draw(t, "n")}
}

// live captures three memories and does up to three times as many operations as given. Then the laws are checked: after backups
// were restored into the same and another store, and after everything was undone.
func (p *play) live(most int, others ...func() brain.Store) {
	for n := range 3 {
		p.step(op{"capture", n + 1, 0, n})
	}
	for range 3 {
		for _, o := range rapid.SliceOfN(rapid.Custom(drawOp), 1, most).Draw(p.T, "ops") {
			p.step(o)
		}
	}
	for i, w := range slices.Clone(p.worlds) {
		other := p.newWorld(w.name+", restored", others[i]())
		other.ids, other.first = w.ids, w.first
		w.restoreInto(w, other)
		for _, r := range p.runs {
			if r.before != nil {
				r.before = append(r.before, r.before[i])
			}
		}
	}
	p.wantAll()
	p.undoAll()
	p.wantAll()
}

// step does one operation in all worlds, at an instant of its own.
func (p *play) step(o op) {
	p.now = p.now.Add(time.Second)
	p.times = append(p.times, p.now)
	var before []map[*life]stored
	p.each(func(w *world) { before = append(before, w.current()) })
	p.learn(before, p.do(o))
	p.wantNow()
}

// do does an operation, and returns what the last run that it makes changes in the model.
func (p *play) do(o op) []*effect {
	a, b := p.pick(o.A), p.pick(o.B)
	switch {
	case o.Do == "capture":
		p.capture(o.A, o.N)
	case o.Do == "wait":
		p.now = p.now.Add(time.Duration([]int{1, 30, 300, 1500}[o.N%4]) * time.Hour)
	case o.Do == "settle":
		p.each(func(w *world) { w.maintain() })
	case o.Do == "undo":
		p.undo(o.N / 4)
	case a == nil:
	case o.Do == "use":
		p.use(a, o.B, o.N)
	case o.Do == "correct":
		says := p.newText(a)
		p.each(func(w *world) { ran[stored](w)(w.Capture.Correct(w.Context(), w.of(a, o.B), "", says)) })
		return []*effect{{life: a, back: a.change(says, p.now)}}
	case o.Do == "edit" && a.file != "" && !slices.ContainsFunc(p.lives, func(l *life) bool { return l.into == a }):
		says := p.newText(a)
		p.each(func(w *world) { w.note(a.file, says, importance(o.N), a.texts[0].from) })
		a.change(says, p.now)
		a.edits = append(a.edits, p.now)
	case o.Do == "replace" && b != nil && a != b:
		p.each(func(w *world) { ran[review.Replaced](w)(w.Review.Replace(w.Context(), w.living(a), w.of(b, o.N))) })
		return []*effect{{life: b, back: a.join(b, p.now)}}
	case o.Do == "forget":
		p.each(func(w *world) { ran[stored](w)(w.Journal.Forget(w.Context(), w.of(a, o.B), "asked for")) })
		a.forgotten = true
		return []*effect{{life: a, back: func() { a.forgotten = false }}}
	case o.Do == "merge" && o.N%3 == 2:
		return p.mergeTwin(a)
	case o.Do == "merge" && b != nil && a != b:
		return p.merge(a, b, o.N%3 == 1)
	}
	return nil
}

func (p *play) each(do func(w *world)) {
	for _, w := range p.worlds {
		do(w)
	}
}

// pick chooses a life, and returns the one that holds for it, nil if that is forgotten.
func (p *play) pick(n int) *life {
	if len(p.lives) == 0 || p.lives[n%len(p.lives)].holder().forgotten {
		return nil
	}
	return p.lives[n%len(p.lives)].holder()
}

// newText returns a text that no rule takes for another one, since it has another number.
func (p *play) newText(l *life) string {
	n := len(p.byText)
	says := fmt.Sprintf("page %d of the ledger says %s%d about it", n, strings.Fields("gujeki lomuna perito suvawe xiyoza")[n%5], n)
	p.byText[says] = l
	return says
}

func (p *play) newLife(says string) *life {
	l := &life{name: fmt.Sprint("life ", len(p.lives)), texts: []text{{says: says, from: p.now}}}
	p.lives, p.byText[says] = append(p.lives, l), l
	return l
}

func importance(n int) brain.Importance {
	return []brain.Importance{brain.Reference, brain.Important}[n%2] // the latter is due for promotion at once
}

func (p *play) capture(kind, n int) {
	l := p.newLife(p.newText(nil))
	if kind%4 < 2 {
		l.file = fmt.Sprintf("note-%d.md", len(p.lives))
	}
	p.each(func(w *world) {
		switch kind % 4 {
		case 2:
			w.capture(brain.Source{Kind: brain.Learning, Concept: l.name, Learned: l.says()})
		case 3:
			w.capture(brain.Source{Kind: brain.Crystallization, Trigger: l.name, Insight: l.says()})
		default:
			w.note(l.file, l.says(), importance(n), p.now)
		}
	})
}

func (p *play) use(l *life, now, how int) {
	p.touched = p.now
	p.each(func(w *world) {
		switch how % 4 {
		case 0:
			must[stored](w)(w.Capture.Boost(w.Context(), w.of(l, now), float64(1+how/2)))
		case 1:
			must[stored](w)(w.Capture.Used(w.Context(), w.of(l, now), brain.Helpful, ""))
		case 2:
			must[stored](w)(w.Capture.Open(w.Context(), w.of(l, now)))
		case 3:
			word := strings.Fields(l.says())[6] // which no other life has, unless they were one
			must[recall.Recollection](w)(w.Recall.Recall(w.Context(), recall.Query{Words: words.Parse(word)}))
		}
	})
}

// merge makes two lives one by a verdict, with a text or without one.
func (p *play) merge(a, b *life, both bool) []*effect {
	kind, says, merged := brain.ReviewMerge, "", false
	if both {
		kind, says = brain.ReviewPair, a.says()+", and "+b.says()
		p.byText[says] = a
	}
	p.each(func(w *world) { merged = w.decide(kind, a, b, says) })
	if !merged {
		return nil
	}
	w := p.worlds[0]
	if slices.ContainsFunc(w.list(false), func(v brain.View) bool { return v.ID == w.first[b] }) {
		a, b = b, a // the program chose the other one to keep
	}
	if !both {
		return []*effect{{life: a, back: b.join(a, p.now)}}
	}
	p.byText[says] = a
	change, join := a.change(says, p.now), b.join(a, p.now)
	return []*effect{{life: a, back: func() { change(); join() }}}
}

// mergeTwin says a text again with a word in quotes, and makes a run that merges duplicates.
func (p *play) mergeTwin(a *life) (effects []*effect) {
	says := `"` + strings.Replace(a.says(), " ", `" `, 1)
	if p.byText[says] != nil || strings.Contains(says, `""`) {
		return nil
	}
	p.newLife(says)
	p.each(func(w *world) {
		m := must[stored](w)(brain.First(w.Base.Memories(w.Context(), w.living(a))))
		c := must[brain.Capture](w)(w.Capture.NewMemory(stored{Name: m.Name, Content: says, MemoryType: m.MemoryType}, brain.Details{}))
		must[brain.Captured](w)(w.Capture.Capture(w.Context(), c))
		w.maintain(w.duplicates())
	})
	p.print()
	w := p.worlds[0]
	for _, r := range w.runs()[len(p.runs):] {
		for _, act := range w.actions(r) {
			for _, id := range act.IDs[1:] {
				if keeper := w.ids[act.IDs[0]]; act.Kind == brain.ActMerge {
					effects = append(effects, &effect{life: keeper, back: w.ids[id].join(keeper, p.now)})
				}
			}
		}
	}
	return effects
}
