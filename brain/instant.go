package brain

import "time"

// Instant returns t as the graph stores it: in UTC and milliseconds. Zero stays zero.
func Instant(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return time.UnixMilli(t.UnixMilli()).UTC()
}

// Later returns the later of two instants.
func Later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// Day is the length of a day in settings and rules: 24 hours in any time zone.
const Day = 24 * time.Hour
