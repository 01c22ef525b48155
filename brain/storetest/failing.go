package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/brainbridge/brainbridge/brain"
)

// ErrInjected is the error of a call that a [Plan] lets fail, if the plan
// names none.
var ErrInjected = errors.New("injected failure")

// Plan lists the failures of a [FailingStore]. Numbers count from 1, 0 means never, and
// each failure happens once.
type Plan struct {
	// FailAt is the call that returns Err before it does anything. Counted are
	// View, Update, Lease and every method of Reader and Tx, in the order in
	// which they are called. A transaction with a failed call is rolled back,
	// whatever fn makes of the error.
	FailAt int

	// FailCommit is the Update that is rolled back after fn ran: Err.
	FailCommit int
	// RetryCommit is the Update that is rolled back after fn ran and then runs
	// fn again, as after a deadlock.
	RetryCommit int
	// RepeatCommit is the Update that is committed and then runs fn again in a
	// second transaction, as after a lost connection.
	RepeatCommit int
	// UnknownCommit is the Update that is committed and returns
	// [brain.ErrUnavailable]: its caller cannot know.
	UnknownCommit int

	// Err is the error of a failure; nil is [ErrInjected].
	Err error
}

// FailingStore is a store that fails by plan, to show that callers lose
// nothing, store nothing twice and leave nothing half done. It is as safe for
// concurrent use as the store it wraps.
type FailingStore struct {
	brain.Store
	plan Plan

	mu      sync.Mutex
	calls   int
	commits int
}

var _ brain.Store = (*FailingStore)(nil)

// Failing wraps a store and lets it fail by plan. With an empty plan it only
// counts, so that a test can first count and then fail at each call:
//
//	counted := storetest.Failing(store, storetest.Plan{})
//	work(counted)
//	for n := 1; n <= counted.Calls(); n++ {
//		work(storetest.Failing(freshStore(), storetest.Plan{FailAt: n}))
//	}
func Failing(s brain.Store, plan Plan) *FailingStore {
	if plan.Err == nil {
		plan.Err = ErrInjected
	}
	return &FailingStore{Store: s, plan: plan}
}

// Calls returns the number of calls, including failed ones.
func (f *FailingStore) Calls() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls
}

// Commits returns the number of Updates whose fn ran to its end without an
// error; runs again are not counted.
func (f *FailingStore) Commits() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.commits
}

// call counts a call and returns an error if it is the one that fails.
func (f *FailingStore) call(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls++
	if f.calls != f.plan.FailAt {
		return nil
	}
	return fmt.Errorf("call %d, %s: %w", f.calls, name, f.plan.Err)
}

func (f *FailingStore) commit() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.commits++
	return f.commits
}

// View implements [brain.Store].
func (f *FailingStore) View(ctx context.Context, fn func(brain.Reader) error) error {
	if err := f.call("View"); err != nil {
		return err
	}
	return f.Store.View(ctx, func(r brain.Reader) error {
		return fn(&failingReader{r: r, call: f.call})
	})
}

// Update implements [brain.Store].
func (f *FailingStore) Update(ctx context.Context, fn func(brain.Tx) error) error {
	if err := f.call("Update"); err != nil {
		return err
	}
	n := 0
	err := f.Store.Update(ctx, func(tx brain.Tx) error {
		if err := f.run(tx, fn); err != nil {
			return err
		}
		if n == 0 { // the store itself may run fn again
			n = f.commit()
		}
		return f.beforeCommit(n)
	})
	switch {
	case errors.Is(err, errRetry):
		return f.again(ctx, fn)
	case err != nil || n == 0:
		return err
	case n == f.plan.RepeatCommit:
		return f.again(ctx, fn)
	case n == f.plan.UnknownCommit:
		return fmt.Errorf("commit %d: %w", n, brain.ErrUnavailable)
	}
	return nil
}

// errRetry rolls a transaction back that is to be run again.
var errRetry = errors.New("run again")

func (f *FailingStore) beforeCommit(n int) error {
	switch n {
	case f.plan.FailCommit:
		return fmt.Errorf("commit %d: %w", n, f.plan.Err)
	case f.plan.RetryCommit:
		return errRetry
	}
	return nil
}

func (f *FailingStore) again(ctx context.Context, fn func(brain.Tx) error) error {
	return f.Store.Update(ctx, func(tx brain.Tx) error { return f.run(tx, fn) })
}

// run runs fn on a transaction that is lost once a call of it has failed.
func (f *FailingStore) run(tx brain.Tx, fn func(brain.Tx) error) error {
	var failed error
	call := func(name string) error {
		err := f.call(name)
		if err != nil {
			failed = err
		}
		return err
	}
	err := fn(&failingTx{Reader: &failingReader{r: tx, call: call}, tx: tx, call: call})
	if err == nil {
		return failed
	}
	return err
}

// Lease implements [brain.Leaser].
func (f *FailingStore) Lease(
	ctx context.Context, name string, h brain.Holder, dead func(brain.Holder) bool,
) (brain.Lease, error) {
	if err := f.call("Lease"); err != nil {
		return nil, err
	}
	return f.Store.Lease(ctx, name, h, dead)
}
