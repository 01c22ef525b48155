// Package lifecycle is the base of the services. It resolves ids, settles and touches
// memories, reads the lifecycle numbers and writes the journal.
package lifecycle

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// Base has the dependencies of every service: the store, the clock, the caller, and
// the redaction of secrets. Its fields never change, so it is passed by value.
type Base struct {
	Store brain.Store
	Options
}

// Options are the options of the services. The zero value of each field is valid.
type Options struct {
	// Now is the clock; nil is time.Now. It is read once per operation, see [Base.Now].
	Now func() time.Time
	// Zone is the time zone of the dates that people are shown; nil is UTC.
	Zone *time.Location
	// Session is the id of the agent's session. If it is empty, all operations of one
	// hour share a session, see [Base.SessionAt].
	Session string
	// Agent is the name of the agent that captures. It is stored with each memory.
	Agent string
	// Background is set if nobody asks for the operations, see [brain.Run.InBackground].
	Background bool
	// IDPrefix begins every new id: [brain.TestPrefix] in a brain of test memories, else "".
	IDPrefix string
	// Redact redacts the secrets in everything that is stored; nil: nothing is redacted.
	Redact Redactor
	// ReportRedacted receives the number of redacted secrets. Several goroutines may call it.
	// It may be nil.
	ReportRedacted func(secrets int)
	// Archive stores forgotten memories; nil: nothing can be forgotten.
	Archive brain.Archive
	// Journal reads the old runs that were moved out of the store; nil: there are none.
	Journal brain.Journal
	// Spool keeps captures while the store is unreachable; nil: they fail then.
	Spool Spool
	// Overrides returns the thresholds that a person set in a file, by [tiers.Keys]; nil:
	// none.
	Overrides func() map[string]float64
}

// Spool keeps captures while the store is unreachable.
type Spool interface {
	// Add stores a capture durably.
	Add(ctx context.Context, c brain.Capture) error
}

// NewBase returns the base of the services on a store.
func NewBase(store brain.Store, o Options) Base {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	if o.Redact == nil {
		o.Redact = func(text string) (string, int) { return text, 0 }
	}
	if o.ReportRedacted == nil {
		o.ReportRedacted = func(int) {}
	}
	if o.Overrides == nil {
		o.Overrides = func() map[string]float64 { return nil }
	}
	o.Session = redactSession(o.Session, o.Redact)
	return Base{store, o}
}

// Now returns the time of the clock in UTC, in whole milliseconds.
func (b Base) Now() time.Time { return brain.Instant(b.Options.Now()) }

const hourlySession = "cli:" // begins the ids of sessions of one hour of command line use

// IsHourly reports whether a session is an hour of command line use, see [Base.SessionAt].
func IsHourly(session string) bool { return strings.HasPrefix(session, hourlySession) }

// SessionAt returns the session that an operation at an instant belongs to.
func (b Base) SessionAt(now time.Time) string {
	if b.Session != "" {
		return b.Session
	}
	return hourlySession + now.UTC().Format("2006-01-02T15")
}

// NewID returns an id for a new node of this brain.
func (b Base) NewID() string { return b.IDPrefix + brain.NewID() }

// NewRun returns a run that begins now.
func (b Base) NewRun(kind string, now time.Time) brain.Run {
	by := brain.ByPerson
	if b.Background {
		by = brain.ByProgram
	}
	return brain.Run{ID: b.NewID(), Kind: kind, Started: now, StartedBy: by}
}

// IDOf returns the id of a node of this brain that is derived from a text: always the same.
func (b Base) IDOf(text string) string { return b.IDPrefix + brain.UUIDOf(text) }

// OwnsID reports whether an id has the form of the ids of this brain.
func (b Base) OwnsID(id string) bool { return brain.OwnsID(b.IDPrefix, id) }

// WithoutSecrets returns a text with its secrets redacted, as it is stored. Every path
// into the store redacts by itself. An adapter calls this for text that it writes
// elsewhere, such as a note, and to compare text with what is stored.
func (b Base) WithoutSecrets(text string) string {
	clean, _ := b.Redact(text)
	return clean
}

// Redaction returns a new [Redaction].
func (b Base) Redaction() *Redaction {
	return &Redaction{Redact: b.Redact, Seen: map[string]string{}}
}

// Memories reads the memories with these ids.
func (b Base) Memories(ctx context.Context, ids ...string) ([]brain.Memory, error) {
	return Read(ctx, b, func(r brain.Reader) ([]brain.Memory, error) { return r.Memories(ids...) })
}

// Read returns the result of read, which runs in one view of the store.
func Read[T any](ctx context.Context, b Base, read func(brain.Reader) (T, error)) (found T, err error) {
	err = b.Store.View(ctx, func(r brain.Reader) (err error) {
		found, err = read(r)
		return err
	})
	return found, err
}

// Retry calls try up to five times while it returns [brain.ErrConflict].
func Retry(try func() error) (err error) {
	for range 5 {
		if err = try(); !errors.Is(err, brain.ErrConflict) {
			break
		}
	}
	return err
}
