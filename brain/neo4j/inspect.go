package neo4j

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
)

// flaw is a kind of damage that a query finds and another one mends.
type flaw struct {
	what, means string
	find        string // matches nodes n
	mend        string // changes n
}

func flaws() []flaw {
	all := strings.Join(strayLabels(), "|")
	return []flaw{
		{
			"a mark of a lock that nobody holds (_lock)", "nothing is locked; the mark is only in the way of people",
			"MATCH (n:" + all + "|BrainbridgeBrain) WHERE coalesce(n.brain, n.name) = $brain AND n._lock IS NOT NULL", "REMOVE n._lock",
		},
		{
			"a vector that has another length than its property says", "it is not found by its meaning",
			"MATCH (n:Memory|Section) WHERE n.brain = $brain AND any(k IN keys(n) WHERE k =~ 'vector[0-9]+' AND n[k] IS :: LIST<FLOAT NOT NULL> NOT NULL AND size(n[k]) <> toInteger(substring(k, 6)))",
			"FOREACH (k IN [k IN keys(n) WHERE k =~ 'vector[0-9]+'] | REMOVE n[k]) SET n." + vectorModel + " = ''",
		},
		{
			"a second ConsolidationConfig without validTo", "people cannot tell which lifecycle numbers count: those with the id current do",
			"MATCH (n:ConsolidationConfig) WHERE n.brain = $brain AND n.validTo IS NULL AND n.id IS :: STRING NOT NULL AND n.id <> '" + brain.CurrentPolicy + "'\nAND EXISTS { MATCH (:ConsolidationConfig {brain: $brain, id: '" + brain.CurrentPolicy + "'}) }",
			"SET n.validTo = coalesce(n.validFrom, n.at, datetime.realtime())",
		},
		{
			"a lease that nobody renews", "what needs it waits for a process that is gone",
			"MATCH (n:Lease) WHERE n.brain IN [$brain, '" + migrationsBrain + "'] AND coalesce(n.at > datetime.realtime() + duration('PT5M') OR n.at < datetime.realtime() - duration('PT1H'), true)",
			"DETACH DELETE n",
		},
	}
}

const (
	// nameOfNode is what people know a node n by.
	nameOfNode = "[l IN labels(n) WHERE l IN $labels][0] + ' ' + coalesce(toStringOrNull(n.id), elementId(n))"
	// lostRelation finds relations of ours that end outside of the brain.
	lostRelation = `MATCH (n:Memory|Source|Section)-[r:HAS_MEMORY|PROMOTED_TO|SUPERSEDES|RELATED]-(o)
WHERE n.brain = $brain AND NOT (coalesce(o.brain = $brain, false) AND (o:Memory OR o:Source OR o:Section))`
	// toOurs limits that to nodes that are or were of a brain: those of a person are left alone.
	toOurs = " AND (o:Memory OR o:Source OR o:Section)"
	// A brain whose node was removed counts as missing, also when a store was opened for a restore.
	countBrains = "MATCH (b:BrainbridgeBrain {name: $brain}) WHERE b.awaits IS NULL RETURN count(b)"
	remakeBrain = "MERGE (b:BrainbridgeBrain {name: $brain}) ON CREATE SET b.number = $number REMOVE b.awaits RETURN count(b)"
)

// unhinted returns a store of the same brain whose queries name no index, which may be missing.
func (s *Store) unhinted() *Store {
	p := s.ofBrain(s.brain)
	p.dimensions.Store(s.dimensions.Load())
	return p
}

// Inspect reads the schema and the graph.
func (s *Store) Inspect(ctx context.Context) (all []brain.Defect, err error) {
	if err := s.Writable(); err != nil {
		return nil, err
	}
	p := s.unhinted()
	wrongs, err := p.inspectSchema(ctx, s.schemaNow())
	for _, w := range wrongs {
		all = append(all, w.defect())
	}
	if err != nil {
		return nil, err
	}
	doubled, err := p.doubled(ctx, wrongs)
	for _, d := range doubled {
		all = append(all, d.defect())
	}
	if err != nil {
		return nil, err
	}
	n, err := p.count(ctx, countBrains, nil)
	if n == 0 && err == nil {
		all = append(all, brain.Defect{What: "the node BrainbridgeBrain of the brain " + s.brain + " is missing", Means: "it counts as lost, although its nodes are there", Mendable: true})
	}
	add := func(what, means, cypher string) {
		var rows []*driver.Record
		if err == nil {
			rows, err = p.run(ctx, driver.AccessModeRead, cypher, map[string]any{"labels": append(strayLabels(), "BrainbridgeBrain")})
		}
		if len(rows) > 0 {
			all = append(all, brain.Defect{What: what + ": " + listed(column[string](rows, 0)), Means: means, Mendable: true})
		}
	}
	for _, f := range flaws() {
		add(f.what, f.means, f.find+" RETURN "+nameOfNode)
	}
	add("a node without a text as id", "it is left out of every answer and of backups", strayOf("$brain")+" RETURN [l IN labels(n) WHERE l IN $labels][0] + ' ' + "+strayName)
	add("a relation to nothing in this brain", "it is shown nowhere, and is in no backup", lostRelation+toOurs+" RETURN "+nameOfNode+" + ' ' + type(r)")
	found := map[string][]string{}
	if err == nil {
		err = s.eachHelper(ctx, found, false)
	}
	for _, property := range slices.Sorted(maps.Keys(found)) {
		all = append(all, brain.Defect{
			What:  "the property " + property + " is missing or does not follow from the others: " + listed(found[property]),
			Means: "searches, lists and runs may miss the node", Mendable: true,
		})
	}
	return all, err
}

// listed names some of what has a defect.
func listed(names []string) string {
	const most = 5
	slices.Sort(names)
	text := strings.Join(names[:min(len(names), most)], ", ")
	if len(names) > most {
		text += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return text
}

// schemaNow returns the indexes and constraints that the database should have, with those over
// vectors of this brain.
func (s *Store) schemaNow() []definition {
	all := definitions()
	if d := int(s.dimensions.Load()); d > 0 {
		all = append(all, vectorIndexes(d)...)
	}
	return all
}

func (w wrong) defect() brain.Defect {
	what, means := "index ", "commands that use it fail, or are slow"
	if w.constraint || w.should.unique {
		what, means = "constraint ", "two nodes may get one key, and commands that use its index fail"
	}
	return brain.Defect{What: "the " + what + w.name + " is " + cmp.Or(w.is, "missing"), Means: means, Mendable: true}
}

// Repair mends what keeps others from being mended first: nodes with one key, then the schema.
func (s *Store) Repair(ctx context.Context, keep func(raw []json.RawMessage) error) error {
	if err := s.Writable(); err != nil {
		return err
	}
	if err := s.mendSchemaAndKeys(ctx, keep); err != nil {
		return err
	}
	if _, err := s.count(ctx, remakeBrain, map[string]any{"number": s.number}); err != nil {
		return err
	}
	for _, f := range flaws() {
		err := s.inSteps(ctx, func(t *tx) (int, error) {
			rows, err := t.query(fmt.Sprintf("%s WITH n LIMIT %d %s RETURN count(*)", f.find, chunk, f.mend), nil)
			if err != nil || len(rows) == 0 {
				return 0, err
			}
			return int(value[int64](rows[0], 0)), nil
		})
		if err != nil {
			return err
		}
	}
	if err := s.giveIDs(ctx); err != nil {
		return err
	}
	if err := s.dropLostRelations(ctx, keep); err != nil {
		return err
	}
	return s.eachHelper(ctx, map[string][]string{}, true)
}

func (s *Store) mendSchemaAndKeys(ctx context.Context, keep func(raw []json.RawMessage) error) error {
	wrongs, err := s.inspectSchema(ctx, s.schemaNow())
	if err != nil || len(wrongs) == 0 {
		return err
	}
	doubled, err := s.unhinted().doubled(ctx, wrongs)
	for _, d := range doubled {
		if err == nil {
			err = s.unhinted().mendDouble(ctx, d, keep)
		}
	}
	if err != nil {
		return err
	}
	held, err := s.leaseSchema(ctx, answerTimeout)
	if err != nil {
		return err
	}
	defer func() { _ = held.Release() }() // otherwise it expires
	return s.mendSchema(ctx, s.schemaNow())
}

// giveIDs gives new ids to nodes that have no text as id.
func (s *Store) giveIDs(ctx context.Context) error {
	return s.inSteps(ctx, func(t *tx) (int, error) {
		rows, err := t.query(fmt.Sprintf("%s RETURN elementId(n) LIMIT %d", strayOf("$brain"), chunk), nil)
		ids := map[string]any{}
		for _, element := range column[string](rows, 0) {
			ids[element] = s.newID()
		}
		if err == nil && len(ids) > 0 {
			_, err = t.query("MATCH (n) WHERE elementId(n) IN keys($ids) SET n.id = $ids[elementId(n)]", map[string]any{"ids": ids})
		}
		return len(ids), err
	})
}

// inSteps calls step, each time in a transaction, until it finds nothing to do.
func (s *Store) inSteps(ctx context.Context, step func(*tx) (found int, err error)) error {
	for found := 1; found > 0; {
		err := s.update(ctx, func(btx brain.Tx) (err error) {
			t, _ := btx.(*tx)
			found, err = step(t)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// newID returns an id for a node of the brain.
func (s *Store) newID() string {
	if strings.HasSuffix(s.brain, testSuffix) {
		return brain.TestPrefix + brain.NewID()
	}
	return brain.NewID()
}

// dropLostRelations takes relations out that end outside of the brain.
func (s *Store) dropLostRelations(ctx context.Context, keep func(raw []json.RawMessage) error) error {
	return s.inSteps(ctx, func(t *tx) (int, error) {
		rows, err := t.query(fmt.Sprintf("%s RETURN DISTINCT elementId(r), type(r), properties(r), properties(startNode(r)), properties(endNode(r)) LIMIT %d", lostRelation+toOurs, chunk), nil)
		if err != nil {
			return 0, err
		}
		var all []brain.Aside
		for _, r := range rows {
			all = append(all, brain.Aside{
				Kind: brain.RelationNode, ID: fmt.Sprintf("%v %s %v", value[props](r, 3)["id"], value[string](r, 1), value[props](r, 4)["id"]), Why: "it ends outside of the brain",
				Values: map[string]any{"type": value[string](r, 1), "values": plainMap(value[props](r, 2)), "from": plainMap(value[props](r, 3)), "to": plainMap(value[props](r, 4))},
			})
		}
		return len(rows), t.takeOut(all, nil, column[string](rows, 0), keep)
	})
}
