package neo4j

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
)

// chunk is how many rows go into one query.
const chunk = 1000

// lockFirst takes the lock of node n before its properties are read: what is
// read in Go and written back must not change in between, and a condition in
// WHERE alone loses updates. REMOVE without SET does not lock while the
// database has never seen the property.
const lockFirst = " SET n._lock = true REMOVE n._lock WITH n "

// tx is one transaction, for reading or for writing. Writes are collected and
// sent before the next read, because each query is a round trip.
type tx struct {
	ctx   context.Context
	store *Store
	raw   driver.ManagedTransaction
	write bool
	// number is one that no other transaction of the same millisecond has.
	number string

	broken  error // the driver's first error; the transaction is lost with it
	pending batch
	known   map[nodeRef]bool // true: seen or written in this transaction; false: looked for and not there
}

// nodeRef names a node: the label that its id is unique in, and the id.
type nodeRef struct{ label, id string }

var _ brain.Tx = (*tx)(nil)

func newTx(ctx context.Context, s *Store, raw driver.ManagedTransaction, mode driver.AccessMode) *tx {
	return &tx{
		ctx: ctx, store: s, raw: raw, write: mode == driver.AccessModeWrite,
		known: make(map[nodeRef]bool), number: strconv.FormatUint(uint64(rand.Uint32()), 36),
	}
}

// finish sends what is pending after the caller's function returned err.
func (t *tx) finish(err error) outcome {
	if err == nil && t.broken == nil {
		err = t.flush()
	}
	switch {
	case t.broken != nil:
		return outcome{failed: t.broken}
	case err == nil && t.ctx.Err() != nil:
		return outcome{failed: t.ctx.Err()} // it may have ended in fn, without a call that noticed
	}
	return outcome{own: err}
}

// query reads rows, after everything pending was written.
func (t *tx) query(cypher string, params map[string]any) ([]*driver.Record, error) {
	if err := t.flush(); err != nil {
		return nil, err
	}
	return t.send(cypher, params)
}

// send runs one query at once. Every query has the parameters brain and
// transaction.
func (t *tx) send(cypher string, params map[string]any) ([]*driver.Record, error) {
	if t.broken != nil {
		return nil, t.store.explain(t.broken)
	}
	if params == nil {
		params = make(map[string]any, 1)
	}
	params["brain"], params["transaction"] = t.store.brain, t.number
	result, err := t.raw.Run(t.ctx, cypher, params)
	if err != nil {
		return nil, t.fail(err)
	}
	rows, err := result.Collect(t.ctx)
	if err != nil {
		return nil, t.fail(err)
	}
	return rows, nil
}

func (t *tx) fail(err error) error {
	t.broken = err
	return t.store.explain(err)
}

// writable refuses a write in View.
func (t *tx) writable() error {
	if !t.write {
		return fmt.Errorf("neo4j: write in a transaction for reading")
	}
	return nil
}

// byID reads nodes of a label by id, locked in Update. The ids are sent in
// order, so that two transactions lock in the same order.
func (t *tx) byID(label string, ids []string) ([]props, error) {
	cypher := "UNWIND $ids AS id MATCH (n:" + label + " {brain: $brain, id: id})" + byID("n", label)
	found, err := t.nodes(cypher, ids)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]props, len(found))
	for _, p := range found {
		byID[p.str("id")] = p
	}
	inOrder := make([]props, 0, len(found))
	for _, id := range ids {
		p, ok := byID[id]
		t.known[nodeRef{label, id}] = ok
		if ok {
			inOrder = append(inOrder, p)
			delete(byID, id)
		}
	}
	return inOrder, nil
}

// nodes runs a query that matches n for each of ids, sent in order, and returns
// the properties of n; in Update it locks each n first.
func (t *tx) nodes(match string, ids []string) ([]props, error) {
	if t.write {
		match += lockFirst
	}
	return t.each(match+" RETURN n", "id", sortedSet(ids), nil)
}

// each runs a query for $ids, different ones, in chunks, and returns the
// properties of the nodes in the first column, which were sought by that
// property.
func (t *tx) each(cypher, property string, ids []string, params map[string]any) ([]props, error) {
	var all []props
	for part := range slices.Chunk(ids, chunk) {
		p := map[string]any{"ids": part}
		maps.Copy(p, params)
		rows, err := t.read(cypher, p, soughtBy(property, part))
		if err != nil {
			return nil, err
		}
		all = append(all, properties(rows)...)
	}
	return all, nil
}

// properties returns those of the nodes in the first column.
func properties(rows []*driver.Record) []props {
	all := make([]props, 0, len(rows))
	for _, r := range rows {
		if n, ok := r.Values[0].(driver.Node); ok {
			all = append(all, n.Props)
		}
	}
	return all
}

// decode makes values of nodes.
func decode[T any](nodes []props, err error, from func(props) T) ([]T, error) {
	if err != nil || len(nodes) == 0 {
		return nil, err
	}
	values := make([]T, len(nodes))
	for i, n := range nodes {
		values[i] = from(n)
	}
	return values, nil
}
