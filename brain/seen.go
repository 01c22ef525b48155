package brain

import (
	"maps"
	"slices"
)

// Seen is what a process saw of a brain with a commit. It is kept outside the store, so that
// a store that has lost the brain is recognized. It may lag behind the store, but never lead.
type Seen struct {
	ID       string `json:"id"`       // of the brain in its store
	Format   int    `json:"format"`   // of the store
	Memories int    `json:"memories"` // live and expired
	Commits  int64  `json:"commits"`  // number of its last commit; 0 on Neo4j, which does not count them
}

// LostIn reports whether a store with this state has lost what was seen: it has another
// brain, or none of the memories. Commits that were not seen may have forgotten them all.
func (s Seen) LostIn(now Seen) bool {
	return now.ID != s.ID || s.Memories > 0 && now.Memories == 0 && now.Commits <= s.Commits
}

// Watch observes the brain of a store that is being opened. The zero value observes nothing.
type Watch struct {
	// Missing is the error of opening a store without the required brain; nil: that of
	// [UnknownBrain].
	Missing error
	// Replaces makes a brain that is created count as missing until it is loaded.
	Replaces bool
	// Opened receives the brain as it is when the store is opened. An error closes the store.
	// nil: nothing.
	Opened func(Seen) error
	// Committed receives the brain as it is after a commit, on Neo4j when the store is closed
	// after writes; loaded: after [Dumper].Load. It may lag, and several goroutines may call
	// it. nil: nothing.
	Committed func(now Seen, loaded bool)
	// Writable is called in each transaction that writes, under its lock, so that a brain that has
	// moved is not written to. An error ends the transaction. nil: nothing.
	Writable func() error
	// LeftOut receives the ids of what a transaction found and left out, because it cannot be
	// read. Several goroutines may call it. nil: nothing.
	LeftOut func(ids ...string)
}

// Require returns an error unless a store that has some brains has a required one, if any.
func (w Watch) Require(required string, stored ...string) error {
	switch {
	case required == "" || slices.Contains(stored, required):
		return nil
	case w.Missing != nil:
		return w.Missing
	}
	return UnknownBrain(required, stored)
}

// Allow calls Writable.
func (w Watch) Allow() error {
	if w.Writable == nil {
		return nil
	}
	return w.Writable()
}

// Left calls LeftOut with the ids of what cannot be read, if any.
func (w Watch) Left(unreadable map[string]error) {
	if w.LeftOut != nil && len(unreadable) > 0 {
		w.LeftOut(slices.Collect(maps.Keys(unreadable))...)
	}
}
