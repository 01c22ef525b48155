package storetest

import (
	"context"
	"errors"
	"os"
	"sync/atomic"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
)

func leaseCases() []testCase {
	return []testCase{
		{"the second taker learns who holds it, until it is released; other names and brains are free", leaseHeld},
		{"of a dead holder a lease is taken over, and a late release does not free it", leaseDead},
		{"a lease outlives the context of its taking", leaseContext},
		{"of 12 takers exactly one gets it", leaseRace},
	}
}

func holder() brain.Holder {
	return brain.Holder{Host: "host-of-" + NewID()[:8], PID: os.Getpid(), Token: NewID()}
}

func nobodyDead(brain.Holder) bool { return false }

// takes takes a lease that must not be held.
func takes(b *db, name string) brain.Lease {
	b.t.Helper()
	return takesAs(b, name, holder(), nobodyDead)
}

// takesAs takes a lease that must not be held by a live holder.
func takesAs(b *db, name string, who brain.Holder, dead func(brain.Holder) bool) brain.Lease {
	b.t.Helper()
	l, err := b.Lease(b.ctx(), name, who, dead)
	if err != nil {
		b.t.Fatalf("lease %s: %v", name, err)
	}
	b.t.Cleanup(func() { _ = l.Release() })
	return l
}

// refused expects the lease to be held by want.
func refused(b *db, name string, want brain.Holder) {
	b.t.Helper()
	l, err := b.Lease(b.ctx(), name, holder(), nobodyDead)
	if err == nil {
		_ = l.Release()
	}
	var held *brain.HeldError
	if !errors.As(err, &held) || !errors.Is(err, brain.ErrBusy) {
		b.t.Fatalf("lease %s: error is %v, want a HeldError", name, err)
	}
	same(b.t, "name", name, held.Name)
	same(b.t, "holder", want, held.Holder)
	if held.Since.IsZero() {
		b.t.Errorf("lease %s: nothing says since when it is held", name)
	}
}

func leaseHeld(t *testing.T, b *db) {
	other, apart := b.again(), b.h.brain(t)
	for range 3 {
		first := holder()
		l := takesAs(b, "consolidate", first, nobodyDead)
		refused(b, "consolidate", first)
		refused(other, "consolidate", first)
		for _, name := range []string{"b", "a b", "a'\"%_", "Consolidate"} {
			works(t, "release of "+name, takes(other, name).Release())
		}
		works(t, "release in another brain", takes(apart, "consolidate").Release())
		select {
		case <-l.Lost():
			t.Error("the lease is lost though nobody else got it")
		default:
		}
		works(t, "release", l.Release())
		works(t, "release again", l.Release())
		works(t, "release of another handle", takes(other, "consolidate").Release())
	}
}

func leaseDead(t *testing.T, b *db) {
	first, second := holder(), holder()
	old := takesAs(b, "consolidate", first, nobodyDead)
	var asked atomic.Value
	l := takesAs(b.again(), "consolidate", second, func(h brain.Holder) bool {
		asked.Store(h)
		return true
	})
	same(t, "who was asked about", any(first), asked.Load())
	refused(b, "consolidate", second)
	_ = old.Release()
	refused(b, "consolidate", second)
	works(t, "release", l.Release())
	takes(b, "consolidate")
}

func leaseContext(t *testing.T, b *db) {
	ctx, cancel := context.WithCancel(b.ctx())
	who := holder()
	l, err := b.Lease(ctx, "consolidate", who, nobodyDead)
	cancel()
	if err != nil {
		t.Fatalf("lease: %v", err)
	}
	refused(b.again(), "consolidate", who)
	works(t, "release", l.Release())
	takes(b, "consolidate")
}

func leaseRace(t *testing.T, b *db) {
	var won atomic.Int64
	err := together(12, []*db{b, b.again()}, func(_ int, b *db) error {
		l, err := b.Lease(b.ctx(), "consolidate", holder(), nobodyDead)
		if err == nil {
			won.Add(1)
			t.Cleanup(func() { _ = l.Release() })
		}
		var held *brain.HeldError
		if errors.As(err, &held) {
			return nil
		}
		return err
	})
	works(t, "takers that neither got it nor learned who holds it", err)
	same(t, "winners", int64(1), won.Load())
}
