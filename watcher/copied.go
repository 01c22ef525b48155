package watcher

import (
	"slices"
	"time"
)

const (
	copyTime  = 3 * time.Minute // in which a directory is copied or cloned
	fewCopied = 20              // files at least: a person or an agent writes a few notes in that time
)

// Copied returns a function that reports whether a time of change is that of a copy of the
// directory, because more than half of its files have about the same. times are those of all
// its files.
func Copied(times []time.Time) func(time.Time) bool {
	times = slices.SortedFunc(slices.Values(times), time.Time.Compare)
	half := len(times)/2 + 1
	var from, to time.Time
	for i := 0; i+half <= len(times) && len(times) >= fewCopied; i++ {
		if last := times[i+half-1]; last.Sub(times[i]) <= copyTime {
			if from.IsZero() {
				from = times[i]
			}
			to = last
		}
	}
	return func(t time.Time) bool { return !from.IsZero() && !t.Before(from) && !t.After(to) }
}
