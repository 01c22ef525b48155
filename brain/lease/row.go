package lease

import (
	"context"
	"errors"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// Tx reads and writes leases in one transaction.
type Tx interface {
	brain.RecordReader
	brain.RecordWriter
	// Clock returns the time by the clock of the store.
	Clock() (time.Time, error)
}

// row is the record of a lease. At is the time at which it expires. Only the holder with
// its token changes it.
type row struct {
	keeper *Keeper
	name   string
	holder brain.Holder
}

// body is the body of the record.
type body struct {
	brain.Holder

	Since time.Time `json:"since"`
}

// read returns the holder of the lease and the time at which it expires, zero values for
// none and for a record that cannot be read: nobody could release it.
func (l row) read(tx Tx) (b body, until time.Time, err error) {
	rs, err := tx.Records(brain.LeaseRecord, l.name)
	if err != nil || len(rs) == 0 {
		return b, until, err
	}
	if b, err = brain.Body[body](rs[0]); err != nil {
		return body{}, until, nil
	}
	return b, rs[0].At, nil
}

// put stores the lease unless refuse returns an error for its present holder.
func (l row) put(ctx context.Context, refuse func(held body, expired bool) error) error {
	return l.keeper.update(ctx, func(tx Tx) error {
		held, until, err := l.read(tx)
		if err != nil {
			return err
		}
		now, err := tx.Clock()
		if err != nil {
			return err
		}
		if err := refuse(held, !now.Before(until)); err != nil {
			return err
		}
		since := now
		if held.Token == l.holder.Token {
			since = held.Since
		}
		r, err := brain.NewRecord(brain.LeaseRecord, l.name, "", "", now.Add(l.keeper.Lifetime), body{l.holder, since})
		if err != nil {
			return err
		}
		return tx.PutRecords(r)
	})
}

// take takes a lease that is free, has expired or belongs to a dead holder.
func (l row) take(ctx context.Context, dead func(brain.Holder) bool) error {
	return l.put(ctx, func(held body, expired bool) error {
		if expired || held.Token == l.holder.Token || dead != nil && dead(held.Holder) {
			return nil
		}
		return &brain.HeldError{Name: l.name, Holder: held.Holder, Since: held.Since}
	})
}

// held reports whether a holder has the lease that has not ended.
func (l row) held(ctx context.Context, dead func(brain.Holder) bool) (held bool, err error) {
	err = l.keeper.update(ctx, func(tx Tx) error {
		b, until, err := l.read(tx)
		if err != nil {
			return err
		}
		now, err := tx.Clock()
		held = now.Before(until) && !dead(b.Holder)
		return err
	})
	return held, err
}

// errLost: another holder has the lease.
var errLost = errors.New("the lease is lost")

func (l row) renew(ctx context.Context) error {
	return l.put(ctx, func(held body, _ bool) error {
		if held.Token != l.holder.Token {
			return errLost
		}
		return nil
	})
}

func (l row) remove() error {
	return l.keeper.update(context.Background(), func(tx Tx) error {
		held, _, err := l.read(tx)
		if err != nil || held.Token != l.holder.Token {
			return err
		}
		return tx.DeleteRecords(brain.LeaseRecord, l.name)
	})
}
