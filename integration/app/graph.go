package app

import (
	"context"

	"github.com/brainbridge/brainbridge/brain/graph"
)

// Graph returns the use cases of the knowledge graph: entities, their observations
// and relations.
func (u *UseCases) Graph(ctx context.Context) *graph.Service { return u.services(ctx).Graph }
