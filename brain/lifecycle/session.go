package lifecycle

import "time"

// SessionJob is the mark of when a session of an agent ended last.
const SessionJob = "session"

// SessionMark is kept of the end of the last session.
type SessionMark struct {
	Finished time.Time `json:"finished"`
	Written  string    `json:"written,omitempty"` // how far texts were written by then, see [MemoryLister.Written]
	// Earlier are the ends before it, newest first, for sessions that go on
	// while others end.
	Earlier []SessionMark `json:"earlier,omitempty"`
	// Projects has the last end in each project.
	Projects map[string]SessionMark `json:"projects,omitempty"`
}

// Before returns the position up to which texts were written at an instant, or earlier.
func (m SessionMark) Before(at time.Time) string {
	for _, end := range append([]SessionMark{m}, m.Earlier...) {
		if !end.Finished.After(at) {
			return end.Written
		}
	}
	return ""
}
