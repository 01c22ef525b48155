package neo4j

import (
	"context"
	"encoding/json"

	"github.com/brainbridge/brainbridge/brain"
)

// schemaNow returns the indexes and constraints that the database should have, with those over
// vectors of this brain.
func (s *Store) schemaNow() []definition {
	all := definitions()
	if d := int(s.dimensions.Load()); d > 0 {
		all = append(all, vectorIndexes(d)...)
	}
	return all
}

// Inspect compares the schema with what it should be, and reads all nodes.
func (s *Store) Inspect(ctx context.Context) (all []brain.Defect, err error) {
	wrongs, err := s.inspectSchema(ctx, s.schemaNow())
	for _, w := range wrongs {
		all = append(all, w.defect())
	}
	return all, err
}

func (w wrong) defect() brain.Defect {
	what, means := "index ", "commands that use it fail, or are slow"
	if w.constraint || w.should.unique {
		what, means = "constraint ", "two nodes may get one key, and commands that use its index fail"
	}
	is := w.is
	if is == "" {
		is = "missing"
	}
	return brain.Defect{What: "the " + what + w.name + " is " + is, Means: means, Mendable: true}
}

// Repair mends the schema under its lease.
func (s *Store) Repair(ctx context.Context, _ func(raw []json.RawMessage) error) error {
	if err := s.checkSchema(ctx); err != nil {
		return err
	}
	held, err := s.leaseSchema(ctx, answerTimeout)
	if err != nil {
		return err
	}
	defer func() { _ = held.Release() }() // otherwise it expires
	return s.mendSchema(ctx, s.schemaNow())
}
