package exchange

import (
	"slices"
	"unicode"
)

// maxWays bounds the ways that are followed through a stretch at once. Two
// that reach its end are one too many already.
const maxWays = 4

// stretch is the longest piece of a line, from one rune up to another, that is
// all beyond ASCII.
type stretch struct {
	runes    []rune
	from, to int
}

// read finds the misread runs of a stretch and reports whether they are all of
// it. An encoding that explains all of it goes before runs that explain some;
// if both do, the one that has a sure run, else neither. What only the two
// together explain, they explain if there is one way to do so. Of what remains
// there are the sure runs that no sure run of the other encoding overlaps.
func (s stretch) read() ([]run, bool) {
	all := misreads()
	windows, ofWindows := s.walk(all[asWindows])
	mac, ofMac := s.walk(all[asMac])
	switch {
	case ofWindows && ofMac:
		found, whole := onlySure(windows, mac)
		return s.dispute(found), whole
	case ofWindows:
		return s.dispute(windows), true
	case ofMac:
		return s.dispute(mac), true
	}
	if ways := s.mixed(); len(ways) == 1 {
		return s.settle(ways[0].runs()), true
	}
	windows, mac = sureOf(windows), sureOf(mac)
	return inOrder(apart(windows, mac), apart(mac, windows)), false
}

// walk reads a stretch as one encoding from left to right and reports whether
// that explains all of it.
func (s stretch) walk(m misread) ([]run, bool) {
	var runs []run
	whole := true
	for i := s.from; i < s.to; {
		r, ok := m.runAt(s.runes[:s.to], i)
		if !ok || !s.fits(r, s.base(runs, i)) && !placeholder(r.meant) {
			whole = false
			i++
			continue
		}
		runs = append(runs, r)
		i = r.to
	}
	runs = s.settle(runs)
	if !readable(runs, whole) {
		return sensibleOf(runs), false
	}
	return runs, whole
}

// fits reports whether what a run means makes sense behind base. An accent by
// itself is rare: where the other encoding has a letter ("mÃ£e", ã or a dot
// below the m), it is that letter.
func (s stretch) fits(r run, base rune) bool {
	if !sensible(r.meant, base) {
		return false
	}
	if !unicode.IsMark(r.meant) {
		return true
	}
	for _, m := range misreads() {
		other, ok := m.runAt(s.runes[:s.to], r.from)
		if ok && m.as != r.as && unicode.IsLetter(other.meant) {
			return false
		}
	}
	return true
}

// base is the character that one at i follows, once what is before it is
// mended.
func (s stretch) base(runs []run, i int) rune {
	if n := len(runs); n > 0 && runs[n-1].to == i {
		return runs[n-1].meant
	}
	if i > 0 {
		return s.runes[i-1]
	}
	return 0
}

// settle fills in what runs know of their neighbours and which are sure.
func (s stretch) settle(runs []run) []run {
	for i := 1; i < len(runs); i++ {
		if runs[i-1].to == runs[i].from && runs[i-1].as == runs[i].as {
			runs[i-1].inRow, runs[i].inRow = true, true
		}
	}
	for i, r := range runs {
		if r.to < len(s.runes) {
			r.after = s.runes[r.to]
		}
		runs[i].after = r.after
		runs[i].sure = misreads()[r.as].sure(r)
	}
	return runs
}

// readable reports whether no run means a placeholder, or all of them together
// are misread once more, so that it stands for a byte.
func readable(runs []run, whole bool) bool {
	meant, some := make([]rune, len(runs)), false
	for i, r := range runs {
		meant[i] = r.meant
		some = some || placeholder(r.meant)
	}
	if !some || !whole {
		return !some
	}
	beneath := stretch{runes: meant, to: len(meant)}
	for _, m := range misreads() {
		if _, ok := beneath.walk(m); ok {
			return true
		}
	}
	return false
}

func sensibleOf(runs []run) []run {
	var kept []run
	for _, r := range runs {
		if !placeholder(r.meant) {
			kept = append(kept, r)
		}
	}
	return kept
}

// way is one way to read a stretch up to a rune.
type way struct {
	last *run
	prev *way
}

// dispute marks the runs of a stretch that the two encodings together explain
// in another way as well.
func (s stretch) dispute(runs []run) []run {
	disputed := len(s.mixed()) > 1
	for i := range runs {
		runs[i].disputed = disputed
	}
	return runs
}

// mixed are the ways in which the two encodings by turns explain all of a
// stretch, up to maxWays of them.
func (s stretch) mixed() []*way {
	ways := make([][]*way, s.to-s.from+1)
	ways[0] = []*way{{}}
	for i := s.from; i < s.to; i++ {
		for _, so := range ways[i-s.from] {
			for _, next := range s.steps(so, i) {
				at := next.last.to - s.from
				if len(ways[at]) < maxWays {
					ways[at] = append(ways[at], next)
				}
			}
		}
	}
	return ways[len(ways)-1]
}

// steps are the ways that lead on from one by a run of either encoding.
func (s stretch) steps(from *way, i int) []*way {
	var before []run
	if from.last != nil {
		before = []run{*from.last}
	}
	var next []*way
	for _, m := range misreads() {
		if r, ok := m.runAt(s.runes[:s.to], i); ok && s.fits(r, s.base(before, i)) {
			next = append(next, &way{last: &r, prev: from})
		}
	}
	return next
}

func (w *way) runs() []run {
	var back []run
	for ; w.last != nil; w = w.prev {
		back = append(back, *w.last)
	}
	slices.Reverse(back)
	return back
}
