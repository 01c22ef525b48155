package corememory

import (
	"context"
	"fmt"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// entry is the state of one entry of the file. Its values are known by hashes: what
// a person wrote may hold a secret.
type entry struct {
	place
	Value string `json:"value"`          // in the file
	ID    string `json:"id,omitempty"`   // the memory; "": a person's entry, which the program ignores
	Text  string `json:"text,omitempty"` // hash of the memory's content then
	Hand  bool   `json:"hand,omitempty"` // a person wrote the value
}

// hash returns the hash of a value in the file; raw is "" for no value.
func hash(raw string) string { return brain.Hash("core value", raw) }

// matches reports whether the value in the file, "" for none, is the stored one.
func (e entry) matches(raw string) bool { return hash(raw) == e.Value }

// state is the state of the file in the store.
type state struct {
	Entries []entry `json:"entries"`
}

func (s state) at(p place) (entry, bool) {
	i := slices.IndexFunc(s.Entries, func(e entry) bool { return e.place == p })
	if i < 0 {
		return entry{}, false
	}
	return s.Entries[i], true
}

// ids returns the ids of the memories that have entries.
func (s state) ids() []string {
	var ids []string
	for _, e := range s.Entries {
		if e.ID != "" {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

func (s *state) put(e entry) {
	s.drop(e.place)
	s.Entries = append(s.Entries, e)
}

func (s *state) drop(p place) {
	s.Entries = slices.DeleteFunc(slices.Clone(s.Entries), func(e entry) bool { return e.place == p })
}

func stateID(host, path string) string { return brain.Hash("core file", host, path) }

// stateOf reads the state of the file of a machine.
func stateOf(ctx context.Context, store brain.Store, host, path string) (s state, err error) {
	err = store.View(ctx, func(r brain.Reader) error {
		found, err := brain.Bodies[state](r.Records(brain.CoreFileRecord, stateID(host, path)))
		s = append(found, state{})[0]
		return err
	})
	if err != nil {
		return s, fmt.Errorf("read the state of %s: %w", path, err)
	}
	return s, nil
}

func (k *Keeper) remember(ctx context.Context, s state) error {
	rec, err := brain.NewRecord(brain.CoreFileRecord, stateID(k.s.Host, k.s.Path), k.s.Host, "", k.s.Brain.Base.Now(), s)
	if err != nil {
		return err
	}
	return k.s.Brain.Base.Store.Update(ctx, func(tx brain.Tx) error { return tx.PutRecords(rec) })
}
