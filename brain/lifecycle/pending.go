package lifecycle

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// PendingNamedRelation is a relation that waits until a memory has a name.
type PendingNamedRelation struct {
	brain.Record
	// From is a section, or the newest memory of a chain; "" if it no longer exists.
	From string
	Type string
}

// PendingNamedBody is the body of the record of a pending relation.
type PendingNamedBody struct {
	From string `json:"from"`
	Type string `json:"type"`
	Name string `json:"name"`
}

// NewPendingRecord returns the record of a relation that waits for a name.
func NewPendingRecord(from, relType, name string, at time.Time) (brain.Record, error) {
	key := brain.NameKey(name)
	return brain.NewRecord(brain.PendingRecord, brain.Hash(from, relType, key), from, key, at, PendingNamedBody{from, relType, name})
}

// ReadPending returns the relations that wait for the names with these keys.
func ReadPending(r brain.Reader, nameKeys ...string) ([]PendingNamedRelation, error) {
	recs, bodies, err := brain.WithBodies[PendingNamedBody](r.ListRecords(brain.PendingRecord, brain.RecordFilter{By: brain.ByKey, Keys: nameKeys}))
	all := make([]PendingNamedRelation, 0, len(bodies))
	for i, body := range bodies {
		from, err := NewestNode(r, body.From)
		if err != nil {
			return nil, err
		}
		all = append(all, PendingNamedRelation{recs[i], from, body.Type})
	}
	return all, err
}

// JoinPending deletes the records of relations that waited for the names of new memories, and
// returns them with the relations to store. Of several memories with one name the first counts. A
// relation to itself, or from a memory that is gone, is only deleted.
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

// NewestNode returns the node at which a pending relation begins, see [PendingNamedRelation].
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

// graphOwner owns the pending relations of the knowledge graph, those with a name that no
// entity has. There are usually few, and they are always read together.
const graphOwner = "graph"

// pendingEntityBody is the body of such a relation.
type pendingEntityBody struct {
	FromName string `json:"fromName"`
	Type     string `json:"type"`
	Name     string `json:"name"`
	Made     int64  `json:"made"` // see [brain.Relation]
}

// PendingEntityRelation is a relation that waits for an entity, with its record.
type PendingEntityRelation struct {
	brain.EntityRelation
	Rec  brain.Record
	Made int64 // see [brain.Relation]
}

// NewPendingEntityRecord returns the record of a pending relation, see [brain.Relation] for
// made.
func NewPendingEntityRecord(r brain.EntityRelation, at time.Time, made int64) (brain.Record, error) {
	return brain.NewRecord(brain.PendingRecord, brain.Hash(graphOwner, r.From, r.RelationType, r.To), graphOwner,
		brain.EntityKey(r.To), at, pendingEntityBody{r.From, r.RelationType, r.To, made})
}

// PendingEntityRelations returns those of the knowledge graph in creation order.
func PendingEntityRelations(r brain.RecordReader) ([]PendingEntityRelation, error) {
	recs, bodies, err := brain.WithBodies[pendingEntityBody](r.ListRecords(brain.PendingRecord, brain.RecordFilter{By: brain.ByOwner, Keys: []string{graphOwner}}))
	all := make([]PendingEntityRelation, len(bodies))
	for i, w := range bodies {
		all[i] = PendingEntityRelation{brain.EntityRelation{From: w.FromName, To: w.Name, RelationType: w.Type}, recs[i], w.Made}
	}
	slices.SortStableFunc(all, func(a, b PendingEntityRelation) int {
		return cmp.Or(cmp.Compare(a.Made, b.Made), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To),
			cmp.Compare(a.RelationType, b.RelationType))
	})
	return all, err
}

// JoinPendingEntities creates the pending relations that only lacked these new entities.
func JoinPendingEntities(tx brain.Tx, ms []brain.Memory) error {
	waiting, err := PendingEntityRelations(tx)
	if err != nil || len(waiting) == 0 {
		return err
	}
	made := map[string]string{}
	for i := range ms {
		if ms[i].Entity && ms[i].EntityKey != "" {
			made[ms[i].Name] = ms[i].ID
		}
	}
	var names []string
	waiting = slices.DeleteFunc(waiting, func(w PendingEntityRelation) bool {
		ours := made[w.From] != "" || made[w.To] != ""
		if ours {
			names = append(names, w.From, w.To)
		}
		return !ours
	})
	held, err := FindEntities(tx, names)
	if err != nil {
		return err
	}
	id := func(name string) string { return cmp.Or(made[name], held[name].ID) }
	var rels []brain.Relation
	var gone []string
	for _, w := range waiting {
		if from, to := id(w.From), id(w.To); from != "" && to != "" {
			rels, gone = append(rels, brain.Relation{From: from, Type: w.RelationType, To: to, Made: w.Made}), append(gone, w.Rec.ID)
		}
	}
	err = tx.DeleteRecords(brain.PendingRecord, gone...)
	Put(&err, tx.PutRelations, rels...)
	return err
}
