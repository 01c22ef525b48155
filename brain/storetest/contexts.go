package storetest

import (
	"context"
	"errors"
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
		{"an ended context stores nothing", contextEnded},
		{"cancelling while fn runs stores nothing, and the store goes on", contextCancelledInFn},
		{"reads of a cancelled context fail", contextCancelledInView},
		{"waiting for a lock ends with the context", contextWhileWaiting},
	}
}

// everyCall returns the errors of all calls that take a context.
func everyCall(ctx context.Context, b *db, read func(brain.Reader) error, write func(brain.Tx) error) map[string]error {
	_, err := b.Lease(ctx, "consolidate", holder(), nobodyDead)
	return map[string]error{"View": b.View(ctx, read), "Update": b.Update(ctx, write), "Lease": err}
}

func contextEnded(t *testing.T, b *db) {
	p := newParcel()
	cancelled, cancel := context.WithCancel(b.ctx())
	cancel()
	late, cancel := context.WithDeadline(b.ctx(), time.Now().Add(-time.Second))
	defer cancel()
	for ctx, want := range map[context.Context]error{cancelled: context.Canceled, late: context.DeadlineExceeded} {
		for name, err := range everyCall(ctx, b, func(brain.Reader) error { return nil }, p.put) {
			fails(t, name, err, want)
		}
	}
	same(t, "stored", contents{}, p.in(b))
}

func contextCancelledInFn(t *testing.T, b *db) {
	for name, after := range map[string]func(tx brain.Tx) error{
		"before the commit": func(brain.Tx) error { return nil },
		"before a read": func(tx brain.Tx) error {
			_, err := tx.Memories("any")
			return err
		},
		"before a write": func(tx brain.Tx) error { return tx.PutMemories(Memory("late")) },
	} {
		p := newParcel()
		for range 7 { // in all more than a pool has connections
			ctx, cancel := context.WithCancel(b.ctx())
			err := b.Update(ctx, func(tx brain.Tx) error {
				if err := p.put(tx); err != nil {
					return err
				}
				cancel()
				return after(tx)
			})
			fails(t, "cancelled "+name, err, context.Canceled)
		}
		same(t, "stored when cancelled "+name, contents{}, p.in(b))
		b.update(p.put)
		same(t, "stored afterwards", p.whole(), p.in(b))
	}
}

func contextCancelledInView(t *testing.T, b *db) {
	p := newParcel()
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

// contextWhileWaiting tries for a moment to change something that another transaction has locked.
func contextWhileWaiting(t *testing.T, b *db) {
	p := newParcel()
	b.update(p.put)
	for name, waiting := range map[string]*db{"the same handle": b, "another handle": b.again()} {
		b.update(func(tx brain.Tx) error {
			if _, err := tx.Memories(p.memory.ID); err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(b.ctx(), 100*time.Millisecond)
			defer cancel()
			done := make(chan error, 1)
			go func() { done <- waiting.Update(ctx, touch(p.memory.ID)) }()
			fails(t, name, ends(b.ctx(), done), context.DeadlineExceeded)
			return nil
		})
	}
	same(t, "stored", p.whole(), p.in(b))
}

// touch adds 1 to the uses of a memory.
func touch(id string) func(brain.Tx) error {
	return func(tx brain.Tx) error {
		ms, err := tx.Memories(id)
		if err != nil {
			return err
		}
		ms[0].UseCount++
		return tx.PutLives(ms...)
	}
}

// ends waits for a call that has to end by itself.
func ends(ctx context.Context, done <-chan error) error {
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(patience):
		return errors.New("the call did not end")
	}
}
