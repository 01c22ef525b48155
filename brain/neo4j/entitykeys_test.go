package neo4j

import (
	"slices"
	"testing"

	"github.com/brainbridge/brainbridge/brain/storetest"
)

// Entities that were stored before their names counted letter for letter are
// found by them; of two of a name the elder is.
func TestEntitiesOfEarlierNodes(t *testing.T) {
	s := openTest(t, fresh(t))
	alone, elder, younger := storetest.FormerEntities()
	store(t, s, slices.Concat(alone, elder, younger))
	for range 2 { // the second time there is nothing left to do
		if err := s.fills()[len(migrations())](t.Context()); err != nil {
			t.Fatal(err)
		}
		storetest.CheckFormerEntities(t, s)
	}
}
