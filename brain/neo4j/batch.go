package neo4j

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// creates begins every query for nodes that are known not to exist.
const creates = "UNWIND $rows AS row CREATE "

// step is a kind of write. Pending writes are sent in this order: keys are freed
// before they are taken, nodes exist before their relations.
type step int

const (
	cutRelations step = iota
	dropMemories
	dropSources
	dropSections
	dropRecords
	setLives
	setMemories
	setSources
	setSections
	joinRelations
	setRecords
	steps
)

// batch holds the pending writes of a transaction: rows for each step, and the
// subjects that they touch.
type batch struct {
	rows    [steps][]row
	touched [steps]map[string]bool
	size    int
}

// row is one write: its query and its parameters there.
type row struct {
	cypher string
	values any
	own    string   // the subject that it writes
	others []string // other subjects that it needs as they are
	waits  []string // subjects that must not be pending in a later step, besides own
}

// maxPending is the number of rows that are collected before they are sent.
const maxPending = 4 * chunk

// clashes reports whether pending writes have to be sent before a row of step s:
// those of the same subject, and those of a later step that the row waits for.
func (b *batch) clashes(s step, r row) bool {
	repeats := s <= dropRecords || s == joinRelations // a second write of the same subject changes nothing
	if b.touched[s][r.own] && !repeats {
		return true
	}
	return slices.ContainsFunc(b.touched[s+1:], func(touched map[string]bool) bool {
		return touched[r.own] || slices.ContainsFunc(r.waits, func(subject string) bool { return touched[subject] })
	})
}

// enqueue adds a write to the batch. It first sends the batch if the write clashes.
func (t *tx) enqueue(s step, r row) {
	if t.pending.size >= maxPending || t.pending.clashes(s, r) {
		_ = t.flush() // broken keeps the error
	}
	b := &t.pending
	if b.touched[s][r.own] {
		return
	}
	if b.touched[s] == nil {
		b.touched[s] = make(map[string]bool)
	}
	b.touched[s][r.own] = true
	for _, subject := range r.others {
		b.touched[s][subject] = true
	}
	b.rows[s] = append(b.rows[s], r)
	b.size++
}

// part is the rows of one query.
type part struct {
	cypher string
	rows   []any
}

// flush sends everything that is pending, in as few queries as it can.
func (t *tx) flush() error {
	if t.pending.size == 0 {
		return nil
	}
	b := t.pending
	t.pending = batch{}
	var together []part
	size := 0
	for _, rows := range b.rows {
		for _, p := range parts(rows) {
			if size += len(p.rows); size > chunk && len(together) > 0 {
				if err := t.sendParts(together); err != nil {
					return err
				}
				together, size = nil, len(p.rows)
			}
			together = append(together, p)
		}
	}
	return t.sendParts(together)
}

// parts groups the rows of one step by their queries. Those that create nodes come
// last: by then, existing nodes have given up their keys.
func parts(rows []row) []part {
	groups := make(map[string][]any)
	for _, r := range rows {
		groups[r.cypher] = append(groups[r.cypher], r.values)
	}
	order := slices.Sorted(maps.Keys(groups))
	slices.Reverse(order) // MERGE comes before CREATE then
	var all []part
	for _, cypher := range order {
		for some := range slices.Chunk(groups[cypher], chunk) {
			all = append(all, part{cypher, some})
		}
	}
	return all
}

// counts ends a query in which every row must find its nodes.
const counts = " RETURN count(*)"

// sendParts sends parts as one query, one subquery after another.
func (t *tx) sendParts(ps []part) error {
	cypher, params, counted := joined(ps)
	answer, err := t.send(cypher, params)
	if err != nil || len(counted) == 0 {
		return err
	}
	for i, p := range counted {
		if done := int(value[int64](answer[0], i)); done < len(p.rows) {
			return t.fail(fmt.Errorf("%d of %d writes found no node: %w", len(p.rows)-done, len(p.rows), errMoved))
		}
	}
	return nil
}

// joined returns one query for parts, and the parts that its answer counts.
func joined(ps []part) (cypher string, params map[string]any, counted []part) {
	var b strings.Builder
	var names []string
	params = make(map[string]any, len(ps)+1)
	for i, p := range ps {
		rows, done := fmt.Sprint("rows", i), fmt.Sprint("done", i)
		params[rows] = p.rows
		query := strings.Replace(p.cypher, "$rows", "$"+rows, 1)
		if strings.HasSuffix(query, counts) {
			query += " AS " + done
			names, counted = append(names, done), append(counted, p)
		}
		b.WriteString("CALL () {\n  " + query + "\n}\n")
	}
	if len(names) > 0 {
		b.WriteString("RETURN " + strings.Join(names, ", "))
	}
	return b.String(), params, counted
}

// testSuffix ends the name of the brain of the test memories of another.
const testSuffix = "~test"

type newNode struct {
	nodeRef
	labels []string // its id is unique in the first one
	props  props
	also   string   // Cypher that follows
	others []string // see row
}

// labelled returns a node whose id is unique in its first label.
func labelled(id string, p props, labels ...string) newNode {
	return newNode{nodeRef: nodeRef{labels[0], id}, labels: labels, props: p}
}

// Both keep properties that are not ours: a row has all of ours, null for none. A text keeps its
// vector if its words are the same.
const (
	replaceNode = " SET n += row"
	replaceText = ` WITH n, row, coalesce(n.words = row.words, false) AS same, n.vectorModel AS model
FOREACH (k IN [k IN keys(n) WHERE NOT same AND k =~ 'vector[0-9]+'] | REMOVE n[k])
SET n += row FOREACH (m IN [m IN [model] WHERE same AND row.vectorModel IS NOT NULL] | SET n.vectorModel = m)`
)

// put enqueues a node that is inserted or replaced. If this transaction looked for it and
// found none, it is created: should another transaction create it meanwhile, the constraint
// fails and the function runs again, instead of overwriting a node that it has not seen.
func (t *tx) put(s step, n newNode) {
	t.store.complete(n.props)
	cypher := "UNWIND $rows AS row MERGE (n:" + n.label + " {brain: $brain, id: row.id})"
	set := replaceNode
	switch s {
	case setRecords: // whose properties are not known beforehand
		set = " SET n = row"
	case setMemories, setSections:
		set = replaceText
	}
	for _, label := range n.labels[1:] {
		set += " SET n:" + label
	}
	if exists, looked := t.known[n.nodeRef]; looked && !exists {
		cypher, set = creates+"(n:"+strings.Join(n.labels, ":")+")", " SET n = row"
	}
	t.enqueue(s, row{cypher: cypher + set + n.also, values: n.props, own: n.subject(), others: n.others})
	t.known[n.nodeRef] = true
}

// complete sets the properties that every node of the brain has.
func (s *Store) complete(p props) {
	p["brain"] = s.brain
	if strings.HasSuffix(strings.TrimSuffix(s.brain, loadingSuffix), testSuffix) {
		p["isTest"] = true
	}
}

func putAll[T any](t *tx, s step, values []T, node func(*T) (newNode, error)) error {
	for i := range values {
		n, err := node(&values[i])
		if err != nil {
			return err
		}
		t.put(s, n)
	}
	return t.failure()
}

// drop enqueues the removal of nodes of a label and their relations.
func (t *tx) drop(s step, label string, ids []string) error {
	cypher := "UNWIND $rows AS row MATCH (n:" + label + " {brain: $brain, id: row.id})" + indexHint("n", label) + " DETACH DELETE n"
	for _, id := range sortedSet(ids) {
		ref := nodeRef{label, id}
		t.enqueue(s, row{cypher: cypher, values: map[string]any{"id": id}, own: ref.subject(), waits: []string{ref.end()}})
		t.known[ref] = false
		delete(t.memories, id)
	}
	return t.failure()
}

func (r nodeRef) subject() string { return r.label + " " + r.id }

// end is the subject of relations that need this node.
func (r nodeRef) end() string { return "end " + r.id }
