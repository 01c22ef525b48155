package app

import (
	"context"
	"errors"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// dryStore runs every change to its end and rolls it back, so that a dry run
// finds what the change would find, and stores nothing.
type dryStore struct{ brain.Store }

var errDry = errors.New("dry run")

// Update runs fn in a transaction that is rolled back.
func (s dryStore) Update(ctx context.Context, fn func(brain.Tx) error) error {
	err := s.Store.Update(ctx, func(tx brain.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return errDry
	})
	if errors.Is(err, errDry) {
		return nil
	}
	return err
}

// dryArchive keeps nothing: nothing is forgotten in a dry run.
type dryArchive struct{ brain.Archive }

// Append writes nothing.
func (dryArchive) Append(context.Context, time.Time, []brain.Forgotten) (string, error) {
	return "", nil
}

// failedStore stands for a store that could not be opened because of err.
type failedStore struct {
	brain.Store
	err error
}

// View fails.
func (s failedStore) View(context.Context, func(brain.Reader) error) error { return s.err }

// Update fails.
func (s failedStore) Update(context.Context, func(brain.Tx) error) error { return s.err }

// Lease fails.
func (s failedStore) Lease(context.Context, string, brain.Holder, func(brain.Holder) bool) (brain.Lease, error) {
	return nil, s.err
}

// Info is empty.
func (failedStore) Info() brain.StoreInfo { return brain.StoreInfo{} }
