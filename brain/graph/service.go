// Package graph manages entities, their observations and the relations between them: the
// knowledge graph of the reference memory server.
package graph

import (
	"github.com/brainbridge/brainbridge/brain/forget"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// Service manages entities, their observations and the relations between them. It is safe
// for concurrent use.
type Service struct {
	base   lifecycle.Base
	forget *forget.Service
}

// New returns the service; entities are deleted by forget.
func New(base lifecycle.Base, forget *forget.Service) *Service {
	return &Service{base: base, forget: forget}
}
