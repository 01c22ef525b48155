package brain

import (
	"context"
	"encoding/json"
	"iter"
	"time"
)

// Archive keeps forgotten memories outside the store.
type Archive interface {
	// Append adds memories to the archive of the day and reads them back before
	// it returns nil. After an error nothing may be deleted from the store.
	Append(ctx context.Context, day time.Time, forgotten []Forgotten) (path string, err error)
	// Find returns the newest entry of a memory id, or [ErrNotFound].
	Find(ctx context.Context, id string) (Forgotten, error)
}

// Forgotten is a forgotten memory in the archive.
type Forgotten struct {
	Memory      Memory     `json:"memory"`
	Source      *Source    `json:"source,omitempty"`
	Relations   []Relation `json:"relations,omitempty"`
	ForgottenAt time.Time  `json:"forgottenAt"`
	Reason      string     `json:"reason"`
}

// Journal reads the archived runs, which are no longer in the store.
type Journal interface {
	// JournalSince returns the archived lines, as [journal.Service.JournalLines] wrote
	// them, from the month of an instant on, in order. A line may occur twice. The
	// sequence may continue after an error.
	JournalSince(ctx context.Context, month time.Time) iter.Seq2[json.RawMessage, error]
}
