package services

import (
	"context"
	"errors"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// Dry returns services whose changes are run and rolled back.
func Dry(s brain.Store, o Options) *Services {
	o.Archive = dryArchive{o.Archive}
	return New(dryStore{s}, o)
}

// Failing returns services of a store that could not be opened: all return err.
func Failing(err error, o Options) *Services { return New(failedStore{err: err}, o) }

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

// dryArchive drops its entries, because a dry run forgets nothing.
type dryArchive struct{ brain.Archive }

// Append writes nothing.
func (dryArchive) Append(context.Context, time.Time, []brain.Forgotten) (string, error) {
	return "", nil
}

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

func (s failedStore) Version(context.Context) (string, error) { return "", s.err }
