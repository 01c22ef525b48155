// Package services opens the domain services on one store.
package services

import (
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/capture"
	"github.com/brainbridge/brainbridge/brain/core"
	"github.com/brainbridge/brainbridge/brain/forget"
	"github.com/brainbridge/brainbridge/brain/graph"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/review"
	"github.com/brainbridge/brainbridge/brain/session"
	"github.com/brainbridge/brainbridge/brain/spend"
)

// Services are all domain services of one brain, as one caller uses them. They
// are safe for concurrent use.
type Services struct {
	Base    lifecycle.Base
	Capture *capture.Service
	Ingest  *ingest.Service
	Graph   *graph.Service
	Recall  *recall.Service
	Journal *journal.Service
	Forget  *forget.Service
	Review  *review.Service
	Core    *core.Service
	Session *session.Service
	Spend   *spend.Service
}

// Options of the services. The zero value of each field has a use.
type Options struct {
	// Now is the clock; nil is time.Now. It is read once an operation.
	Now func() time.Time
	// Zone is the time zone of the dates that people are shown; nil is UTC.
	Zone *time.Location
	// Session is the id of the agent's session. Empty: every hour of a command
	// line without one is a session of its own.
	Session string
	// Agent names who captures; it is kept with each memory.
	Agent string
	// IDPrefix begins every id that is made: [brain.TestPrefix] in a brain of test
	// memories, else "".
	IDPrefix string
	// Archive keeps forgotten memories; nil: nothing can be forgotten.
	Archive brain.Archive
	// Journal keeps the runs that left the store; nil: there are none.
	Journal brain.Journal
	// Overrides returns the thresholds that a person set beside the store, by
	// their keys in [tiers.Keys]; nil: there are none.
	Overrides func() map[string]float64
	// Redact takes secrets out of everything that is stored; nil: nothing is
	// taken out.
	Redact brain.Redactor
	// Redacted is told how many secrets were taken out; it may be nil. It may be
	// called by several goroutines at once.
	Redacted func(secrets int)
	// Spool keeps captures while the store is away; nil: they fail then.
	Spool capture.Spool
}

// New returns the services on a store.
func New(store brain.Store, o Options) *Services {
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
	base := lifecycle.Base{
		Store: store, Clock: o.Now, Zone: o.Zone, Session: brain.RedactSession(o.Session, o.Redact), Agent: o.Agent, IDPrefix: o.IDPrefix,
		Redact: o.Redact, Redacted: o.Redacted, Archive: o.Archive, Overrides: o.Overrides,
	}
	reviews := review.New(base)
	s := &Services{
		Base: base, Capture: capture.New(base, o.Spool, reviews), Ingest: ingest.New(base), Recall: recall.New(base),
		Journal: journal.New(base, o.Journal), Forget: forget.New(base), Review: reviews, Core: core.New(base),
		Session: session.New(base), Spend: spend.New(base),
	}
	s.Graph = graph.New(base, s.Forget)
	return s
}
