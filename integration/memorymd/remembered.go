package memorymd

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// remembered is what the store keeps of the file. Prev is the state before a
// writing that may not have been completed.
type remembered struct {
	State State  `json:"state"`
	Prev  *State `json:"prev,omitempty"`
	// Closed is the last day whose outcomes the full form has, YYYY-MM-DD.
	Closed string    `json:"closed,omitempty"`
	At     time.Time `json:"at"` // of the writing
}

// of returns the state of a text. After a crash between the store and the file it
// is the previous one.
func (r remembered) of(text []byte) State {
	if r.Prev == nil {
		return r.State
	}
	b, err := find("", string(text))
	if err != nil || !b.Found {
		return r.State
	}
	inner := digest(string(b.Inner(text)))
	if inner == r.Prev.Words && inner != r.State.Words {
		return *r.Prev
	}
	return r.State
}

// id returns the name of the file on this machine in the store.
func (c *Curator) id() string { return brain.Hash("memory file", c.s.Host, c.s.File.Path) }

func (c *Curator) remembered(ctx context.Context) (r remembered, err error) {
	err = c.s.Brain.Base.Store.View(ctx, func(rd brain.Reader) error {
		found, err := brain.Bodies[remembered](rd.Records(brain.MemoryFileRecord, c.id()))
		r = append(found, remembered{})[0]
		return err
	})
	if err != nil {
		return r, fmt.Errorf("read the state of %s: %w", c.s.File.Path, err)
	}
	return r, nil
}

func (c *Curator) remember(ctx context.Context, r remembered) error {
	rec, err := c.record(r)
	if err != nil {
		return err
	}
	return c.s.Brain.Base.Store.Update(ctx, func(tx brain.Tx) error { return tx.PutRecords(rec) })
}

func (c *Curator) record(r remembered) (brain.Record, error) {
	return brain.NewRecord(brain.MemoryFileRecord, c.id(), c.s.Host, "", r.At, r)
}

// rememberState stores changes of the state that did not change the file: a memory that
// replaced another one, the day up to which the file is complete.
func (g *curating) rememberState(ctx context.Context, st State) error {
	next := remembered{State: st, Closed: g.closes, At: g.was.At}
	if reflect.DeepEqual(next, g.was) {
		return nil
	}
	next.At = g.now
	return g.remember(ctx, next)
}
