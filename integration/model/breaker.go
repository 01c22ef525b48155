package model

import "time"

const (
	failuresInARow = 3
	restFor        = 10 * time.Minute
)

// Breaker stops calls to an endpoint that fails. It is stored between runs; the zero
// value has seen no failure.
type Breaker struct {
	Failures int       `json:"failures"` // in a row
	Until    time.Time `json:"until"`    // no calls before this time
}

// Resting reports whether calls are stopped.
func (b Breaker) Resting(now time.Time) bool { return now.Before(b.Until) }

// Failed returns the breaker after another failure. The third in a row stops calls for
// ten minutes and resets the count.
func (b Breaker) Failed(now time.Time) Breaker {
	b.Failures++
	if b.Failures >= failuresInARow {
		return Breaker{Until: now.Add(restFor)}
	}
	return b
}
