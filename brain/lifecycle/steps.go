package lifecycle

import (
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// Get returns the result of a read, unless an earlier step of the operation has failed. err
// is the error of the first step that fails.
func Get[K, V any](err *error, read func(...K) ([]V, error), keys ...K) (found []V) {
	if *err == nil {
		found, *err = read(keys...)
	}
	return found
}

// Put stores or deletes values, unless an earlier step has failed, see [Get].
func Put[V any](err *error, write func(...V) error, values ...V) {
	if *err == nil {
		*err = write(values...)
	}
}

// OfKind returns a read of records of one kind, for [Get].
func OfKind(kind brain.RecordKind, read func(brain.RecordKind, ...string) ([]brain.Record, error)) func(...string) ([]brain.Record, error) {
	return func(keys ...string) ([]brain.Record, error) { return read(kind, keys...) }
}

// OfKindBy is OfKind for records by a key.
func OfKindBy(r brain.RecordReader, kind brain.RecordKind, by brain.Key) func(...string) ([]brain.Record, error) {
	return func(values ...string) ([]brain.Record, error) {
		return r.ListRecords(kind, brain.RecordFilter{By: by, Keys: values})
	}
}

// PutRecord stores a record with v as its body.
func PutRecord(tx brain.RecordWriter, kind brain.RecordKind, id, owner, key string, at time.Time, v any) error {
	rec, err := brain.NewRecord(kind, id, owner, key, at, v)
	Put(&err, tx.PutRecords, rec)
	return err
}

// MemoriesOf returns the ids of the memories of sources, by source.
func MemoriesOf(r brain.RelationReader, sources ...string) (map[string]string, error) {
	rels, err := r.Relations(sources...)
	memories := map[string]string{}
	for _, rel := range rels {
		if rel.Type == brain.HasMemory {
			memories[rel.From] = rel.To
		}
	}
	return memories, err
}

// SourceIDs returns the ids of the sources of memories.
func SourceIDs(ms []brain.Memory) (ids []string) {
	for i := range ms {
		if id := ms[i].SourceNodeID; id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// DeleteRecords returns a function that deletes records, for [Put].
func DeleteRecords(tx brain.RecordWriter) func(...brain.Record) error {
	return func(recs ...brain.Record) (err error) {
		for _, rec := range recs {
			if err == nil {
				err = tx.DeleteRecords(rec.Kind, rec.ID)
			}
		}
		return err
	}
}

// FollowsType is the type of the relation between outcomes of one title.
const FollowsType = "follows"

// FollowLimit is the number of outcomes of one title that are searched for the one that
// a new one follows.
const FollowLimit = 8

// SameNameLimit is the maximum number of memories with one name that are compared with a
// text.
const SameNameLimit = 16

// PutLinks stores the changed lives, the relations and the records of actions.
func PutLinks(tx brain.Tx, actions ...brain.Action) (err error) {
	for _, a := range actions {
		for _, c := range a.Changes {
			Put(&err, tx.PutLives, *c.After)
		}
		Put(&err, DeleteRecords(tx), a.Removed...)
		Put(&err, tx.PutRecords, a.Made...)
		Put(&err, tx.DeleteRelations, a.Unlinked...)
		Put(&err, tx.PutRelations, a.Linked...)
	}
	return err
}
