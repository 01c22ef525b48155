package app

import (
	"context"
	"errors"
	"fmt"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/exchange"
	"github.com/brainbridge/brainbridge/tiers"
)

const (
	readDatabaseID = "CALL db.info() YIELD id RETURN id"
	// Constraints that would refuse an imported node with the id of the old one.
	readUniqueIDs = `SHOW CONSTRAINTS YIELD name, type, labelsOrTypes, properties
WHERE type IN ['UNIQUENESS', 'NODE_KEY'] AND properties = ['id']
AND any(l IN labelsOrTypes WHERE l IN ['Memory', 'Crystallization', 'Learning', 'Reminder', 'Activity']) RETURN name`
)

// readOriginal reads the graph of the original program from the server of a URI, with the
// user, the password and the database of the settings.
func (u *UseCases) readOriginal(ctx context.Context, b *services.Services, uri string) (g exchange.Original, err error) {
	where, err := config.ParseStore(uri)
	if err != nil {
		return g, err
	}
	if where.Kind != config.KindNeo4j {
		return g, invalid("give the URI of its server, such as bolt://localhost:7687", "%s is not a Neo4j server", uri)
	}
	server, err := serverOf(u.app.Settings, u.app.Env)
	if err != nil {
		return g, err
	}
	server.URI = where.URI
	answers, err := neo4j.Ask(ctx, server, exchange.ReadOriginalNodes, exchange.ReadOriginalRelations, readDatabaseID, readUniqueIDs)
	if err != nil {
		return g, withPasswordHint(err, server)
	}
	g = exchange.Original{Nodes: answers[0].Rows, Relations: answers[1].Rows}
	s, ok := b.Base.Store.(*neo4j.Store)
	if !ok || len(answers[3].Rows) == 0 {
		return g, nil
	}
	here, err := s.Query(ctx, readDatabaseID, nil, false)
	if err == nil && fmt.Sprint(here.Rows) == fmt.Sprint(answers[2].Rows) {
		name := fmt.Sprint(answers[3].Rows[0][0])
		err = brain.Errorf(brain.ErrRefused,
			fmt.Sprintf("drop it with `brainbridge query --write 'DROP CONSTRAINT %s'`, or import into another store", name),
			"the constraint %s of this database does not let imported memories have the ids of the old ones", name)
	}
	return g, err
}

// importTests imports the test memories of the original program into the brain of test
// memories, and adds them to the report.
func (u *UseCases) importTests(ctx context.Context, f exchange.Format, o exchange.Options, report *exchange.Report) error {
	settings, err := u.app.Settings.ForTests()
	if err != nil {
		return err
	}
	options := u.app.Options
	options.Settings = settings
	tests := New(options)
	defer func() { _ = tests.Close() }() // each write was committed
	b, err := tests.As(u.caller).Brain(ctx)
	if err != nil {
		return err
	}
	r, err := exchange.Import(ctx, b, f, o)
	report.Tests, report.Unchanged = r.Imported, report.Unchanged+r.Unchanged
	report.Problems = append(report.Problems, r.Problems...)
	if r.RunID != "" {
		u.caller.Notices.Info(fmt.Sprintf("%s imported; undo with: brainbridge undo %s", english.Plural(r.Imported, "test memory", ""), r.RunID))
	}
	return err
}

// takeNumbers gives the brain the lifecycle numbers of the original program, unless somebody
// has changed its own.
func (u *UseCases) takeNumbers(ctx context.Context, b *services.Services, o exchange.Options, report *exchange.Report) error {
	policy, err := b.Base.Policy(ctx)
	if err != nil {
		return err
	}
	changed := *policy != tiers.DefaultPolicy()
	numbers, unknown := o.Original.Numbers(policy)
	for _, name := range unknown {
		report.LeftOut = append(report.LeftOut, exchange.Problem{File: o.Path, Message: fmt.Sprintf("ConsolidationConfig: %.60q is not a number of this program", name)})
	}
	for key, value := range numbers {
		here, _ := policy.Get(key)
		set := fmt.Sprintf("%s%s %s", lifecyclePrefix, key, number(value))
		if changed {
			report.LeftOut = append(report.LeftOut, exchange.Problem{File: o.Path, Message: fmt.Sprintf(
				"ConsolidationConfig: %s is %s there and %s here; to change it: brainbridge config set %s", key, number(value), number(here), set)})
			continue
		}
		verb := "would change"
		if !u.caller.DryRun {
			verb = "changed"
			err = b.Base.SetNumber(ctx, key, value)
		}
		switch {
		case err == nil:
			u.caller.Notices.Info(fmt.Sprintf("%s%s %s from %s to %s, as in the ConsolidationConfig of the original", lifecyclePrefix, key, verb, number(here), number(value)))
		case errors.Is(err, brain.ErrInvalid):
			report.Problems = append(report.Problems, exchange.Problem{File: o.Path, Message: "ConsolidationConfig: " + err.Error()})
			err = nil
		default:
			return err
		}
	}
	brain.SortProblems(report.LeftOut)
	return nil
}
