// Package ingest brings notes and imports into the graph. Both read the facts about a
// batch, decide on values without a store, and write the resulting plan in the same
// transaction.
package ingest

import "github.com/brainbridge/brainbridge/brain/lifecycle"

// Service brings notes and imports into the graph. It is safe for concurrent use.
type Service struct {
	base lifecycle.Base
}

// New returns the service.
func New(base lifecycle.Base) *Service { return &Service{base: base} }
