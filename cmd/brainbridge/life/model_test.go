package life

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// text is what a memory said from one instant to another, zero while it holds.
type text struct {
	says     string
	from, to time.Time
}

// compare orders texts by what they say, then by time.
func (x text) compare(y text) int {
	holds := map[bool]int{true: 1}
	return cmp.Or(strings.Compare(x.says, y.says), x.from.Compare(y.from), holds[x.to.IsZero()]-holds[y.to.IsZero()], x.to.Compare(y.to))
}

// life is what should be true of one memory, whatever ids it has had.
type life struct {
	name      string
	texts     []text // oldest first
	into      *life  // the life that replaced it or that it was merged into
	forgotten bool
	file      string      // the note that it comes from, "" for none
	edits     []time.Time // of that note
}

// holder returns the life that holds for this one now.
func (l *life) holder() *life {
	for l.into != nil {
		l = l.into
	}
	return l
}

func (l *life) says() string { return l.texts[len(l.texts)-1].says }

// change gives the life another text and returns how to take that back.
func (l *life) change(says string, at time.Time) (back func()) {
	l.texts[len(l.texts)-1].to = at
	l.texts = append(l.texts, text{says: says, from: at})
	return func() {
		i := slices.IndexFunc(l.texts, func(x text) bool { return x.from.Equal(at) })
		l.texts[i-1].to = l.texts[i].to
		l.texts = slices.Delete(l.texts, i, i+1)
	}
}

// join ends the life for another one and returns how to take that back.
func (l *life) join(with *life, at time.Time) (back func()) {
	set := func(to time.Time, into *life) { l.texts[len(l.texts)-1].to, l.into = to, into }
	set(at, with)
	return func() { set(time.Time{}, nil) }
}

// run is one run of the journal.
type run struct {
	at       time.Time
	kind     string
	lives    []*life        // that its actions are about
	promoted map[*life]bool // of these
	effects  []*effect
	before   []map[*life]stored // of each world; nil if not known
	closed   int                // the number of runs when somebody asked for its undo; 0 if nobody did
	undone   bool               // wholly
}

// effect is a change of the model by an action.
type effect struct {
	life   *life // the one that the action names first
	back   func()
	undone bool
}
