// Package lifecycle is what the services build on: it resolves ids, settles and
// touches memories, reads the lifecycle numbers and writes the journal.
package lifecycle

import (
	"context"
	"errors"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// Base has the dependencies of every service: the store, the clock, the caller, and
// the redaction of secrets. It is a value; none of its fields changes.
type Base struct {
	Store brain.Store
	Options
}

// Options of the services. The zero value of each field has a use.
type Options struct {
	// Now is the clock; nil is time.Now. It is read once an operation, see [Base.Now].
	Now func() time.Time
	// Zone is the time zone of the dates that people are shown; nil is UTC.
	Zone *time.Location
	// Session is the id of the agent's session. Empty: every hour of a command line
	// without one is a session of its own, see [Base.SessionAt].
	Session string
	// Agent names who captures; it is kept with each memory.
	Agent string
	// IDPrefix begins every id that is made: [brain.TestPrefix] in a brain of test
	// memories, else "".
	IDPrefix string
	// Redact takes secrets out of everything that is stored; nil: nothing is taken out.
	Redact Redactor
	// Redacted is told how many secrets were taken out; it may be nil. It may be called
	// by several goroutines at once.
	Redacted func(secrets int)
	// Archive keeps forgotten memories; nil: nothing can be forgotten.
	Archive brain.Archive
	// Journal keeps the runs that left the store; nil: there are none.
	Journal brain.Journal
	// Spool keeps captures while the store is away; nil: they fail then.
	Spool Spool
	// Overrides returns the thresholds that a person set beside the store, by
	// their keys in [tiers.Keys]; nil: there are none.
	Overrides func() map[string]float64
}

// Spool keeps captures while the store is away.
type Spool interface {
	// Add keeps a capture durably.
	Add(ctx context.Context, c brain.Capture) error
}

// NewBase returns the dependencies of services on a store.
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
	if o.Redacted == nil {
		o.Redacted = func(int) {}
	}
	o.Session = redactSession(o.Session, o.Redact)
	return Base{store, o}
}

// Clock returns the time of the clock.
func (b Base) Clock() time.Time { return b.Options.Now() }

// Now returns the time of the clock in UTC, in whole milliseconds.
func (b Base) Now() time.Time { return brain.Instant(b.Clock()) }

// hourlySession begins the name of the session that stands for one hour of a
// command line.
const hourlySession = "cli:"

// SessionAt returns the session that an operation at an instant belongs to.
func (b Base) SessionAt(now time.Time) string {
	if b.Session != "" {
		return b.Session
	}
	return hourlySession + now.UTC().Format("2006-01-02T15")
}

// NewID makes the id of a new node of this brain.
func (b Base) NewID() string { return b.IDPrefix + brain.NewID() }

// IDOf makes the id of a new node of this brain that follows from a text, the
// same each time.
func (b Base) IDOf(text string) string { return b.IDPrefix + brain.UUIDOf(text) }

// OwnsID reports whether an id is one that this brain makes.
func (b Base) OwnsID(id string) bool { return brain.OwnsID(b.IDPrefix, id) }

// WithoutSecrets returns a text as it is stored. Every path into the store does
// this by itself; a door calls it for what it writes elsewhere, such as a note,
// and to compare with what is stored.
func (b Base) WithoutSecrets(text string) string {
	clean, _ := b.Redact(text)
	return clean
}

// CoreWithoutSecrets is [Base.WithoutSecrets] of an entry of core memory, whose
// key tells what its content is, and counts them.
func (b Base) CoreWithoutSecrets(key, content string) (clean string, secrets int) {
	c := b.Redaction()
	clean = c.Keyed(key, content)
	return clean, c.Found
}

// Redaction returns a redaction for the texts of one operation.
func (b Base) Redaction() *Redaction {
	return &Redaction{Redact: b.Redact, Seen: map[string]string{}}
}

// Memories reads the memories with these ids.
func (b Base) Memories(ctx context.Context, ids ...string) ([]brain.Memory, error) {
	return Read(ctx, b, func(r brain.Reader) ([]brain.Memory, error) { return r.Memories(ids...) })
}

// Read returns what read finds in one view of the store.
func Read[T any](ctx context.Context, b Base, read func(brain.Reader) (T, error)) (found T, err error) {
	err = b.Store.View(ctx, func(r brain.Reader) (err error) {
		found, err = read(r)
		return err
	})
	return found, err
}

// retries is how often an operation is tried whose memories others change meanwhile.
const retries = 5

// Retry calls try until it returns another error than [brain.ErrConflict], or none;
// the last try counts.
func Retry(try func() error) (err error) {
	for range retries {
		if err = try(); !errors.Is(err, brain.ErrConflict) {
			return err
		}
	}
	return err
}
