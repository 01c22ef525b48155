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
	// memories are those that this transaction has locked or written, as they are
	// stored, so that PutLives can keep what it does not write.
	memories map[string]brain.Memory
	unpacker unpacker
	known    map[nodeRef]bool // true: seen or written in this transaction; false: looked for and not there
}

// nodeRef names a node: the label that its id is unique in, and the id.
type nodeRef struct{ label, id string }

var _ brain.Tx = (*tx)(nil)

func newTx(ctx context.Context, s *Store, raw driver.ManagedTransaction, mode driver.AccessMode) *tx {
	return &tx{
		ctx: ctx, store: s, raw: raw, write: mode == driver.AccessModeWrite,
		known: make(map[nodeRef]bool), memories: make(map[string]brain.Memory), number: strconv.FormatUint(uint64(rand.Uint32()), 36),
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

// byID reads nodes by id, in the order of ids, locked in Update. The ids are sent
// sorted, so that two transactions lock in the same order.
func byID[T any](t *tx, k kind[T], match string, ids []string, ref func(id string) nodeRef) ([]T, error) {
	if t.write {
		match += lockFirst
	}
	found, err := by(t, k, match+" RETURN n.packed", sortedSet(ids), nil, k.id)
	if err != nil {
		return nil, err
	}
	place := make(map[string]int, len(found))
	for i := range found {
		place[k.id(&found[i])] = i
	}
	values := make([]T, 0, len(found))
	for _, id := range unique(ids) {
		i, ok := place[id]
		t.known[ref(id)] = ok
		if ok {
			values = append(values, found[i])
		}
	}
	return values, nil
}

// byLabel is byID for nodes whose id is unique in their label.
func byLabel[T any](t *tx, k kind[T], ids []string) ([]T, error) {
	match := "UNWIND $ids AS id MATCH (n:" + k.label + " {brain: $brain, id: id})" + byIndex("n", k.label)
	return byID(t, k, match, ids, func(id string) nodeRef { return nodeRef{k.label, id} })
}

// ids runs a query whose rows begin with an id.
func (t *tx) ids(cypher string, params map[string]any) ([]string, error) {
	rows, err := t.read(cypher, params, named(0))
	return column[string](rows, 0), err
}

// by runs a query for $ids, which are distinct, in chunks, and returns the values
// whose key is among them.
func by[T any](t *tx, k kind[T], cypher string, ids []string, params map[string]any, key func(*T) string) ([]T, error) {
	var all []T
	for part := range slices.Chunk(ids, chunk) {
		sought := make(map[string]bool, len(part))
		for _, id := range part {
			sought[id] = true
		}
		p := map[string]any{"ids": part}
		maps.Copy(p, params)
		values, err := fetch(t, k, cypher, p, func(v *T, _ []any) string {
			if !sought[key(v)] {
				return ""
			}
			return k.id(v)
		})
		if err != nil {
			return nil, err
		}
		all = append(all, values...)
	}
	return all, nil
}
