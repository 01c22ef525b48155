package neo4j

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lease"
	"github.com/brainbridge/brainbridge/tiers"
)

// Dump reads the whole brain, page by page, while writers wait.
func (s *Store) Dump(ctx context.Context, fn func(brain.Page) error) (err error) {
	if s.schema != schemaVersion || s.loading.Load() { // nobody may write, or a load keeps writers out
		return newDump(ctx, s, fn).all(ctx)
	}
	held, err := leaseSoon(ctx, s.leases, loadLease, answerTimeout)
	if errors.Is(err, brain.ErrReadOnly) { // the server takes no writes, from others neither
		return newDump(ctx, s, fn).all(ctx)
	}
	if err != nil {
		return err
	}
	defer func() { _ = held.Release() }() // otherwise it expires
	mark := reading + brain.NewID()
	defer func() {
		_, lifted := s.mark(context.WithoutCancel(ctx), mark, "") // otherwise the next writer does it
		err = errors.Join(err, lifted)
	}()
	if err := s.shut(ctx, mark); err != nil {
		return err
	}
	return newDump(ctx, s, fn).all(ctx)
}

type dump struct {
	s          *Store
	fn         func(brain.Page) error
	policy     func() (*tiers.Policy, error)
	unreadable map[string]bool // the ids of nodes that were left out
}

func newDump(ctx context.Context, s *Store, fn func(brain.Page) error) *dump {
	return &dump{s: s, fn: fn, unreadable: map[string]bool{}, policy: sync.OnceValues(func() (policy *tiers.Policy, err error) {
		err = s.repeat(ctx, driver.AccessModeRead, func(t *tx) error { // of an earlier schema, too
			policy, err = brain.ReadPolicy(t)
			return err
		})
		return policy, err
	})}
}

func (d *dump) all(ctx context.Context) error {
	if err := d.memories(ctx); err != nil {
		return err
	}
	return d.others(ctx)
}

func (d *dump) memories(ctx context.Context) error {
	return each(ctx, d, memories(), brain.MemoryNode)
}

// others reads everything but the memories.
func (d *dump) others(ctx context.Context) error {
	err := each(ctx, d, sources(), brain.SourceNode)
	if err == nil {
		err = each(ctx, d, sections(), brain.SectionNode)
	}
	if err == nil {
		err = d.relations(ctx)
	}
	var present []*driver.Record
	if err == nil {
		present, err = d.s.run(ctx, driver.AccessModeRead, presentLabels("$brain"), nil)
	}
	for _, k := range brain.RecordKinds() {
		if err == nil && slices.Contains(column[string](present, 0), string(k)) {
			err = each(ctx, d, records(k), string(k))
		}
	}
	if err == nil {
		err = d.strays(ctx)
	}
	return err
}

// presentLabels returns a query for the labels of the records of the brain with a name: a query for each kind
// would take long on a server that has just started.
func presentLabels(name string) string {
	return "MATCH (n:" + strings.Join(recordKinds(), "|") + ") WHERE n.brain = " + name + " UNWIND labels(n) AS label RETURN DISTINCT label"
}

// pageOf returns a query for a page of the nodes of a label, by id.
func pageOf(label string) string {
	return "MATCH (n:" + label + ") WHERE n.brain = $brain AND n.id > $after WITH n ORDER BY n.brain, n.id LIMIT $limit RETURN " + nodeOf(label) + ", n.id"
}

// pages calls fn with the rows of a query, page by page. fn returns the id at the end of the
// page.
func (d *dump) pages(ctx context.Context, cypher string, fn func([]*driver.Record) (last string, err error)) error {
	for after := ""; ; {
		rows, err := d.s.run(ctx, driver.AccessModeRead, cypher, map[string]any{"after": after, "limit": brain.PageSize})
		if err != nil || len(rows) == 0 {
			return err
		}
		if after, err = fn(rows); err != nil {
			return err
		}
	}
}

// each emits the nodes of a kind, page by page, and names what it cannot read.
func each[T any](ctx context.Context, d *dump, k kind[T], name string) error {
	return d.pages(ctx, pageOf(k.label), func(rows []*driver.Record) (last string, err error) {
		var values []T
		var unreadable []brain.Unreadable
		edited := map[string]bool{}
		for _, r := range rows {
			var v T
			last = value[string](r, 1)
			if name == string(brain.TallyRecord) && isEarlierTally(value[props](r, 0)) {
				continue
			}
			err := k.read(value[props](r, 0), &v)
			if m, ok := any(&v).(*brain.Memory); ok && err == nil {
				var is, counts bool
				if is, counts, err = followEdit(value[props](r, 0), m, d.policy); is {
					edited[m.ID] = counts
				}
			}
			if err == nil {
				err = brain.CheckFields(k.fields(&v))
			}
			if err == nil {
				values = append(values, v)
				continue
			}
			unreadable = append(unreadable, brain.Unreadable{Kind: name, ID: last, Why: err.Error()})
			d.unreadable[last] = true
		}
		p := brain.PageOf(values)
		p.Unreadable, p.Edited = unreadable, edited
		return last, d.fn(p)
	})
}

// relations reads the relations that begin at each page of nodes.
func (d *dump) relations(ctx context.Context) error {
	for _, label := range nodeLabels() {
		err := d.pages(ctx, outgoing(label), func(rows []*driver.Record) (last string, err error) {
			last, all, unreadable := d.readable(rows)
			if len(unreadable) > 0 {
				err = d.fn(brain.Page{Unreadable: unreadable})
			}
			for part := range slices.Chunk(all, brain.PageSize) { // one node may have many
				if err == nil {
					err = d.fn(brain.Page{Relations: part})
				}
			}
			return last, err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// readable returns the relations of rows whose ends were read, and the last id.
func (d *dump) readable(rows []*driver.Record) (last string, all []brain.Relation, unreadable []brain.Unreadable) {
	for _, row := range rows {
		r := brain.Relation{From: value[string](row, 0), Type: value[string](row, 1), To: value[string](row, 2), Made: value[int64](row, 3)}
		last = max(last, r.From)
		switch {
		case r.To != "" && r.Type == "":
			u := brain.UnreadableRelation(&r)
			u.Why = "its type is not a text"
			unreadable = append(unreadable, u)
		case r.To != "" && !d.unreadable[r.From] && !d.unreadable[r.To]:
			all = append(all, r)
		}
	}
	return last, all, unreadable
}

// outgoing returns a query for the relations that begin at a page of nodes. It also reads
// those of earlier versions, for the backup before an upgrade.
func outgoing(label string) string {
	return "MATCH (n:" + label + ") WHERE n.brain = $brain AND n.id > $after WITH n ORDER BY n.brain, n.id LIMIT $limit" + `
OPTIONAL MATCH (n)-[r:HAS_MEMORY|PROMOTED_TO|SUPERSEDES|DIFFERS_FROM|RELATED]->(o) WHERE o.brain = $brain AND o.id IS NOT NULL AND (o:Memory OR o:Source OR o:Section)
RETURN n.id, CASE type(r) WHEN 'RELATED' THEN r.type ELSE type(r) END, o.id, r.made`
}

// strayOf finds nodes of ours that no other query finds, in the brain with a name: those
// without a text as id, or with an empty one.
func strayOf(name string) string {
	return "MATCH (n:" + strings.Join(strayLabels(), "|") + ") WHERE n.brain = " + name + " AND (n.id IS NULL OR n.id IS NOT :: STRING OR n.id = '')"
}

func strayLabels() []string { return append(nodeLabels(), recordKinds()...) }

// strayName is what such a node is called.
const strayName = "[x IN [toStringOrNull(n.id), toStringOrNull(n.name), elementId(n)] WHERE x <> ''][0]"

// strays names the nodes that no other part of a dump finds, without an id by their name or their
// elementId.
func (d *dump) strays(ctx context.Context) error {
	rows, err := d.s.run(ctx, driver.AccessModeRead, strayOf("$brain")+" RETURN [l IN labels(n) WHERE l IN $labels][0], "+strayName, map[string]any{"labels": strayLabels()})
	if err != nil || len(rows) == 0 {
		return err
	}
	return d.fn(brain.Page{Unreadable: brain.Map(rows, func(r *driver.Record) brain.Unreadable {
		return brain.Unreadable{Kind: value[string](r, 0), ID: value[string](r, 1), Why: "it has no id, or one that is not a text"}
	})})
}

// leaseSoon takes a lease. It waits for another process, which may hold it for seconds.
func leaseSoon(ctx context.Context, keeper *lease.Keeper, name string, limit time.Duration) (brain.Lease, error) {
	return waitFor(ctx, limit, func() (brain.Lease, error) { return keeper.Lease(ctx, name, lease.ThisProcess(), lease.HolderGone) })
}
