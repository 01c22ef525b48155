// Package services opens the domain services on one store.
package services

import (
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/capture"
	"github.com/brainbridge/brainbridge/brain/core"
	"github.com/brainbridge/brainbridge/brain/forget"
	"github.com/brainbridge/brainbridge/brain/graph"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/modeltier"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/review"
	"github.com/brainbridge/brainbridge/brain/session"
)

// Services are all services of one brain. They are safe for concurrent use.
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
	Spend   *modeltier.Account
}

// Options of the services, see [lifecycle.Options].
type Options = lifecycle.Options

// New returns the services on a store.
func New(store brain.Store, o Options) *Services {
	base := lifecycle.NewBase(store, o)
	reviews := review.New(base)
	s := &Services{
		Base: base, Capture: capture.New(base, reviews), Ingest: ingest.New(base), Recall: recall.New(base),
		Journal: journal.New(base), Forget: forget.New(base), Review: reviews, Core: core.New(base),
		Session: session.New(base), Spend: modeltier.NewAccount(base),
	}
	s.Graph = graph.New(base, s.Forget)
	return s
}
