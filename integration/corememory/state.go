package corememory

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/services"
)

// entry is the state of one entry of the file. Its values are known by hashes: what
// a person wrote may hold a secret.
type entry struct {
	place
	Value  string `json:"value"`            // in the file
	Before string `json:"before,omitempty"` // before a writing that may be incomplete
	ID     string `json:"id,omitempty"`     // the memory; "": a person's entry, which the program ignores
	Text   string `json:"text,omitempty"`   // hash of the memory's content then
	Hand   bool   `json:"hand,omitempty"`   // a person wrote the value
}

// hash returns the hash of a value in the file; raw is "" for no value.
func hash(raw string) string { return brain.Hash("core value", raw) }

// matches reports whether the value in the file, "" for none, is the stored one.
func (e entry) matches(raw string) bool { return hash(raw) == e.Value || hash(raw) == e.Before }

// withoutSecrets redacts a value in JSON. Secrets in a text may be escaped, so it is
// decoded first.
func withoutSecrets(b *services.Services, key, raw string) string {
	text := brain.CoreContent(raw)
	clean, _ := b.Base.CoreWithoutSecrets(key, text)
	switch {
	case clean == text:
		return raw
	case json.Valid([]byte(clean)):
		return clean
	}
	return plaintext.Quote(clean)
}

// state is the state of the file in the store.
type state struct {
	Entries []entry `json:"entries"`
	Config  string  `json:"config,omitempty"` // memoryConfig as a run read it last
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

// settled returns the state after the file was written.
func (s state) written() state {
	s.Entries = slices.Clone(s.Entries)
	for i := range s.Entries {
		s.Entries[i].Before = ""
	}
	return s
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
