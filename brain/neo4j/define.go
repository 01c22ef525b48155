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

const readIndexes = `SHOW INDEXES YIELD name, type, labelsOrTypes, properties, options, state, owningConstraint WHERE name IN $names
RETURN name, type, labelsOrTypes, properties, options.indexConfig, state <> 'FAILED', owningConstraint IS NOT NULL`

// isMade reports whether a row of readIndexes is the index of the definition.
func (d definition) isMade(row *driver.Record) bool {
	labels, properties := texts(row, 2), texts(row, 3)
	wantLabels, wantProperties := slices.Clone(d.labels), slices.Clone(d.properties)
	if d.kind == "FULLTEXT" { // where the order has no meaning
		for _, list := range [][]string{labels, properties, wantLabels, wantProperties} {
			slices.Sort(list)
		}
	}
	config := value[map[string]any](row, 4)
	for key, want := range d.config {
		if !strings.EqualFold(fmt.Sprint(config[key]), fmt.Sprint(want)) { // the server writes COSINE
			return false
		}
	}
	return value[string](row, 1) == d.kind && value[bool](row, 5) && value[bool](row, 6) == d.unique &&
		slices.Equal(labels, wantLabels) && slices.Equal(properties, wantProperties)
}

func texts(row *driver.Record, no int) (all []string) {
	for _, v := range value[[]any](row, no) {
		text, _ := v.(string)
		all = append(all, text)
	}
	return all
}

// define makes sure that indexes and constraints exist and are what they should be. Several
// processes may do so at once. It drops what has one of the names and is something else: a
// server that is killed while it makes a constraint leaves the index without the constraint,
// which never goes online and does not let the constraint be made.
func (s *Store) define(ctx context.Context, all ...definition) error {
	const tries = 20 // while other processes make the same
	for try := 1; ; try++ {
		var failed error
		taken := map[string]bool{} // names whose statement failed
		for _, d := range all {
			exists, err := s.alter(ctx, d.statement())
			if err != nil && !exists {
				return err
			}
			if exists {
				failed, taken[d.name] = err, true
			}
		}
		wrong, err := s.dropWrong(ctx, all)
		if err != nil {
			return err
		}
		all = slices.DeleteFunc(slices.Clone(all), func(d definition) bool { return !taken[d.name] && !wrong[d.name] })
		switch {
		case len(all) == 0:
			return nil
		case try == tries && failed == nil:
			return brain.Errorf(brain.ErrRefused, "drop it, then try again", "%s on %s is not what brainbridge needs, and cannot be replaced", all[0].name, s.uri)
		case try == tries:
			return failed
		}
		pause(ctx, backOff(try))
	}
}

// dropWrong drops what has the name of a definition and is something else, and returns those
// names. A failure is ignored: perhaps another process has just completed it.
func (s *Store) dropWrong(ctx context.Context, all []definition) (wrong map[string]bool, err error) {
	names := brain.Map(all, func(d definition) string { return d.name })
	rows, err := s.run(ctx, driver.AccessModeRead, readIndexes, map[string]any{"names": names})
	if err != nil {
		return nil, err
	}
	wrong = map[string]bool{}
	for _, row := range rows {
		d := all[slices.Index(names, value[string](row, 0))]
		if d.isMade(row) {
			continue
		}
		wrong[d.name] = true
		what := "INDEX "
		if value[bool](row, 6) {
			what = "CONSTRAINT "
		}
		if _, err := s.alter(ctx, "DROP "+what+d.name+" IF EXISTS"); err != nil && (ctx.Err() != nil || brain.IsUnreachable(err)) {
			return nil, err
		}
	}
	return wrong, nil
}

// alter runs a statement that changes the schema. If what it creates exists in spite of IF
// NOT EXISTS, in another form or because another process is making it, exists is true.
func (s *Store) alter(ctx context.Context, statement string) (exists bool, err error) {
	var failed error
	err = s.attempt(ctx, func() error {
		_, _, failed = s.auto(ctx, schemaTime, driver.AccessModeWrite, statement, nil)
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
