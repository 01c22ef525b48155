package services

import (
	"context"
	"encoding/json"
	"iter"
	"maps"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// Dry returns services that read and decide, and write nothing.
func Dry(s brain.Store, o Options) *Services {
	o.Archive = dryArchive{o.Archive}
	return New(dryStore{s}, o)
}

// Failing returns services of a store that could not be opened: all return err.
func Failing(err error, o Options) *Services { return New(failedStore{err}, o) }

type dryStore struct{ brain.Store }

// Update runs fn for reading. Its writes go no further than its own reads by id. It fails on a
// store that could not be written.
func (s dryStore) Update(ctx context.Context, fn func(brain.Tx) error) error {
	if m, ok := s.Store.(brain.Migrator); ok {
		if err := m.Writable(); err != nil {
			return err
		}
	}
	return s.View(ctx, func(r brain.Reader) error {
		return fn(&dryTx{
			Reader: r, memories: map[string]brain.Memory{}, sources: map[string]brain.Source{}, records: map[brain.RecordKind]map[string]brain.Record{},
		})
	})
}

// Repair mends nothing.
func (dryStore) Repair(context.Context, func([]json.RawMessage) error) error { return nil }

// SetAside removes nothing.
func (dryStore) SetAside(context.Context, []brain.Unreadable, func([]json.RawMessage) error) error {
	return nil
}

// dryTx holds what a dry run would write.
type dryTx struct {
	brain.Reader
	memories map[string]brain.Memory
	sources  map[string]brain.Source
	records  map[brain.RecordKind]map[string]brain.Record
}

// Memories returns those of the store or what replaces them.
func (tx *dryTx) Memories(ids ...string) ([]brain.Memory, error) {
	return planned(ids, tx.memories, tx.Reader.Memories, func(m brain.Memory) string { return m.ID })
}

// Sources returns those of the store or what replaces them.
func (tx *dryTx) Sources(ids ...string) ([]brain.Source, error) {
	return planned(ids, tx.sources, tx.Reader.Sources, func(s brain.Source) string { return s.ID })
}

// Records returns those of the store or what replaces them.
func (tx *dryTx) Records(kind brain.RecordKind, ids ...string) ([]brain.Record, error) {
	read := func(ids ...string) ([]brain.Record, error) { return tx.Reader.Records(kind, ids...) }
	return planned(ids, tx.records[kind], read, func(r brain.Record) string { return r.ID })
}

// planned returns values by id, in the order of the ids: what would be written, else what is
// stored.
func planned[T any](ids []string, written map[string]T, read func(...string) ([]T, error), id func(T) string) ([]T, error) {
	stored, err := read(ids...)
	if err != nil || len(written) == 0 {
		return stored, err
	}
	byID := map[string]T{}
	for _, v := range stored {
		byID[id(v)] = v
	}
	maps.Copy(byID, written)
	var all []T
	for _, id := range brain.Unique(ids) {
		if v, ok := byID[id]; ok {
			all = append(all, v)
		}
	}
	return all, nil
}

// PutMemories completes and keeps them.
func (tx *dryTx) PutMemories(ms ...brain.Memory) error {
	for _, m := range ms {
		m.Complete()
		tx.memories[m.ID] = m
	}
	return nil
}

// PutLives keeps the memories with the lives.
func (tx *dryTx) PutLives(ms ...brain.Memory) error {
	lives := map[string]brain.Memory{}
	for _, m := range ms {
		lives[m.ID] = m
	}
	stored, err := tx.Memories(brain.IDs(ms)...)
	for _, m := range stored {
		life := lives[m.ID]
		m.SetLife(&life)
		tx.memories[m.ID] = m
	}
	return err
}

// PutSources keeps them.
func (tx *dryTx) PutSources(ss ...brain.Source) error {
	for _, s := range ss {
		tx.sources[s.ID] = s
	}
	return nil
}

// PutRecords keeps them.
func (tx *dryTx) PutRecords(rs ...brain.Record) error {
	for _, r := range rs {
		if tx.records[r.Kind] == nil {
			tx.records[r.Kind] = map[string]brain.Record{}
		}
		tx.records[r.Kind][r.ID] = r
	}
	return nil
}

// PutSections writes nothing.
func (*dryTx) PutSections(...brain.Section) error { return nil }

// DeleteNodes writes nothing.
func (*dryTx) DeleteNodes(...string) error { return nil }

// PutRelations writes nothing.
func (*dryTx) PutRelations(...brain.Relation) error { return nil }

// DeleteRelations writes nothing.
func (*dryTx) DeleteRelations(...brain.Relation) error { return nil }

// DeleteRecords writes nothing.
func (*dryTx) DeleteRecords(brain.RecordKind, ...string) error { return nil }

// PutVectors writes nothing.
func (*dryTx) PutVectors(string, ...brain.Embedded) error { return nil }

// dryArchive drops its entries, because a dry run forgets nothing.
type dryArchive struct{ brain.Archive }

// Append writes nothing.
func (dryArchive) Append(context.Context, time.Time, []brain.Forgotten) (string, error) {
	return "", nil
}

// failedStore is a store that could not be opened.
type failedStore struct{ err error }

// View fails.
func (s failedStore) View(context.Context, func(brain.Reader) error) error { return s.err }

// Update fails.
func (s failedStore) Update(context.Context, func(brain.Tx) error) error { return s.err }

// AwaitWriters fails.
func (s failedStore) AwaitWriters(context.Context) error { return s.err }

// Lease fails.
func (s failedStore) Lease(context.Context, string, brain.Holder, func(brain.Holder) bool) (brain.Lease, error) {
	return nil, s.err
}

// Dump fails.
func (s failedStore) Dump(context.Context, func(brain.Page) error) error { return s.err }

// Scan fails.
func (s failedStore) Scan(context.Context, bool, func(brain.Page) error) error { return s.err }

// Load fails.
func (s failedStore) Load(context.Context, iter.Seq2[brain.Page, error], func() error) error {
	return s.err
}

// Inspect fails.
func (s failedStore) Inspect(context.Context) ([]brain.Defect, error) { return nil, s.err }

// Repair fails.
func (s failedStore) Repair(context.Context, func([]json.RawMessage) error) error { return s.err }

// SetAside fails.
func (s failedStore) SetAside(context.Context, []brain.Unreadable, func([]json.RawMessage) error) error {
	return s.err
}

// Info is empty.
func (failedStore) Info() brain.StoreInfo { return brain.StoreInfo{} }

// Version fails.
func (s failedStore) Version(context.Context) (string, error) { return "", s.err }

// Close has nothing to close.
func (failedStore) Close() error { return nil }
