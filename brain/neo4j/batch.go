package neo4j

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// creates begins every query for nodes that are known not to exist.
const creates = "UNWIND $rows AS row CREATE "

// maxParts limits the queries that are sent as one.
const maxParts = 16

// batch holds the pending writes of a transaction in their order.
type batch struct {
	parts []part
	rows  int
	nodes map[nodeRef]bool // that are inserted or replaced
}

// part is the rows of one query.
type part struct {
	cypher string
	rows   []any
}

// row is one write: its query and its parameters there.
type row struct {
	cypher string
	values any
}

// enqueue adds writes of different subjects to the batch, grouped by their queries. Those that
// create nodes come last: by then, existing nodes have given up their keys.
func (t *tx) enqueue(rows []row) error {
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(b.cypher, a.cypher) }) // MERGE comes before CREATE
	b := &t.pending
	for _, r := range rows {
		last := len(b.parts) - 1
		again := last >= 0 && b.parts[last].cypher == r.cypher
		if b.rows >= chunk || !again && last+1 >= maxParts {
			_ = t.flush() // broken keeps the error
			last, again = -1, false
		}
		if !again {
			b.parts = append(b.parts, part{cypher: r.cypher})
			last++
		}
		b.parts[last].rows = append(b.parts[last].rows, r.values)
		b.rows++
	}
	return t.failure()
}

// counts ends a query in which every row must find its nodes.
const counts = " RETURN count(*)"

// flush sends everything that is pending as one query, one subquery after another.
func (t *tx) flush() error {
	ps := t.pending.parts
	t.pending = batch{}
	if len(ps) == 0 {
		return nil
	}
	var query strings.Builder
	var names []string
	wanted, params := 0, make(map[string]any, len(ps)+2)
	for i, p := range ps {
		rows, done := fmt.Sprint("rows", i), fmt.Sprint("done", i)
		params[rows] = p.rows
		cypher := strings.Replace(p.cypher, "$rows", "$"+rows, 1)
		if strings.HasSuffix(cypher, counts) {
			cypher += " AS " + done
			names = append(names, done)
			wanted += len(p.rows)
		}
		query.WriteString("CALL () {\n  " + cypher + "\n}\n")
	}
	if len(names) > 0 {
		query.WriteString("RETURN " + strings.Join(names, " + "))
	}
	answer, err := t.send(query.String(), params)
	if err == nil && wanted > 0 && int(value[int64](answer[0], 0)) < wanted {
		err = t.fail(fmt.Errorf("%d of %d writes found no node: %w", wanted-int(value[int64](answer[0], 0)), wanted, errMoved))
	}
	return err
}

// testSuffix ends the name of the brain of the test memories of another.
const testSuffix = "~test"

type newNode struct {
	nodeRef
	labels []string // its id is unique in the first one
	props  props
}

// labelled returns a node whose id is unique in its first label.
func labelled(id string, p props, labels ...string) newNode {
	return newNode{nodeRef{labels[0], id}, labels, p}
}

// How a node is replaced. The first two keep properties that are not ours: a row has all of ours,
// null for none. A text keeps its vector if its words are the same; past texts have none.
const (
	replaceNode = " SET n += row"
	replaceText = ` WITH n, row, coalesce(n.words = row.words AND n.vectorModel IS NOT NULL AND row.vectorModel IS NOT NULL, false) AS same, n.vectorModel AS model
FOREACH (k IN [k IN keys(n) WHERE NOT same AND k =~ 'vector[0-9]+'] | REMOVE n[k])
SET n += row FOREACH (m IN [m IN [model] WHERE same] | SET n.vectorModel = m)`
	replaceAll = " SET n = row"
)

// putAll enqueues nodes that are inserted or replaced, the last of those with the same id. also
// is Cypher that follows. If this transaction looked for a node and found none, it is created:
// should another transaction create it meanwhile, the constraint fails and the function runs
// again, instead of overwriting a node that it has not seen.
func putAll[T any](t *tx, values []T, node func(*T) (newNode, error), replace, also string) error {
	var rows []row
	at := make(map[nodeRef]int, len(values))
	for i := range values {
		n, err := node(&values[i])
		if err != nil {
			return err
		}
		t.store.complete(n.props)
		if no, again := at[n.nodeRef]; again {
			rows[no].values = n.props
			continue
		}
		if t.pending.nodes[n.nodeRef] {
			_ = t.flush() // broken keeps the error
		}
		cypher := "UNWIND $rows AS row MERGE (n:" + n.label + " {brain: $brain, id: row.id})" + replace
		for _, label := range n.labels[1:] {
			cypher += " SET n:" + label
		}
		if exists, looked := t.known[n.nodeRef]; looked && !exists {
			cypher = creates + "(n:" + strings.Join(n.labels, ":") + ")" + replaceAll
		}
		at[n.nodeRef] = len(rows)
		rows = append(rows, row{cypher + also, n.props})
	}
	err := t.enqueue(rows)
	if t.pending.nodes == nil {
		t.pending.nodes = make(map[nodeRef]bool, len(at))
	}
	for ref := range at {
		t.known[ref], t.pending.nodes[ref] = true, true
	}
	return err
}

// complete sets the properties that every node of the brain has.
func (s *Store) complete(p props) {
	p["brain"] = s.brain
	if strings.HasSuffix(strings.TrimSuffix(s.brain, loadingSuffix), testSuffix) {
		p["isTest"] = true
	}
}

// drop enqueues the removal of nodes of a label and their relations.
func (t *tx) drop(label string, ids []string) error {
	cypher := "UNWIND $rows AS row MATCH (n:" + label + " {brain: $brain, id: row.id})" + indexHint("n", label) + " DETACH DELETE n"
	var rows []row
	for _, id := range sortedSet(ids) {
		rows = append(rows, row{cypher, map[string]any{"id": id}})
		t.known[nodeRef{label, id}] = false
		delete(t.memories, id)
	}
	return t.enqueue(rows)
}
