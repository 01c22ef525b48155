package lifecycle

import "time"

// SessionJob is the job whose checkpoint is the [SessionMark] of the session of an agent
// that ended last.
const SessionJob = "session"

// SessionMark records the end of the last session.
type SessionMark struct {
	Finished time.Time `json:"finished"`
	Written  string    `json:"written,omitempty"` // the position in the order of written texts at that time, see [brain.MemoryLister.Written]
	// Earlier are earlier ends, newest first, for sessions that continue while others end.
	Earlier []SessionMark `json:"earlier,omitempty"`
	// Projects has the last end of a session in each project.
	Projects map[string]SessionMark `json:"projects,omitempty"`
}

// Before returns the position of the latest end at or before an instant.
func (m SessionMark) Before(at time.Time) string {
	for _, end := range append([]SessionMark{m}, m.Earlier...) {
		if !end.Finished.After(at) {
			return end.Written
		}
	}
	return ""
}
