package neo4j

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
)

// definition describes an index, or a constraint with its index.
type definition struct {
	name       string // begins with brainbridge_
	unique     bool   // a constraint
	kind       string // of the index, as SHOW INDEXES calls it
	labels     []string
	properties []string
	config     map[string]any // options of the index; nil for the default
}

func unique(name, label string, properties ...string) definition {
	d := index(name, label, properties...)
	d.unique = true
	return d
}

func index(name, label string, properties ...string) definition {
	return definition{name: "brainbridge_" + name, kind: "RANGE", labels: []string{label}, properties: properties}
}

// statement returns the statement that creates it unless there is something of that name.
func (d definition) statement() string {
	on := "n." + strings.Join(d.properties, ", n.")
	begin, end := "CREATE "+d.kind+" INDEX ", " ON ("+on+")"
	switch {
	case d.unique:
		begin, end = "CREATE CONSTRAINT ", " REQUIRE ("+on+") IS UNIQUE"
	case d.kind == "FULLTEXT":
		end = " ON EACH [" + on + "]"
	}
	if len(d.config) > 0 {
		var options []string
		for _, key := range slices.Sorted(maps.Keys(d.config)) {
			format := "`%s`: %v"
			if _, text := d.config[key].(string); text {
				format = "`%s`: '%s'"
			}
			options = append(options, fmt.Sprintf(format, key, d.config[key]))
		}
		end += " OPTIONS {indexConfig: {" + strings.Join(options, ", ") + "}}"
	}
	return begin + d.name + " IF NOT EXISTS FOR (n:" + strings.Join(d.labels, "|") + ")" + end
}

// define creates those indexes and constraints that do not exist. Several processes may do so at
// once. A server that is killed while it makes a constraint leaves the index without the
// constraint, which does not let the constraint be made: it is dropped.
func (s *Store) define(ctx context.Context, all ...definition) error {
	for _, d := range all {
		for try := 1; ; try++ {
			exists, err := s.alter(ctx, d.statement())
			switch {
			case err == nil:
			case !exists || try == 20:
				return err
			default:
				if try == 10 { // no other process is making it
					_, _ = s.alter(ctx, "DROP INDEX "+d.name+" IF EXISTS") // the next try says what is wrong
				}
				pause(ctx, backOff(try))
				continue
			}
			break
		}
	}
	return nil
}

// dropIndexes drops our indexes without constraints, except those over vectors, which have the same
// form in every schema that has them.
func (s *Store) dropIndexes(ctx context.Context) error {
	const own = `SHOW INDEXES YIELD name, owningConstraint WHERE name STARTS WITH 'brainbridge_' AND owningConstraint IS NULL
AND NOT name =~ 'brainbridge_(memory|section)_vector[0-9]+' RETURN name`
	rows, err := s.run(ctx, driver.AccessModeRead, own, nil)
	for _, name := range column[string](rows, 0) {
		if err == nil {
			_, err = s.alter(ctx, "DROP INDEX `"+name+"` IF EXISTS")
		}
	}
	return err
}

// alter runs a statement that changes the schema. If what it creates exists in spite of IF
// NOT EXISTS, in another form or because another process is making it, exists is true.
func (s *Store) alter(ctx context.Context, statement string) (exists bool, err error) {
	var failed error
	err = s.attempt(ctx, func() error {
		_, failed = s.auto(ctx, schemaTime, driver.AccessModeWrite, statement, nil)
		return failed
	})
	if err == nil || failed == nil {
		return false, err
	}
	var server *driver.Neo4jError
	exists = errors.As(failed, &server) && strings.HasSuffix(server.Code, "AlreadyExists")
	return exists, s.schemaError(statement, failed)
}

func (s *Store) schemaError(statement string, err error) error {
	var server *driver.Neo4jError
	if errors.As(err, &server) && strings.HasPrefix(server.Code, "Neo.ClientError.Schema.") || kindOf(err) == internal {
		return brain.Errorf(brain.ErrRefused, "give brainbridge a separate database, or remove what conflicts with its schema",
			"%s cannot be run on %s: %v", statement, s.uri, innermost(err))
	}
	return s.explain(err)
}
