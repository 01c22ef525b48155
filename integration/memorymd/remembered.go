package memorymd

import (
	"context"
	"reflect"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
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
	b, err := find("", string(text))
	if r.Prev == nil || err != nil || !b.Found {
		return r.State
	}
	inner := digest(b.inner(string(text)))
	if inner == r.Prev.Words && inner != r.State.Words {
		return *r.Prev
	}
	return r.State
}

func (c *Curator) id() string { return brain.Hash("memory file", c.s.Host, c.s.File.Path) }

func (c *Curator) remembered(ctx context.Context) (remembered, error) {
	found, err := lifecycle.Read(ctx, c.s.Brain.Base, func(r brain.Reader) ([]remembered, error) {
		return brain.Bodies[remembered](r.Records(brain.MemoryFileRecord, c.id()))
	})
	return append(found, remembered{})[0], brain.Wrap(err, "read the state of %s", c.s.File.Path)
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

// rememberState stores changes of the state that did not change the file.
func (g *curating) rememberState(ctx context.Context, st State) error {
	next := remembered{State: st, Closed: g.closes, At: g.was.At}
	if reflect.DeepEqual(next, g.was) {
		return nil
	}
	next.At = g.now
	return g.remember(ctx, next)
}
