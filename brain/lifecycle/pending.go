package lifecycle

import (
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// Pending is a relation that waits until a memory has a name.
type Pending struct {
	brain.Record
	// From is a section, or the newest memory of a chain; "" if it no longer exists.
	From string
	Type string
}

// PendingBody is the body of the record of a pending relation.
type PendingBody struct {
	From string `json:"from"`
	Type string `json:"type"`
	Name string `json:"name"`
}

// PendingRecord returns the record of a relation that waits for a name.
func PendingRecord(from, relType, name string, at time.Time) (brain.Record, error) {
	key := brain.NameKey(name)
	return brain.NewRecord(brain.PendingRecord, brain.Hash(from, relType, key), from, key, at, PendingBody{from, relType, name})
}

// ReadPending returns the relations that wait for the names with these keys.
func ReadPending(r brain.Reader, nameKeys ...string) ([]Pending, error) {
	recs, err := r.RecordsByKey(brain.PendingRecord, nameKeys...)
	if err != nil {
		return nil, err
	}
	all := make([]Pending, 0, len(recs))
	for _, rec := range recs {
		body, err := brain.Body[PendingBody](rec)
		if err != nil {
			return nil, err
		}
		from, err := NewestNode(r, body.From)
		if err != nil {
			return nil, err
		}
		all = append(all, Pending{rec, from, body.Type})
	}
	return all, nil
}

// JoinPending returns the relations that waited for the names of new memories,
// each to the first memory with the name, and their records, which it deletes.
func JoinPending(tx brain.Tx, ms ...brain.Memory) (rels []brain.Relation, joined []brain.Record, err error) {
	rels, joined, err = ReadJoined(tx, ms...)
	Put(&err, DeleteRecords(tx), joined...)
	return rels, joined, err
}

// ReadJoined is [JoinPending] without the deletion.
func ReadJoined(r brain.Reader, ms ...brain.Memory) (rels []brain.Relation, joined []brain.Record, err error) {
	byName := map[string]string{}
	for _, m := range slices.Backward(ms) {
		byName[m.NameKey] = m.ID
	}
	pending, err := ReadPending(r, slices.Sorted(maps.Keys(byName))...)
	for _, p := range pending {
		joined = append(joined, p.Record)
		if to := byName[p.Key]; p.From != "" && p.From != to {
			rels = append(rels, brain.Relation{From: p.From, Type: p.Type, To: to})
		}
	}
	return rels, joined, err
}

// NewestNode returns the node at which a pending relation begins, see [Pending].
func NewestNode(r brain.Reader, id string) (string, error) {
	sections, err := r.Sections(id)
	if err != nil || len(sections) > 0 {
		return id, err
	}
	m, err := Newest(r, id)
	if errors.Is(err, brain.ErrNotFound) {
		return "", nil
	}
	return m.ID, err
}
