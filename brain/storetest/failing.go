package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/brainbridge/brainbridge/brain"
)

// ErrInjected is the error of a call that a [Plan] lets fail.
var ErrInjected = errors.New("injected failure")

// Plan lists the failures of a [FailingStore]. Numbers count from 1, 0 means never, and
// each failure happens once.
type Plan struct {
	// FailAt is the call that returns [ErrInjected]. Counted are Lease, and twice each View
	// and Update: one fails before fn runs, and one after it ran, when an Update is rolled back.
	FailAt int
	// RetryCommit is the Update that is rolled back after fn ran and then runs
	// fn again, as after a deadlock.
	RetryCommit int
	// RepeatCommit is the Update that is committed and then runs fn again in a
	// second transaction, as after a lost connection.
	RepeatCommit int
	// UnknownCommit is the Update that is committed and returns
	// [brain.ErrUnavailable]: its caller cannot know.
	UnknownCommit int
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

// Failing wraps a store and lets it fail by plan. A test fails at each call in turn, until none fails.
func Failing(s brain.Store, plan Plan) *FailingStore { return &FailingStore{Store: s, plan: plan} }

// call counts a call and returns an error if it is the one that fails.
func (f *FailingStore) call(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.calls++; f.calls == f.plan.FailAt {
		return fmt.Errorf("call %d, %s: %w", f.calls, name, ErrInjected)
	}
	return nil
}

// commit counts an Update whose fn has run to its end.
func (f *FailingStore) commit() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.commits++
	return f.commits
}

// View implements [brain.Store].
func (f *FailingStore) View(ctx context.Context, fn func(brain.Reader) error) error {
	err := f.call("View")
	if err == nil {
		err = f.Store.View(ctx, fn)
	}
	if err == nil {
		err = f.call("the end of View")
	}
	return err
}

// errRetry rolls a transaction back that is to be run again.
var errRetry = errors.New("run again")

// Update implements [brain.Store].
func (f *FailingStore) Update(ctx context.Context, fn func(brain.Tx) error) error {
	if err := f.call("Update"); err != nil {
		return err
	}
	n := 0
	err := f.Store.Update(ctx, func(tx brain.Tx) error {
		if err := fn(tx); err != nil || n > 0 { // the store itself may run fn again
			return err
		}
		if n = f.commit(); n == f.plan.RetryCommit {
			return errRetry
		}
		return f.call("the commit")
	})
	switch {
	case errors.Is(err, errRetry), err == nil && n == f.plan.RepeatCommit:
		return f.Store.Update(ctx, fn)
	case err == nil && n == f.plan.UnknownCommit:
		return fmt.Errorf("commit %d: %w", n, brain.ErrUnavailable)
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
