package brain

import (
	"errors"
	"time"
)

// pendingBody is a relation that waits for a name.
type pendingBody struct {
	From string `json:"from"`
	Type string `json:"type"`
	Name string `json:"name"`
}

func pendingRecord(from, relType, name string, at time.Time) (Record, error) {
	key := NameKey(name)
	return newRecord(PendingRecord, Hash(from, relType, key), from, key, at, pendingBody{from, relType, name})
}

// joinPending returns the relations that waited for the name of a new memory,
// and takes them off the list.
func joinPending(tx Tx, ms ...Memory) ([]Relation, error) {
	byKey := map[string]string{}
	keys := make([]string, 0, len(ms))
	for _, m := range ms {
		if _, ok := byKey[m.NameKey]; !ok && !m.IsTest {
			byKey[m.NameKey] = m.ID
			keys = append(keys, m.NameKey)
		}
	}
	recs, err := tx.RecordsByKey(PendingRecord, keys...)
	if err != nil || len(recs) == 0 {
		return nil, err
	}
	var rels []Relation
	ids := make([]string, 0, len(recs))
	for _, rec := range recs {
		p, err := body[pendingBody](rec)
		if err != nil {
			return nil, err
		}
		ids = append(ids, rec.ID)
		from, err := mentioner(tx, p.From)
		if err != nil {
			return nil, err
		}
		if to := byKey[rec.Key]; from != "" && to != from {
			rels = append(rels, Relation{from, p.Type, to})
		}
	}
	return rels, tx.DeleteRecords(PendingRecord, ids...)
}

// mentioner is what a pending relation begins at now: a section, or the newest
// of a memory's chain; "" if it is gone.
func mentioner(r Reader, id string) (string, error) {
	sections, err := r.Sections(id)
	if err != nil || len(sections) > 0 {
		return id, err
	}
	found, err := resolve(r, id)
	if errors.Is(err, ErrNotFound) {
		return "", nil
	}
	return found.memory.ID, err
}
