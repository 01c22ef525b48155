package neo4j

import (
	"context"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// Neo4j reads committed data without a snapshot: a node that another
// transaction deletes, moves in an index or rewrites while a query reads it
// comes back empty, twice, not at all or with properties of both versions
// (measured: 5 of 100 reads of nodes that one writer keeps rewriting). So every
// answer is looked at, and one that cannot be what somebody committed is
// asked for again.

// tries is how often a query is sent until its answer is believed. What has not
// come to rest by then fails the transaction, which is run again.
const tries = 10

// doubt is what is wrong with an answer.
type doubt struct {
	any   bool
	nodes []string // that do not fit their seals, by element id
}

// read sends a query for reading, again while its answer is in doubt. What is
// in doubt to the end without a node to name is left to the caller.
func (t *tx) read(cypher string, params map[string]any, look func([]*driver.Record) doubt) ([]*driver.Record, error) {
	for try := 1; ; try++ {
		rows, err := t.query(cypher, params)
		if err != nil {
			return nil, err
		}
		d := look(rows)
		switch {
		case !d.any, try == tries && len(d.nodes) == 0:
			return rows, nil
		case try == tries:
			return nil, t.fail(errTorn)
		}
		if err := t.awaitWriters(d.nodes); err != nil {
			return nil, err
		}
		pause(t.ctx, backOff(try))
	}
}

// awaitWriters returns when nobody is writing the nodes any more. A
// transaction for reading cannot lock: another one does it in its place.
func (t *tx) awaitWriters(nodes []string) error {
	if len(nodes) == 0 {
		return nil
	}
	if t.write {
		return t.reseal(nodes)
	}
	out := t.store.once(t.ctx, driver.AccessModeWrite, func(w *tx) error { return w.reseal(nodes) })
	if out.failed != nil && sortError(out.failed) != passing {
		return t.fail(out.failed)
	}
	return t.ctxError()
}

func (t *tx) ctxError() error {
	if err := context.Cause(t.ctx); err != nil {
		return t.fail(err)
	}
	return nil
}

// wholeNodes doubts nodes in the first column that do not fit their seals, or
// that are there twice.
func wholeNodes(rows []*driver.Record) doubt {
	var d doubt
	seen := make(map[string]bool, len(rows))
	for _, r := range rows {
		n, _ := r.Values[0].(driver.Node)
		if seen[n.ElementId] {
			d.any = true
		}
		seen[n.ElementId] = true
		if !props(n.Props).fits() {
			d.any, d.nodes = true, append(d.nodes, n.ElementId)
		}
	}
	return d
}

// soughtBy doubts also nodes that no longer have what they were sought by.
func soughtBy(property string, values []string) func([]*driver.Record) doubt {
	sought := make(map[string]bool, len(values))
	for _, v := range values {
		sought[v] = true
	}
	return func(rows []*driver.Record) doubt {
		d := wholeNodes(rows)
		for _, p := range properties(rows) {
			d.any = d.any || !sought[p.str(property)]
		}
		return d
	}
}

// inPlace doubts nodes that have moved in the index over a property, whose
// value stands in the third column, since they were found there.
func inPlace(property string) func([]*driver.Record) doubt {
	return func(rows []*driver.Record) doubt {
		d := wholeNodes(rows)
		for _, r := range rows {
			n, _ := r.Values[0].(driver.Node)
			d.any = d.any || n.Props[property] != r.Values[2]
		}
		return d
	}
}

// wholeLives doubts the lives of memories, in the second column, that do not
// fit their seals; the first column has the element ids.
func wholeLives(rows []*driver.Record) doubt {
	var d doubt
	for _, r := range rows {
		p := lifeOf(r)
		if seal := p.str(sealKey); len(seal) != 2*sealPart || seal[:sealPart] != lifeSeal(p) {
			node, _ := r.Values[0].(string)
			d.any, d.nodes = true, append(d.nodes, node)
		}
	}
	return d
}

func lifeOf(r *driver.Record) props {
	p, _ := r.Values[1].(map[string]any)
	return p
}

// named doubts rows without a text in one of these columns: every node has an
// id, and one without is being deleted, perhaps to be made anew.
func named(columns ...int) func([]*driver.Record) doubt {
	return func(rows []*driver.Record) doubt {
		for _, r := range rows {
			for _, c := range columns {
				if s, _ := r.Values[c].(string); s == "" {
					return doubt{any: true}
				}
			}
		}
		return doubt{}
	}
}
