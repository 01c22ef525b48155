package model

import "time"

const (
	// failuresInARow and restFor are those of the model tier: three, ten minutes.
	failuresInARow = 3
	restFor        = 10 * time.Minute
)

// Breaker is what an endpoint's failures come to. It is a value that the
// caller keeps from run to run; the zero value has seen no failure.
type Breaker struct {
	Failures int       `json:"failures"` // in a row
	Until    time.Time `json:"until"`    // no calls before this instant
}

// Resting reports whether no call may be made at now.
func (b Breaker) Resting(now time.Time) bool { return now.Before(b.Until) }

// Failed is the breaker after one more failure at now. The third in a row
// makes it rest for ten minutes and starts the count anew.
func (b Breaker) Failed(now time.Time) Breaker {
	b.Failures++
	if b.Failures >= failuresInARow {
		return Breaker{Until: now.Add(restFor)}
	}
	return b
}

// Answered is the breaker after an answer that could be used.
func (b Breaker) Answered() Breaker { return Breaker{} }
