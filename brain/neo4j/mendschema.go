package neo4j

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
)

const (
	ownIndexes = `SHOW INDEXES YIELD name, type, state, labelsOrTypes, properties, owningConstraint, options WHERE name STARTS WITH 'brainbridge_'
RETURN name, type, state, labelsOrTypes, properties, owningConstraint IS NOT NULL, options.indexConfig`
	ownConstraints = `SHOW CONSTRAINTS YIELD name, type WHERE name STARTS WITH 'brainbridge_' RETURN name, type`
)

// wrong is an index or a constraint of the schema that is missing, or something of a name of
// ours that is not what it should be.
type wrong struct {
	name       string
	constraint bool   // there is a constraint of that name
	is         string // what is wrong with it; "" if it is missing
	should     definition
}

// inspectSchema returns what differs from some definitions.
func (s *Store) inspectSchema(ctx context.Context, all []definition) (found []wrong, err error) {
	rows, err := s.run(ctx, driver.AccessModeRead, ownConstraints, nil)
	if err != nil {
		return nil, err
	}
	constraints := map[string]string{}
	for _, r := range rows {
		constraints[value[string](r, 0)] = value[string](r, 1)
	}
	if rows, err = s.run(ctx, driver.AccessModeRead, ownIndexes, nil); err != nil {
		return nil, err
	}
	indexes := map[string]*driver.Record{}
	for _, r := range rows {
		indexes[value[string](r, 0)] = r
	}
	for _, d := range all {
		is, missing := d.differs(indexes[d.name], constraints[d.name])
		_, constraint := constraints[d.name]
		if is != "" || missing {
			found = append(found, wrong{d.name, constraint, is, d})
		}
		delete(indexes, d.name)
		delete(constraints, d.name)
	}
	for name := range indexes {
		if _, constraint := constraints[name]; !vectorIndexName.MatchString(name) {
			found = append(found, wrong{name: name, constraint: constraint, is: "not of this schema"})
		}
	}
	slices.SortFunc(found, func(a, b wrong) int { return strings.Compare(a.name, b.name) })
	return found, nil
}

var vectorIndexName = regexp.MustCompile(`^brainbridge_(memory|section)_vector\d+$`)

// differs returns what is wrong with an index, nil for none, and the type of a constraint, "" for
// none, of the name of a definition.
func (d definition) differs(row *driver.Record, constraint string) (is string, missing bool) {
	if row == nil {
		if constraint != "" {
			return "a constraint of another type", false
		}
		return "", true
	}
	config := value[map[string]any](row, 6)
	for key, want := range d.config {
		if got := fmt.Sprint(config[key]); !strings.EqualFold(got, fmt.Sprint(want)) {
			return fmt.Sprintf("made with %s %s instead of %v", key, got, want), false
		}
	}
	strs := func(column int) (all []string) {
		for _, v := range value[[]any](row, column) {
			all = append(all, fmt.Sprint(v))
		}
		return all
	}
	labels := strs(3)
	slices.Sort(labels)
	switch kind, state := value[string](row, 1), value[string](row, 2); {
	case state == "FAILED":
		return "in the state FAILED", false
	case kind != d.kind:
		return "of the type " + kind + " instead of " + d.kind, false
	case !slices.Equal(labels, slices.Sorted(slices.Values(d.labels))), !slices.Equal(strs(4), d.properties):
		return fmt.Sprintf("over %s (%s)", strings.Join(labels, "|"), strings.Join(strs(4), ", ")), false
	case d.unique && !value[bool](row, 5):
		return "an index without its constraint", false
	case !d.unique && value[bool](row, 5):
		return "a constraint instead of an index", false
	}
	return "", false
}

// mendSchema makes the indexes and constraints of some definitions that are missing. It drops and makes
// again those with a name of ours and another definition, such as the index that is left when a server
// is killed while it makes a constraint. It waits until all indexes can be used. The caller holds the lease of the schema.
func (s *Store) mendSchema(ctx context.Context, all []definition) error {
	if err := s.awaitIndexes(ctx); err != nil { // those of constraints in the making look orphaned
		return err
	}
	found, err := s.inspectSchema(ctx, all)
	var missing []definition
	for _, w := range found {
		if w.should.name != "" {
			missing = append(missing, w.should)
		}
		what := "INDEX"
		if w.constraint {
			what = "CONSTRAINT"
		}
		if err == nil && w.is != "" {
			_, err = s.alter(ctx, "DROP "+what+" `"+w.name+"` IF EXISTS")
		}
	}
	if err != nil {
		return err
	}
	if err := s.define(ctx, missing...); err != nil {
		return brain.Wrap(err, "make the schema of %s", s.uri)
	}
	return s.awaitIndexes(ctx)
}
