package app

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/config"
)

// maxLeftOut is the number of ids in the warning of what is left out.
const maxLeftOut = 5

// leftOut collects what the store leaves out of its answers because it cannot be read.
type leftOut struct {
	mu      sync.Mutex
	ids     map[string]bool // short
	notices Notices         // of the caller that opened the store
}

// add returns a function for [brain.Watch.LeftOut].
func (l *leftOut) add(n Notices) func(ids ...string) {
	return func(ids ...string) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.ids == nil {
			l.ids = map[string]bool{}
		}
		l.notices = n
		for _, id := range ids {
			l.ids[brain.ShortID(id)] = true
		}
	}
}

// report warns of what was left out since the last report.
func (l *leftOut) report(settings config.Loaded) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.ids)
	if n == 0 {
		return
	}
	ids := slices.Sorted(maps.Keys(l.ids))
	named := strings.Join(ids[:min(n, maxLeftOut)], ", ")
	if n > maxLeftOut {
		named += fmt.Sprintf(" and %d more", n-maxLeftOut)
	}
	l.notices.Warn(fmt.Errorf("%s cannot be read and %s left out: %s; `%s doctor` says why",
		english.Plural(n, "record", ""), english.PluralWord(n, "is", "are"), named, program(settings)))
	l.ids = nil
}

// clear forgets what was left out, since the checks name it.
func (l *leftOut) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ids = nil
}
