package storetest

import (
	"cmp"
	"context"
	"slices"
	"testing"

	"github.com/google/uuid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
)

// harness makes brains on one database.
type harness struct{ open Factory }

// brain opens a new brain.
func (h harness) brain(t testing.TB) *db {
	t.Helper()
	return h.handle(t, "t-"+uuid.NewString())
}

// handle opens one more handle on the brain of that name.
func (h harness) handle(t testing.TB, name string) *db {
	t.Helper()
	s := h.open(t, name)
	t.Cleanup(func() { _ = s.Close() })
	return &db{Store: s, t: t, h: h, name: name}
}

// db is one handle with shorthands that fail the test on an error.
type db struct {
	brain.Store
	t    testing.TB
	h    harness
	name string
}

// again opens one more handle on the same brain, as another process would.
func (b *db) again() *db {
	b.t.Helper()
	return b.h.handle(b.t, b.name)
}

func (b *db) ctx() context.Context { return b.t.Context() }

func (b *db) update(fn func(brain.Tx) error) {
	b.t.Helper()
	if err := b.Update(b.ctx(), fn); err != nil {
		b.t.Fatalf("update: %v", err)
	}
}

// view returns what fn reads.
func view[T any](b *db, fn func(brain.Reader) (T, error)) T {
	b.t.Helper()
	var got T
	err := b.View(b.ctx(), func(r brain.Reader) (err error) {
		got, err = fn(r)
		return err
	})
	if err != nil {
		b.t.Fatalf("view: %v", err)
	}
	return got
}

// ask calls a method of brain.Reader in a View.
func ask[A, T any](b *db, method func(brain.Reader, ...A) (T, error), args ...A) T {
	b.t.Helper()
	return view(b, func(r brain.Reader) (T, error) { return method(r, args...) })
}

// put stores memories, 1,000 a transaction.
func (b *db) put(ms ...brain.Memory) {
	b.t.Helper()
	for part := range slices.Chunk(ms, 1000) {
		b.update(func(tx brain.Tx) error { return tx.PutMemories(part...) })
	}
}

func (b *db) putLives(ms ...brain.Memory) {
	b.t.Helper()
	b.update(func(tx brain.Tx) error { return tx.PutLives(ms...) })
}

func (b *db) deleteMemories(ids ...string) {
	b.t.Helper()
	b.update(func(tx brain.Tx) error { return tx.DeleteNodes(ids...) })
}

func (b *db) putSources(ss ...brain.Source) {
	b.t.Helper()
	b.update(func(tx brain.Tx) error { return tx.PutSources(ss...) })
}

func (b *db) putSections(ss ...brain.Section) {
	b.t.Helper()
	b.update(func(tx brain.Tx) error { return tx.PutSections(ss...) })
}

func (b *db) deleteSections(ids ...string) {
	b.t.Helper()
	b.update(func(tx brain.Tx) error { return tx.DeleteNodes(ids...) })
}

func (b *db) putRelations(rs ...brain.Relation) {
	b.t.Helper()
	b.update(func(tx brain.Tx) error { return tx.PutRelations(rs...) })
}

func (b *db) putRecords(rs ...brain.Record) {
	b.t.Helper()
	b.update(func(tx brain.Tx) error { return tx.PutRecords(rs...) })
}

func (b *db) memories(ids ...string) []brain.Memory {
	b.t.Helper()
	return ask(b, brain.Reader.Memories, ids...)
}

// memory returns the memory with that id, which must be there.
func (b *db) memory(id string) brain.Memory {
	b.t.Helper()
	ms := b.memories(id)
	if len(ms) != 1 {
		b.t.Fatalf("memory %s: %d found, want 1", id, len(ms))
	}
	return ms[0]
}

func (b *db) sources(ids ...string) []brain.Source {
	b.t.Helper()
	return ask(b, brain.Reader.Sources, ids...)
}

func (b *db) sections(ids ...string) []brain.Section {
	b.t.Helper()
	return ask(b, brain.Reader.Sections, ids...)
}

func (b *db) relations(ids ...string) []brain.Relation {
	b.t.Helper()
	return ask(b, brain.Reader.Relations, ids...)
}

func (b *db) records(kind brain.RecordKind, ids ...string) []brain.Record {
	b.t.Helper()
	return view(b, func(r brain.Reader) ([]brain.Record, error) { return r.Records(kind, ids...) })
}

func (b *db) list(f brain.ListFilter) []string {
	b.t.Helper()
	return brain.IDs(ask(b, brain.Reader.ListMemories, f))
}

// by lists the memories with keys.
func (b *db) by(key brain.Key, keys ...string) []string {
	b.t.Helper()
	return b.list(brain.ListFilter{By: key, Keys: keys})
}

func (b *db) outcomes(f brain.SourceFilter) []brain.Source {
	b.t.Helper()
	return view(b, func(r brain.Reader) ([]brain.Source, error) { return r.ListSources(f) })
}

func (b *db) search(q brain.SearchQuery) []brain.Hit {
	b.t.Helper()
	q.Limit = cmp.Or(q.Limit, 50)
	return view(b, func(r brain.Reader) ([]brain.Hit, error) { return r.Search(q) })
}

// find searches for what a person types and returns the ids of the hits.
func (b *db) find(query string) []string {
	b.t.Helper()
	return hitIDs(b.search(brain.SearchQuery{Words: words.Parse(query)}))
}
