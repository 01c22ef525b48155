package storetest

import (
	"flag"
	"testing"

	"pgregory.net/rapid"
)

// How often a law is checked is said in one place: rapid checks each of them
// 100 times, or as often as RAPID_CHECKS says, which `make laws` sets to more.
// Some reduces that for laws whose checks are slow.
const (
	// Dear is for laws whose checks create stores or run through a history.
	Dear = 4
	// Served is for laws whose checks send many requests to a server.
	Served = 5
	// LivedServed is for one that lives through a history on a server.
	LivedServed = 16
)

// Some checks a law like rapid.Check, but runs only one of every "of" checks, at least one.
func Some(t *testing.T, of int, law func(*rapid.T)) {
	t.Helper()
	most, ran, failed := max(1, checks()/of), 0, false
	rapid.Check(t, func(rt *rapid.T) {
		// A failing check is run again to shrink it.
		if ran >= most && !failed {
			return
		}
		ran++
		whole := false
		defer func() { failed = failed || !whole || rt.Failed() }()
		law(rt)
		whole = true
	})
}

// checks is how often rapid checks a law.
func checks() int {
	if n, ok := flag.Lookup("rapid.checks").Value.(flag.Getter).Get().(int); ok {
		return n
	}
	return 100
}

// law checks a law of the store: in part if that is on a server.
func (b *db) law(t *testing.T, of int, law func(*rapid.T)) {
	t.Helper()
	if b.Info().Kind == "sqlite" {
		of = 1
	}
	Some(t, of, func(rt *rapid.T) {
		if law(rt); t.Failed() {
			rt.FailNow()
		}
	})
}
