package storetest

import (
	"errors"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
)

// kind is how nodes of one kind are made and how the store writes and reads them.
type kind[T any] struct {
	full   func(id string) T // with every field set but those of except
	bare   func(id string) T // with no field that may be empty
	except []string
	put    func(brain.Tx, ...T) error
	read   func(brain.Reader, ...string) ([]T, error)
	remove func(brain.Tx, ...string) error
}

// nodeCases are the promises that hold for nodes of every kind.
func nodeCases[T any](k kind[T]) []testCase {
	return []testCase{
		{"every field comes back, and what is empty stays empty", k.roundTrip},
		{"storing again replaces the whole node", k.replaced},
		{"ids give their order, and missing ones are left out", k.order},
		{"600 nodes and 3,000 ids at once", k.many},
	}
}

func (k kind[T]) roundTrip(t *testing.T, b *db) {
	ids := []string{brain.TestPrefix + NewID(), NewID()}
	want := []T{k.full(ids[0]), k.bare(ids[1])}
	allSet(t, want[0], k.except...)
	b.update(func(tx brain.Tx) error { return k.put(tx, want...) })
	for _, b := range []*db{b, b.again()} {
		got := ask(b, k.read, ids...)
		same(t, "nodes", want, got)
		for _, v := range got {
			utc(t, v)
		}
	}
}

func (k kind[T]) replaced(t *testing.T, b *db) {
	id := NewID()
	full, bare := k.full(id), k.bare(id)
	for _, puts := range [][]T{{full}, {bare}, {full, bare, full}} {
		b.update(func(tx brain.Tx) error { return k.put(tx, puts...) })
		same(t, "node", puts[len(puts)-1:], ask(b, k.read, id))
	}
}

func (k kind[T]) order(t *testing.T, b *db) {
	x, y, z := k.full(NewID()), k.full("a"), k.bare("b'\"%é")
	b.update(func(tx brain.Tx) error { return errors.Join(k.put(tx, y, z), k.put(tx, x), k.put(tx)) })
	read := func(r brain.Reader) error {
		got, err := k.read(r, "b'\"%é", "missing", "a", NewID())
		none, noneErr := k.read(r)
		same(t, "nodes", []T{z, y}, got)
		same(t, "nodes of no ids", 0, len(none))
		return errors.Join(err, noneErr)
	}
	works(t, "view", b.View(b.ctx(), read))
	b.update(func(tx brain.Tx) error { return errors.Join(read(tx), k.remove(tx, "missing"), k.remove(tx)) })
	works(t, "view", b.View(b.ctx(), read))
}

func (k kind[T]) many(t *testing.T, b *db) {
	ids := make([]string, 3000)
	var want []T
	for i := range ids {
		ids[i] = NewID()
		if i%4 == 0 && len(want) < 600 {
			want = append(want, k.bare(ids[i]))
		}
	}
	b.update(func(tx brain.Tx) error { return k.put(tx, want...) })
	same(t, "nodes", want, ask(b, k.read, ids...))
	b.update(func(tx brain.Tx) error {
		got, err := k.read(tx, ids...)
		same(t, "nodes in Update", len(want), len(got))
		return errors.Join(err, k.remove(tx, ids[4:]...))
	})
	same(t, "the one that is left", want[:1], ask(b, k.read, ids...))
}
