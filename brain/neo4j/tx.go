package neo4j

import (
	"context"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// chunk is the maximum number of rows in one query.
const chunk = 1000

// lockFirst locks node n before its properties are read, because they must not
// change between a read in Go and the write that follows. REMOVE without SET does not
// lock if the database has never had the property.
const lockFirst = " SET n._lock = true REMOVE n._lock WITH n "

// tx is one transaction, for reading or for writing. [brain.Tx] describes its methods. Each
// query is a round trip, so writes are collected and sent before the next read.
type tx struct {
	ctx    context.Context
	store  *Store
	raw    driver.ManagedTransaction
	write  bool
	number string // of no other transaction in the same millisecond

	broken  error // the driver's first error, which ends the transaction
	pending batch
	// memories that this transaction has locked or written, as they are stored:
	// PutLives keeps the rest of their fields.
	memories   map[string]brain.Memory
	edited     map[string]derived // of them, those that a person has changed, with derivedThen
	policy     *tiers.Policy      // nil until it is read
	unreadable map[string]error   // why nodes that it found cannot be read, by id
	known      map[nodeRef]bool   // true: seen or written in this transaction; false: looked for and not found
}

// nodeRef names a node: the label that its id is unique in, and the id.
type nodeRef struct{ label, id string }

func newTx(ctx context.Context, s *Store, raw driver.ManagedTransaction, mode driver.AccessMode) *tx {
	return &tx{
		ctx: ctx, store: s, raw: raw, write: mode == driver.AccessModeWrite,
		known: make(map[nodeRef]bool), memories: make(map[string]brain.Memory), edited: make(map[string]derived), unreadable: make(map[string]error), number: strconv.FormatUint(uint64(rand.Uint32()), 36),
	}
}

// WhyUnreadable knows the nodes of this transaction.
func (t *tx) WhyUnreadable(id string) (next string, why error) {
	return "correct or delete the node with `brainbridge query --write`; `brainbridge health` names all such nodes", t.unreadable[id]
}

// finish sends the pending writes after the caller's function has returned fnErr. It returns
// that error, or the one of the driver.
func (t *tx) finish(fnErr error) (own, driverErr error) {
	if fnErr == nil {
		fnErr = t.flush()
	}
	switch {
	case t.broken != nil:
		return nil, t.broken
	case fnErr == nil && t.ctx.Err() != nil:
		return nil, t.ctx.Err() // it may have ended in fn between two calls
	}
	return fnErr, nil
}

// query runs a query after the pending writes.
func (t *tx) query(cypher string, params map[string]any) ([]*driver.Record, error) {
	if err := t.flush(); err != nil {
		return nil, err
	}
	return t.send(cypher, params)
}

// send runs a query at once. Every query has the parameters brain and transaction.
func (t *tx) send(cypher string, params map[string]any) ([]*driver.Record, error) {
	if err := t.failure(); err != nil {
		return nil, err
	}
	if params == nil {
		params = make(map[string]any, 1)
	}
	params["brain"], params["transaction"] = t.store.brain, t.number
	if t.store.schema != schemaVersion { // its indexes are others
		cypher = hints.ReplaceAllString(cypher, " ")
	}
	if t.store.trace != nil {
		t.store.trace(cypher)
	}
	result, err := t.raw.Run(t.ctx, t.store.withNodes(cypher), params)
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
	return t.failure()
}

// failure returns the error that ended the transaction, nil for none. Writes after it are not
// sent.
func (t *tx) failure() error {
	if t.broken == nil {
		return nil
	}
	return t.store.explain(t.broken)
}

// hints are those of queries at the indexes of the schema.
var hints = regexp.MustCompile(`\s*USING INDEX SEEK \w+:\w+\([^)]*\)\s*`)

// byID reads nodes of a kind in the order of ids, and locks them in Update. It sends the ids
// sorted, so that transactions lock in the same order.
func byID[T any](t *tx, k kind[T], ids []string) ([]T, error) {
	match := "UNWIND $ids AS id MATCH (n:" + k.label + " {brain: $brain, id: id})" + indexHint("n", k.label)
	if t.write {
		match += lockFirst
	}
	found, err := by(t, k, match+" RETURN "+nodeOf(k.label), sortedSet(ids), nil)
	if err != nil {
		return nil, err
	}
	place := make(map[string]int, len(found))
	for i := range found {
		place[k.id(&found[i])] = i
	}
	values := make([]T, 0, len(found))
	for _, id := range brain.Unique(ids) {
		i, ok := place[id]
		t.known[nodeRef{k.label, id}] = ok
		if ok {
			values = append(values, found[i])
		}
	}
	return values, nil
}

// by runs a query for $ids, which are distinct, in chunks.
func by[T any](t *tx, k kind[T], cypher string, ids []string, params map[string]any) ([]T, error) {
	var all []T
	for part := range slices.Chunk(ids, chunk) {
		p := map[string]any{"ids": part}
		maps.Copy(p, params)
		values, err := fetch(t, k, cypher, p)
		if err != nil {
			return nil, err
		}
		all = append(all, values...)
	}
	return all, nil
}
