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
	// Dear is for a law that makes stores or lives through a history each time.
	Dear = 4
	// Served is for one that asks a server many things each time.
	Served = 5
	// LivedServed is for one that lives through a history on a server.
	LivedServed = 16
)

// Some checks a law like rapid.Check, in one of so many checks, and at least
// once.
func Some(t *testing.T, of int, law func(*rapid.T)) {
	t.Helper()
	most, ran, failed := max(1, checks()/of), 0, false
	rapid.Check(t, func(rt *rapid.T) {
		// What failed is run again to make it smaller.
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
	Some(t, of, law)
}
