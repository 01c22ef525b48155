package life

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

type shown = recall.Shown

func (w *world) show(id string) (shown, error) { return w.Recall.Show(w.Context(), id, false) }

// same fails the law if a world differs from what is wanted.
func (w *world) same(what string, want, got any, o ...cmp.Option) {
	w.Helper()
	if d := cmp.Diff(want, got, append(o, cmpopts.EquateEmpty(), cmp.AllowUnexported(text{}))...); d != "" {
		w.Fatalf("%s: %s (-want +got):\n%s", w.name, what, d)
	}
}

// sorted compares lists of texts without their order.
var sorted = cmpopts.SortSlices(strings.Compare)

// print lists all memories in all worlds, and remembers the ids.
func (p *play) print() {
	p.each(func(w *world) {
		for _, v := range w.list(true) {
			if l := p.byText[v.Content]; w.ids[v.ID] == nil {
				if w.ids[v.ID] = l; w.first[l] == "" {
					w.first[l] = v.ID
				}
			}
		}
	})
}

// learn reads the runs that an operation made: the first one began at the state before, the last one has the effects.
func (p *play) learn(before []map[*life]stored, effects []*effect) {
	p.print()
	w := p.worlds[0]
	for _, r := range w.runs()[len(p.runs):] {
		next := &run{at: p.now, kind: r.Kind, promoted: map[*life]bool{}, before: before}
		for _, a := range w.actions(r) {
			next.lives = append(next.lives, brain.Map(a.IDs, func(id string) *life { return w.ids[id] })...)
			next.promoted[w.ids[a.IDs[0]]] = next.promoted[w.ids[a.IDs[0]]] || a.Kind == brain.ActPromote
		}
		p.Logf("run %d: %s at %v", len(p.runs), r.Kind, p.now)
		p.runs, before = append(p.runs, next), nil
	}
	if len(effects) > 0 {
		p.runs[len(p.runs)-1].effects = effects
	}
}

// wantNow checks laws f and g: all stores list the same memories and runs, and each text that holds once, under the id that its
// memory was captured with.
func (p *play) wantNow() {
	p.Helper()
	var want, first []string
	for _, l := range p.lives {
		if l.into == nil && !l.forgotten {
			want = append(want, l.name+": "+l.says())
		}
	}
	p.each(func(w *world) {
		w.same("live list", want, brain.Map(w.list(false), func(v brain.View) string {
			l := w.ids[v.ID].holder()
			if w.first[l] != v.ID {
				return v.ID + " instead of " + w.first[l]
			}
			return l.name + ": " + v.Content
		}), sorted)
		all := brain.Map(w.list(true), func(v brain.View) string {
			return fmt.Sprintf("%q %s %.9f, used %d, from %v to %v", v.Content, *v.Tier, *v.Energy, v.UseCount, v.ValidFrom, v.ValidTo)
		})
		for _, r := range w.runs() {
			all = append(all, fmt.Sprint(r.Kind, r.Started, r.Actions, r.Undone))
		}
		if first == nil {
			first = all
		}
		w.same("differs from the first store", first, all, sorted)
	})
}

// wantAll checks all laws but b.
func (p *play) wantAll() {
	p.Helper()
	p.wantNow()
	p.each(func(w *world) {
		for _, at := range p.times {
			p.wantAsOf(w, at)
			p.wantAsOf(w, at.Add(-time.Millisecond))
		}
		p.wantIDs(w)
		p.wantExport(w)
	})
	for _, l := range p.lives {
		var first []string
		p.each(func(w *world) {
			all := p.wantHistory(w, l)
			if first == nil {
				first = all
			}
			w.same("the history of "+l.name+" differs from the first store", first, all)
		})
	}
}

// wantAsOf checks law a: recall as of an instant answers with the texts that held then. Expiry does not count.
func (p *play) wantAsOf(w *world, at time.Time) {
	p.Helper()
	var want []string
	for _, l := range p.lives {
		for _, x := range l.texts {
			if !l.holder().forgotten && !at.Before(x.from) && (x.to.IsZero() || at.Before(x.to)) {
				want = append(want, l.holder().name+": "+x.says)
			}
		}
	}
	q := recall.Query{Words: words.Parse("ledger"), AsOf: at, Limit: 1000}
	got := brain.Map(must[recall.Recollection](w)(w.Recall.Recall(w.Context(), q)).Results, func(r recall.Recalled) string {
		return w.ids[r.Memory.ID].holder().name + ": " + r.Memory.Content
	})
	w.same("texts as of "+at.String(), want, got, sorted)
}

// wantIDs checks law d: every id that was ever printed resolves to the memory that holds now, or to what was forgotten.
func (p *play) wantIDs(w *world) {
	p.Helper()
	living := map[*life]string{}
	for _, v := range w.list(false) {
		living[w.ids[v.ID].holder()] = v.ID
	}
	for id, l := range w.ids {
		found, err := w.show(id)
		got := found.Memory.ID + ": " + found.Memory.Content
		if errors.Is(err, brain.ErrNotFound) && l.holder().forgotten {
			m, _, lost := w.Journal.History(w.Context(), id)
			got, err = ": "+m.Content, lost
		}
		if err != nil || got != living[l.holder()]+": "+l.holder().says() {
			p.Fatalf("%s: %s of %s is %q (%v), want %q", w.name, id, l.name, got, err, l.holder().says())
		}
	}
}

// wantHistory checks law c: the history, which is the same from each id, has an event at each change of a text that was not undone,
// and all texts can be found with the instants at which they held. It returns the events.
func (p *play) wantHistory(w *world, l *life) []string {
	p.Helper()
	var all []string
	at, begin := map[time.Time]bool{}, l.texts[0].from
	for id, other := range w.ids {
		if other == l {
			_, events, err := w.Journal.History(w.Context(), id)
			lines := brain.Map(must[[]journal.HistoryEvent](w)(events, err), func(e journal.HistoryEvent) string {
				at[e.At] = at[e.At] || e.Undone == nil
				if e.Kind == "capture" && e.At.Before(begin) {
					begin = e.At // a merge keeps the oldest one
				}
				return fmt.Sprint(e.At, e.Kind, w.ids[e.Memory].name, e.Session, e.Undone)
			})
			if all == nil {
				all = lines
			}
			w.same("the history of "+l.name+" from another id", all, lines)
		}
	}
	want := append([]time.Time{begin}, l.edits...)
	for _, r := range p.runs {
		for _, e := range r.effects {
			if e.life == l && !e.undone {
				want = append(want, r.at)
			}
		}
	}
	if i := slices.IndexFunc(want, func(t time.Time) bool { return !at[t] }); i >= 0 {
		p.Fatalf("%s: the history of %s has nothing at %v: %q", w.name, l.name, want[i], all)
	}
	if l.into == nil && !l.forgotten {
		p.wantTexts(w, l)
	}
	return all
}

// wantTexts follows PROMOTED_TO and SUPERSEDES to all that a memory said. A promotion changes no text.
func (p *play) wantTexts(w *world, l *life) {
	p.Helper()
	var want, found, got []text
	for _, other := range p.lives {
		if other.holder() == l {
			want = append(want, other.texts...)
		}
	}
	ids := []string{w.living(l)}
	for i := 0; i < len(ids); i++ {
		s := must[shown](w)(w.Recall.Show(w.Context(), ids[i], true))
		x := text{says: s.Memory.Content, from: *s.Memory.ValidFrom}
		if s.Memory.ValidTo != nil && *s.Memory.Tier != tiers.Expired {
			x.to = *s.Memory.ValidTo
		}
		found = append(found, x)
		for _, r := range s.Relations {
			if r.Type == brain.PromotedTo && r.To == ids[i] {
				ids = brain.Union(ids, []string{r.From})
			}
			if r.Type == brain.Supersedes && r.From == ids[i] {
				ids = brain.Union(ids, []string{r.To})
			}
		}
	}
	slices.SortFunc(want, text.compare)
	slices.SortFunc(found, text.compare)
	for _, x := range found {
		if n := len(got); n > 0 && got[n-1].says == x.says && got[n-1].to.Equal(x.from) {
			got[n-1].to = x.to
		} else {
			got = append(got, x)
		}
	}
	w.same("the texts of "+l.name, want, got)
}

// undo undoes the nth latest run that is left, and checks law b: that works if nothing has changed since, restores what was before if
// nothing was used since, and otherwise names what it leaves.
func (p *play) undo(n int) {
	p.Helper()
	var left []int
	for i := range slices.Backward(p.runs) {
		if p.runs[i].closed == 0 {
			left = append(left, i)
		}
	}
	if len(left) == 0 {
		return
	}
	number := left[n%len(left)]
	r, changed := p.runs[number], p.changedSince(number)
	var skipped []string
	for i, w := range p.worlds {
		u := must[journal.Undone](w)(w.Journal.Undo(w.Context(), w.runs()[number].ID, nil, nil))
		names := brain.Map(u.Skipped, func(s journal.Skipped) string { return w.ids[s.ID].name })
		if i == 0 {
			skipped = names
		}
		w.same("skipped by an undo", skipped, names)
	}
	p.Logf("undo of run %d skipped %v", number, skipped)
	if len(skipped) > 0 && !changed {
		p.Fatalf("undo of a %s skipped %v, but nothing has changed since", r.kind, skipped)
	}
	for _, e := range slices.Backward(r.effects) {
		if e.undone = !slices.Contains(skipped, e.life.name); e.undone {
			e.back()
		}
	}
	r.closed = len(p.runs)
	r.undone = !changed // else a memory that replaced another one keeps what it has
	for _, later := range p.runs[number+1:] {
		later.before = nil // which it would not come back to
	}
	if r.before != nil && p.touched.Before(r.at) && !changed {
		for i, w := range p.worlds {
			p.wantBefore(w, r, r.before[i])
		}
	}
}

// changedSince reports whether later runs, edits of notes, or undos of earlier runs have changed what a run changed.
func (p *play) changedSince(number int) bool {
	r := p.runs[number]
	in := func(l *life) bool { return slices.Contains(r.lives, l) }
	edited := func(l *life) bool { return len(l.edits) > 0 && l.edits[len(l.edits)-1].After(r.at) }
	later := func(x *run) bool { return !x.undone && slices.ContainsFunc(x.lives, in) }
	takenBack := func(x *run) bool { return x.closed > number && slices.ContainsFunc(x.lives, in) }
	return slices.ContainsFunc(r.lives, edited) || slices.ContainsFunc(p.runs[number+1:], later) || slices.ContainsFunc(p.runs[:number], takenBack)
}

// wantBefore compares the memories of an undone run with those before it, as both are seen now. An undone promotion is not due.
func (p *play) wantBefore(w *world, r *run, before map[*life]stored) {
	p.Helper()
	now := w.current()
	for _, l := range r.lives {
		was, here := before[l], now[l]
		if was.ID == "" && (here.ID == "" || l.texts[0].from.Equal(r.at)) {
			continue // another one holds for it, or it was captured in the same operation
		}
		if r.promoted[l] {
			was.PromoteDue, was.ExpiresAt = time.Time{}, time.Time{}
		}
		want, got := must[brain.View](w)(w.Recall.View(w.Context(), was)), must[brain.View](w)(w.Recall.View(w.Context(), here))
		if *got.Tier == tiers.Expired {
			want.ValidTo, got.ValidTo = nil, nil
		}
		w.same("undo of a "+r.kind, want, got, cmpopts.IgnoreFields(brain.View{}, "ID", "ExpiresAt", "LastDecay"), cmpopts.EquateApprox(0, 1e-9))
	}
}

// undoAll undoes everything, the latest first. Then all is as it was captured, or as its note says.
func (p *play) undoAll() {
	p.Helper()
	p.now = p.now.Add(time.Second)
	p.times = append(p.times, p.now)
	for range p.runs {
		p.undo(0)
		p.wantNow()
	}
	if slices.ContainsFunc(p.runs, func(r *run) bool { return !r.undone }) {
		return
	}
	for _, l := range p.lives {
		if len(l.texts) != 1+len(l.edits) || l.into != nil || l.forgotten {
			p.Fatalf("everything was undone, but %s is %+v", l.name, *l)
		}
	}
	p.each(func(w *world) {
		for _, m := range w.current() {
			w.same("tier of "+m.Content, tiers.Working, m.Tier)
		}
	})
}
