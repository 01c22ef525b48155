// Package services opens the domain services on one store.
package services

import (
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/capture"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/graph"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/review"
)

// Services are all services of one brain. They are safe for concurrent use.
type Services struct {
	Base    lifecycle.Base
	Capture *capture.Service
	Ingest  *ingest.Service
	Graph   *graph.Service
	Recall  *recall.Service
	Journal *journal.Service
	Review  *review.Service
	Spend   *consolidate.SpendAccount
}

// Options of the services, see [lifecycle.Options].
type Options = lifecycle.Options

// New returns the services on a store.
func New(store brain.Store, o Options) *Services {
	base := lifecycle.NewBase(store, o)
	reviews, journal := review.New(base), journal.New(base)
	return &Services{
		Base: base, Capture: capture.New(base, reviews), Ingest: ingest.New(base), Graph: graph.New(base, journal), Recall: recall.New(base),
		Journal: journal, Review: reviews, Spend: consolidate.NewSpendAccount(base),
	}
}
