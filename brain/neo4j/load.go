package neo4j

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
)

// A brain is loaded under a temporary name that no brain can have. Then its node gets a
// mark that keeps writers out (see gate.go) while the present content is saved. Under the
// next marks that content is removed and the loaded one gets the name of the brain, in
// bounded transactions. Each of them locks the node and checks the mark, so any number of
// processes may do it at once, and the next one that opens the brain continues where
// another has died.
const (
	reading  = "reading " // with a token: the brain is being read, and writers wait
	removing = "removing" // the present content is being removed
	renaming = "renaming" // the loaded content is taking its place

	lockBrain = `MATCH (b:BrainbridgeBrain {name: $brain}) SET b._lock = true REMOVE b._lock WITH b WHERE `
	underMark = lockBrain + `b.load = $mark `
	setMark   = lockBrain + `coalesce(b.load, '') IN [$before, $mark] SET b.load = $mark RETURN count(b)`
	// The mark of a process that ended while it read counts as none.
	setReading = lockBrain + `NOT coalesce(b.load, '') IN [$removing, $renaming] SET b.load = $mark RETURN count(b)`
)

// beside returns the temporary name of a brain that is loaded.
func beside(name string) string { return name + loadingSuffix }

const loadingSuffix = "/loading"

// Load stores the pages under a temporary name and replaces the brain by them. Its lease
// shows other processes that it is alive.
func (s *Store) Load(ctx context.Context, pages iter.Seq2[brain.Page, error], first func() error) error {
	leave, err := s.enter()
	if err != nil {
		return err
	}
	defer leave()
	if err := s.checkSchema(ctx); err != nil {
		return err
	}
	alive, err := leaseSoon(ctx, s.leases, loadLease, answerTimeout)
	if err != nil {
		return err
	}
	defer func() { _ = alive.Release() }() // otherwise it expires
	if err := s.replace(ctx); err != nil { // complete an earlier load
		return err
	}
	aside := &Store{
		driver: s.driver, database: s.database, brain: beside(s.brain), uri: s.uri, timeout: s.timeout, schema: schemaVersion,
	}
	if err := aside.clear(ctx); err != nil {
		return fmt.Errorf("remove what an earlier load has left: %w", err)
	}
	if err := aside.take(ctx, pages); err != nil {
		_ = aside.clear(context.WithoutCancel(ctx)) // otherwise the next load does it
		return err
	}
	if err := s.swap(ctx, aside, first); err != nil {
		return err
	}
	return s.loaded(context.WithoutCancel(ctx))
}

// swap calls first, which saves the present content, and replaces that by the loaded
// content. Once the replacement has begun, it continues even if ctx ends, and an error is
// [brain.ErrUnavailable].
func (s *Store) swap(ctx context.Context, aside *Store, first func() error) error {
	mark := reading + brain.NewID()
	err := s.shut(ctx, mark)
	if err == nil && first != nil {
		s.loading.Store(true)
		err = first()
		s.loading.Store(false)
	}
	if err == nil {
		err = ctx.Err()
	}
	ctx = context.WithoutCancel(ctx)
	if err != nil {
		_, lifted := s.mark(ctx, mark, "") // otherwise the next writer does it
		return errors.Join(err, lifted, aside.clear(ctx))
	}
	begun, err := s.mark(ctx, mark, removing)
	if err == nil {
		err = s.replace(ctx)
	}
	if err != nil {
		return brain.Errorf(brain.ErrUnavailable, "the next command that reaches the server continues it",
			"brain %s is being replaced: %v", s.brain, err)
	}
	if !begun { // this process paused for so long that a writer considered it dead
		return errors.Join(brain.Errorf(brain.ErrConflict, "try again",
			"brain %s was written to while it was saved", s.brain), aside.clear(ctx))
	}
	return nil
}

func (s *Store) take(ctx context.Context, pages iter.Seq2[brain.Page, error]) error {
	for p, err := range pages {
		if err != nil {
			return err
		}
		if err := s.repeat(ctx, driver.AccessModeWrite, func(t *tx) error { return t.load(p) }); err != nil {
			return err
		}
	}
	return nil
}

// load stores a page without the relations that miss an end.
func (t *tx) load(p brain.Page) error {
	if err := p.StoreNodes(t); err != nil {
		return err
	}
	if err := t.loadEnds(p.Relations); err != nil {
		return err
	}
	whole := slices.DeleteFunc(slices.Clone(p.Relations), func(r brain.Relation) bool {
		return t.labelOf(r.From) == "" || t.labelOf(r.To) == ""
	})
	return t.PutRelations(whole...)
}

// The two things that happen to the nodes of a brain.
const (
	remove = "DETACH DELETE n"
	rename = "SET n.brain = $brain"
)

// sweepOf returns a query that does something to some nodes of a label and a brain, and counts
// them.
func sweepOf(label, name, do string) string {
	return fmt.Sprintf("MATCH (n:%s) WHERE n.brain = %s AND n.id > '' WITH n LIMIT %d %s RETURN count(*)", label, name, chunk, do)
}

// sweep does something to all nodes of a brain; guard begins the query.
func (s *Store) sweep(ctx context.Context, guard, name, do string, params map[string]any) error {
	present, err := s.run(ctx, driver.AccessModeRead, presentLabels(name), params)
	if err != nil {
		return err
	}
	for _, label := range append(nodeLabels(), column[string](present, 0)...) {
		for more := label != string(brain.LeaseRecord); more; {
			n, err := s.count(ctx, guard+sweepOf(label, name, do), params)
			if err != nil {
				return err
			}
			more = n > 0
		}
	}
	if do != remove {
		return nil
	}
	_, err = s.count(ctx, guard+strayOf(name)+" AND NOT n:Lease DETACH DELETE n RETURN count(*)", params)
	return err
}

func (s *Store) clear(ctx context.Context) error { return s.sweep(ctx, "", "$brain", remove, nil) }

// count runs a query that may be repeated and returns the number it answers.
func (s *Store) count(ctx context.Context, cypher string, params map[string]any) (int, error) {
	rows, err := s.run(ctx, driver.AccessModeWrite, cypher, params)
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	return int(value[int64](rows[0], 0)), nil
}

// mark replaces the mark of a load, unless another process has done so.
func (s *Store) mark(ctx context.Context, before, mark string) (done bool, err error) {
	n, err := s.count(ctx, setMark, map[string]any{"before": before, "mark": text(mark)})
	return n > 0, err
}

// replace puts the loaded content in the place of the present one, or continues to
// do so. It does nothing without a mark.
func (s *Store) replace(ctx context.Context) error {
	_, _, load, err := s.state(ctx)
	if err != nil || load != removing && load != renaming {
		return err
	}
	if err := s.sweep(ctx, underMark, "$brain", remove, map[string]any{"mark": removing}); err != nil {
		return err
	}
	if _, err := s.mark(ctx, removing, renaming); err != nil {
		return err
	}
	if err := s.sweep(ctx, underMark, "$beside", rename, map[string]any{"mark": renaming, "beside": beside(s.brain)}); err != nil {
		return err
	}
	_, err = s.mark(ctx, renaming, "")
	return err
}
