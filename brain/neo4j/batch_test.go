package neo4j

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"golang.org/x/sync/errgroup"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/tiers"
)

// counted counts the round trips of a transaction.
type counted struct {
	driver.ManagedTransaction
	queries *int
}

func (c counted) Run(ctx context.Context, cypher string, params map[string]any) (driver.ResultWithContext, error) {
	*c.queries++
	return c.ManagedTransaction.Run(ctx, cypher, params)
}

// queries runs fn in a transaction and returns how many queries it took.
func queries(t *testing.T, s *Store, fn func(brain.Tx) error) int {
	t.Helper()
	n := 0
	session := s.driver.NewSession(t.Context(), s.sessionConfig(driver.AccessModeWrite))
	defer func() { _ = session.Close(context.WithoutCancel(t.Context())) }()
	_, err := session.ExecuteWrite(t.Context(), func(m driver.ManagedTransaction) (any, error) {
		work := newTx(t.Context(), s, counted{m, &n}, driver.AccessModeWrite)
		return nil, errors.Join(work.finish(fn(work)))
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func some(n int, prefix string) []brain.Memory {
	ms := make([]brain.Memory, n)
	for i := range ms {
		ms[i].ID, ms[i].Name, ms[i].Tier = fmt.Sprint(prefix, i), "n", tiers.Working
		ms[i].Created, ms[i].LastDecay = storetest.Start, storetest.Start
	}
	return ms
}

func TestWritesTakeFewQueries(t *testing.T) {
	s := openTest(t, fresh(t))
	if n := queries(t, s, func(tx brain.Tx) error { return tx.PutMemories(some(1000, "many")...) }); n != 1 {
		t.Errorf("1,000 memories take %d queries, want 1", n)
	}
	if n := queries(t, s, func(tx brain.Tx) error { return promoteTen(tx, "many") }); n > 4 {
		t.Errorf("10 promotions take %d queries, want 4 at most", n)
	}
	capture := func(tx brain.Tx) error {
		if ms, err := tx.Memories("new"); err != nil || len(ms) > 0 {
			return err
		}
		m := some(1, "new")[0]
		return errors.Join(tx.PutSources(brain.Source{ID: "s", Kind: brain.Learning}), tx.PutMemories(m),
			tx.PutRelations(brain.Relation{From: "s", Type: brain.HasMemory, To: m.ID}))
	}
	if n := queries(t, s, capture); n > 3 {
		t.Errorf("a capture takes %d queries, want 3 at most", n)
	}
}

// A write that finds no end fails the transaction also when it is sent with
// others that find theirs.
func TestWritesThatFindNothingAreNoticedAmongOthers(t *testing.T) {
	s := openTest(t, fresh(t))
	ms := some(3, "m")
	if err := s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(ms...) }); err != nil {
		t.Fatal(err)
	}
	own, failed := s.once(t.Context(), driver.AccessModeWrite, func(x *tx) error {
		gone := nodeRef{memoryLabel, "gone"}
		x.known[nodeRef{memoryLabel, ms[0].ID}], x.known[nodeRef{memoryLabel, ms[1].ID}], x.known[gone] = true, true, true
		return errors.Join(x.PutLives(ms[2]),
			x.PutRelations(brain.Relation{From: ms[0].ID, Type: "t", To: ms[1].ID}),
			x.PutRelations(brain.Relation{From: ms[0].ID, Type: brain.Supersedes, To: gone.id}),
			x.PutRecords(brain.Record{Kind: brain.ActionRecord, ID: "a"}))
	})
	if !errors.Is(failed, errMoved) {
		t.Errorf("the transaction ended with %v and %v, want %v", own, failed, errMoved)
	}
}

// promoteTen does what a run does.
func promoteTen(tx brain.Tx, prefix string) error {
	var ids []string
	for _, m := range some(10, prefix) {
		ids = append(ids, m.ID)
	}
	old, err := tx.Memories(ids...)
	if err != nil {
		return err
	}
	if _, err = tx.Relations(ids...); err != nil {
		return err
	}
	var lives, archived []brain.Memory
	var made []brain.Relation
	var actions []brain.Record
	for i, o := range old {
		was := o
		was.ID, was.Tier = fmt.Sprint("archived", i), tiers.ArchivedWorking
		o.Tier, o.PromotedFrom = tiers.ShortTerm, was.ID
		lives, archived = append(lives, o), append(archived, was)
		made = append(made, brain.Relation{From: was.ID, Type: brain.PromotedTo, To: o.ID})
		actions = append(actions, brain.Record{Kind: brain.ActionRecord, ID: was.ID})
	}
	return errors.Join(tx.PutLives(lives...), tx.PutMemories(archived...), tx.PutRelations(made...), tx.PutRecords(actions...))
}

// Whatever the order of writes, the outcome is that of doing one after another.
func TestWritesKeepTheirOrder(t *testing.T) {
	s := openTest(t, fresh(t))
	m, other := some(1, "m")[0], some(1, "o")[0]
	r := brain.Relation{From: m.ID, Type: "t", To: other.ID}
	err := s.Update(t.Context(), func(tx brain.Tx) error {
		changed := m
		changed.Energy = 7
		return errors.Join(tx.PutMemories(m, other), tx.PutRelations(r), tx.DeleteRelations(r), tx.PutRelations(r),
			tx.DeleteNodes(m.ID), tx.PutMemories(m), tx.PutLives(changed), tx.PutRelations(r), tx.PutMemories(changed),
			tx.DeleteNodes(other.ID), tx.PutMemories(other))
	})
	if err != nil {
		t.Fatal(err)
	}
	err = s.View(t.Context(), func(rd brain.Reader) error {
		ms, err := rd.Memories(m.ID, other.ID)
		rs, err2 := rd.Relations(m.ID)
		if len(ms) != 2 || ms[0].Energy != 7 || len(rs) != 0 {
			t.Errorf("memories %v and relations %v; want both, energy 7 and none", ms, rs)
		}
		return errors.Join(err, err2)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A record that several look for at once and none finds is made once: the
// others wait, or run again, and see it.
func TestWhatSeveralMissIsMadeOnce(t *testing.T) {
	name := fresh(t)
	var group errgroup.Group
	for range 8 {
		s := openTest(t, name)
		group.Go(func() error { return s.Update(t.Context(), countUp) })
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	s := openTest(t, name)
	if rows := cypher(t, s, "MATCH (n:UseEvent {brain: $brain}) RETURN n.n", nil).Rows; len(rows) != 1 || rows[0][0] != int64(8) {
		t.Errorf("records with the counts %v, want one with 8", rows)
	}
	cypher(t, s, "MATCH (n:UseEvent {brain: $brain}) DELETE n", nil)
}

func countUp(tx brain.Tx) error {
	rs, err := tx.Records(brain.UseEventRecord, "counter")
	if err != nil {
		return err
	}
	var body struct {
		N int `json:"n"`
	}
	if len(rs) > 0 {
		if err := json.Unmarshal(rs[0].Body, &body); err != nil {
			return err
		}
	}
	body.N++
	raw, err := json.Marshal(body)
	return errors.Join(err, tx.PutRecords(brain.Record{Kind: brain.UseEventRecord, ID: "counter", Body: raw}))
}
