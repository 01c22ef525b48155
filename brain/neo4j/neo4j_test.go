package neo4j_test

import (
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
	"github.com/brainbridge/brainbridge/brain/storetest"
)

func TestStore(t *testing.T) {
	uri := neo4jtest.Server(t)
	storetest.Run(t, func(testing.TB) storetest.Factory {
		return func(tb testing.TB, name string) brain.Store {
			s, err := neo4j.Open(tb.Context(), neo4j.Config{URI: uri, Brain: name})
			if err != nil {
				tb.Fatalf("open the brain %s: %v", name, err)
			}
			return s
		}
	})
}
