package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
)

// patience is how long the suite waits for a call that must end by itself. A
// test fails by it, and never passes by it.
const patience = time.Minute

func contextCases() []testCase {
	return []testCase{
		{"a cancelled context stores nothing", contextCancelled},
		{"a deadline that has passed stores nothing", contextDeadline},
		{"cancelling while fn runs stores nothing", contextCancelledInFn},
		{"reads of a cancelled context fail", contextCancelledInView},
		{"waiting for a lock ends with the context", contextWhileWaiting},
		{"the store goes on after cancelled calls", contextGoesOn},
	}
}

// everyCall returns the errors of all calls that take a context.
func everyCall(ctx context.Context, b *db, read func(brain.Reader) error, write func(brain.Tx) error) map[string]error {
	_, err := b.Lease(ctx, "consolidate", holder(), nobodyDead)
	return map[string]error{"View": b.View(ctx, read), "Update": b.Update(ctx, write), "Lease": err}
}

// refusesAll expects every call with ctx to fail with want and nothing to be
// stored.
func refusesAll(ctx context.Context, b *db, want error) {
	b.t.Helper()
	p := newParcel()
	for name, err := range everyCall(ctx, b, func(brain.Reader) error { return nil }, p.put) {
		fails(b.t, name, err, want)
	}
	same(b.t, "stored", contents{}, p.in(b))
}

func contextCancelled(t *testing.T, h harness) {
	b := h.brain(t)
	ctx, cancel := context.WithCancel(b.ctx())
	cancel()
	refusesAll(ctx, b, context.Canceled)
}

func contextDeadline(t *testing.T, h harness) {
	b := h.brain(t)
	ctx, cancel := context.WithDeadline(b.ctx(), time.Now().Add(-time.Second))
	defer cancel()
	refusesAll(ctx, b, context.DeadlineExceeded)
}

func contextCancelledInFn(t *testing.T, h harness) {
	b := h.brain(t)
	for name, after := range map[string]func(tx brain.Tx) error{
		"before the commit": func(brain.Tx) error { return nil },
		"before a read": func(tx brain.Tx) error {
			_, err := tx.Memories("any")
			return err
		},
		"before a write": func(tx brain.Tx) error { return tx.PutMemories(Memory("late")) },
	} {
		ctx, cancel := context.WithCancel(b.ctx())
		p := newParcel()
		err := b.Update(ctx, func(tx brain.Tx) error {
			if err := p.put(tx); err != nil {
				return err
			}
			cancel()
			return after(tx)
		})
		fails(t, "cancelled "+name, err, context.Canceled)
		same(t, "stored when cancelled "+name, contents{}, p.in(b))
		cancel()
	}
}

func contextCancelledInView(t *testing.T, h harness) {
	b, p := h.brain(t), newParcel()
	b.update(p.put)
	for name, read := range map[string]func(brain.Reader) error{
		"Memories":  func(r brain.Reader) error { _, err := r.Memories(p.memory.ID); return err },
		"Relations": func(r brain.Reader) error { _, err := r.Relations(p.memory.ID); return err },
		"Search": func(r brain.Reader) error {
			_, err := r.Search(brain.SearchQuery{Words: words.Parse("nowhere"), Limit: 9})
			return err
		},
	} {
		ctx, cancel := context.WithCancel(b.ctx())
		err := b.View(ctx, func(r brain.Reader) error {
			cancel()
			return read(r)
		})
		fails(t, name, err, context.Canceled)
	}
}

func contextWhileWaiting(t *testing.T, h harness) {
	b, p := h.brain(t), newParcel()
	b.update(p.put)
	for name, waiting := range map[string]*db{"the same handle": b, "another handle": b.again()} {
		b.update(func(tx brain.Tx) error {
			if _, err := tx.Memories(p.memory.ID); err != nil {
				return err
			}
			fails(t, name, waitsInVain(waiting, p.memory.ID), context.DeadlineExceeded)
			return nil
		})
	}
	same(t, "stored", p.whole(), p.in(b))
}

// waitsInVain tries for a moment to change something that another transaction has locked.
func waitsInVain(b *db, id string) error {
	ctx, cancel := context.WithTimeout(b.ctx(), 100*time.Millisecond)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		done <- b.Update(ctx, func(tx brain.Tx) error {
			ms, err := tx.Memories(id)
			if err != nil {
				return err
			}
			ms[0].UseCount++
			return tx.PutLives(ms...)
		})
	}()
	return ends(b.ctx(), done)
}

func contextGoesOn(t *testing.T, h harness) {
	b := h.brain(t)
	for range 20 { // more than a pool has connections
		ctx, cancel := context.WithCancel(b.ctx())
		_ = b.Update(ctx, func(tx brain.Tx) error { cancel(); return tx.PutMemories(Memory("x")) })
		_ = b.View(ctx, func(brain.Reader) error { return nil })
	}
	for range 3 {
		ctx, cancel := context.WithCancel(b.ctx())
		_ = b.View(ctx, func(r brain.Reader) error {
			cancel()
			_, err := r.Memories("x")
			return err
		})
	}
	p := newParcel()
	b.update(p.put)
	same(t, "stored", p.whole(), p.in(b))
}
