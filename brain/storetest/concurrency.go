package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

func concurrencyCases() []testCase {
	return []testCase{
		{"writers over two handles lose no change of a memory, a source or a record", raceChanges},
		{"locks taken in any order do not deadlock", raceOrder},
		{"of 20 creators of an entity exactly one wins", raceEntity},
		{"of 8 writers that store a text unless it is there, one does", raceText},
		{"20 captures at once are 20 captures", raceCaptures},
		{"readers go on while others write", raceReaders},
		{"what a writer computes from numbers that change meanwhile is computed again", raceNumbers},
	}
}

// together runs n functions at once on the handles in turn and waits for all.
func together(n int, handles []*db, fn func(i int, b *db) error) error {
	var wg sync.WaitGroup
	errs := make([]error, n)
	for i := range n {
		wg.Go(func() { errs[i] = fn(i, handles[i%len(handles)]) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// counted runs 5 writers that each call step 10 times. step must add 1 to a
// counter; a marker makes it safe to repeat, as the contract demands.
func counted(b *db, step func(tx brain.Tx) error) {
	b.t.Helper()
	err := together(5, []*db{b, b.again()}, func(_ int, b *db) error {
		for range 10 {
			marker := Record(brain.UseEventRecord, "marker", "", Start)
			err := b.Update(b.ctx(), func(tx brain.Tx) error {
				done, err := tx.Records(marker.Kind, marker.ID)
				if err != nil || len(done) > 0 {
					return err
				}
				return errors.Join(step(tx), tx.PutRecords(marker))
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	works(b.t, "writers", err)
}

// raceChanges counts in all three in an order of each, so that the first read is the lock.
func raceChanges(t *testing.T, b *db) {
	m, s, rec := Memory("counter", InTier(tiers.Core)), OutcomeAt("d", "f", 0), Record(brain.CheckpointRecord, "", "", Start)
	rec.Body = json.RawMessage(`{"n":0}`)
	b.put(m)
	b.putSources(s)
	b.putRecords(rec)
	counted(b, touch(m.ID))
	counted(b, func(tx brain.Tx) error {
		ss, err := tx.Sources(s.ID)
		if err != nil {
			return err
		}
		ss[0].Line++
		return tx.PutSources(ss...)
	})
	counted(b, func(tx brain.Tx) error {
		rs, err := tx.Records(rec.Kind, rec.ID)
		if err != nil {
			return err
		}
		var body struct{ N int }
		if err := json.Unmarshal(rs[0].Body, &body); err != nil {
			return err
		}
		rs[0].Body = json.RawMessage(`{"n":` + strconv.Itoa(body.N+1) + `}`)
		return tx.PutRecords(rs...)
	})
	m.UseCount, s.Line, rec.Body = 50, 50, json.RawMessage(`{"n":50}`)
	same(t, "memory", m, b.memory(m.ID))
	same(t, "source", []brain.Source{s}, b.sources(s.ID))
	same(t, "record", []brain.Record{rec}, b.records(rec.Kind, rec.ID))
}

func raceOrder(t *testing.T, b *db) {
	ms := Memories(4, "locked")
	b.put(ms...)
	ids := brain.IDs(ms)
	var turn atomic.Int64
	counted(b, func(tx brain.Tx) error {
		n := int(turn.Add(1))
		got, err := tx.Memories(ids[n%4], ids[(n+3)%4], ids[(n+2)%4])
		if err != nil {
			return err
		}
		for i := range got {
			got[i].UseCount++
		}
		return tx.PutLives(got...)
	})
	sum := 0
	for _, m := range b.memories(ids...) {
		sum += m.UseCount
	}
	same(t, "sum of the counters", 3*50, sum)
}

func raceEntity(t *testing.T, b *db) {
	var won, lost atomic.Int64
	err := together(20, []*db{b, b.again()}, func(i int, b *db) error {
		m := Memory(fmt.Sprint("creator ", i), Entity("the subject"))
		err := b.Update(b.ctx(), func(tx brain.Tx) error {
			mine, err := tx.Memories(m.ID)
			if err != nil || len(mine) > 0 {
				return err
			}
			return tx.PutMemories(m)
		})
		switch {
		case err == nil:
			won.Add(1)
		case errors.Is(err, brain.ErrConflict):
			lost.Add(1)
		default:
			return err
		}
		return nil
	})
	works(t, "neither won nor a conflict", err)
	same(t, "winners", int64(1), won.Load())
	same(t, "losers", int64(19), lost.Load())
	same(t, "entities", 1, len(b.by(brain.ByEntity, Hash("the subject"))))
	same(t, "memories", 1, len(b.find("creator")))
}

func raceText(t *testing.T, b *db) {
	for round := range 5 {
		text := unnamed(fmt.Sprint("said by many ", round))
		err := together(8, []*db{b, b.again()}, func(_ int, b *db) error {
			m := text
			m.ID = NewID()
			return b.Update(b.ctx(), func(tx brain.Tx) error {
				stored, err := tx.ListMemories(brain.ListFilter{By: brain.ByText, Keys: []string{m.TextKey()}})
				if err != nil || len(stored) > 0 {
					return err
				}
				return tx.PutMemories(m)
			})
		})
		works(t, "writers", err)
		same(t, "memories", 1, len(byText(b, text)))
	}
}

func raceCaptures(t *testing.T, b *db) {
	parcels := make([]parcel, 20)
	for i := range parcels {
		parcels[i] = newParcel()
	}
	err := together(len(parcels), []*db{b, b.again(), b.again()}, func(i int, b *db) error {
		return b.Update(b.ctx(), parcels[i].put)
	})
	works(t, "captures", err)
	for _, p := range parcels {
		same(t, "capture", p.whole(), p.in(b))
	}
	same(t, "how many are found", 40, len(b.find("parcel")))
}

// raceReaders has two handles touch a memory while two others read it by id and by word.
func raceReaders(t *testing.T, b *db) {
	m := Memory("watched")
	b.put(m)
	err := together(4, []*db{b, b.again()}, func(i int, b *db) error {
		seen := 0
		for range 15 {
			if i < 2 {
				if err := b.Update(b.ctx(), touch(m.ID)); err != nil {
					return err
				}
				continue
			}
			var ms []brain.Memory
			var hits []brain.Hit
			err := b.View(b.ctx(), func(r brain.Reader) (err error) {
				if ms, err = r.Memories(m.ID); err != nil {
					return err
				}
				hits, err = r.Search(brain.SearchQuery{Words: words.Parse("watched"), Limit: 5})
				return err
			})
			if err != nil || len(ms) != 1 || len(hits) != 1 {
				return fmt.Errorf("%d memories and %d hits, want 1 of each: %w", len(ms), len(hits), err)
			}
			if ms[0].UseCount < seen {
				return fmt.Errorf("a counter went back from %d to %d", seen, ms[0].UseCount)
			}
			seen = ms[0].UseCount
		}
		return nil
	})
	works(t, "readers and writers", err)
}

// raceNumbers changes a number while a writer that has read the numbers goes on.
func raceNumbers(t *testing.T, b *db) {
	other := lifecycle.NewBase(b.again().Store, lifecycle.Options{Now: func() time.Time { return Hours(1) }})
	var changeErr error
	changed := make(chan struct{})
	change := sync.OnceFunc(func() {
		go func() {
			defer close(changed)
			changeErr = other.SetNumber(b.ctx(), "lambda.working", 0.1)
		}()
	})
	m := Memory("written meanwhile")
	b.update(func(tx brain.Tx) error {
		policy, err := brain.ReadPolicy(tx)
		if err != nil {
			return err
		}
		change()
		select { // the change must not be complete before this write is
		case <-changed:
		case <-time.After(time.Second):
		}
		m.State = policy.Start(tiers.Working, 1, 0, Hours(1))
		return tx.PutMemories(m)
	})
	<-changed
	works(t, "the change of the number", changeErr)
	policy := view(b, func(r brain.Reader) (*tiers.Policy, error) { return brain.ReadPolicy(r) })
	same(t, "lambda", 0.1, policy.Lambda.Working)
	stored := ask(b, brain.Reader.Memories, m.ID)[0]
	same(t, "expiry", policy.Start(tiers.Working, 1, 0, Hours(1)).ExpiresAt, stored.ExpiresAt)
}
