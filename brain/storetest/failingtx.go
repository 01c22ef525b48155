package storetest

import (
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
)

// failingReader counts every read and lets one fail.
type failingReader struct {
	r    brain.Reader
	call func(name string) error
}

// failingTx counts every read and write and lets one fail.
type failingTx struct {
	brain.Reader
	tx   brain.Tx
	call func(name string) error
}

var (
	_ brain.Reader = (*failingReader)(nil)
	_ brain.Tx     = (*failingTx)(nil)
)

// reads does a read unless its call fails, and writes a write.
func reads[T any](call func(string) error, name string, read func() (T, error)) (T, error) {
	if err := call(name); err != nil {
		var none T
		return none, err
	}
	return read()
}

func writes[T any](call func(string) error, name string, write func(...T) error, values []T) error {
	if err := call(name); err != nil {
		return err
	}
	return write(values...)
}

func (w *failingReader) Memories(ids ...string) ([]brain.Memory, error) {
	return reads(w.call, "Memories", func() ([]brain.Memory, error) { return w.r.Memories(ids...) })
}

func (w *failingReader) MemoriesByEntity(keys ...string) ([]brain.Memory, error) {
	return reads(w.call, "MemoriesByEntity", func() ([]brain.Memory, error) { return w.r.MemoriesByEntity(keys...) })
}

func (w *failingReader) Entities() ([]brain.Memory, error) {
	return reads(w.call, "Entities", w.r.Entities)
}

func (w *failingReader) MemoriesByName(keys []string, limit int) ([]brain.Memory, error) {
	return reads(w.call, "MemoriesByName", func() ([]brain.Memory, error) { return w.r.MemoriesByName(keys, limit) })
}

func (w *failingReader) MemoriesByText(keys ...string) ([]brain.Memory, error) {
	return reads(w.call, "MemoriesByText", func() ([]brain.Memory, error) { return w.r.MemoriesByText(keys...) })
}

func (w *failingReader) Matching(limit int, prefixes ...string) ([]string, error) {
	return reads(w.call, "Matching", func() ([]string, error) { return w.r.Matching(limit, prefixes...) })
}

func (w *failingReader) Strongest(fs ...brain.ListFilter) ([]brain.Memory, error) {
	return reads(w.call, "Strongest", func() ([]brain.Memory, error) { return w.r.Strongest(fs...) })
}

func (w *failingReader) Due(now time.Time) ([]brain.Due, error) {
	return reads(w.call, "Due", func() ([]brain.Due, error) { return w.r.Due(now) })
}

func (w *failingReader) Freshest(fs ...brain.FreshFilter) ([]brain.Memory, error) {
	return reads(w.call, "Freshest", func() ([]brain.Memory, error) { return w.r.Freshest(fs...) })
}

func (w *failingReader) Proven(verdicts int, share float64) ([]string, error) {
	return reads(w.call, "Proven", func() ([]string, error) { return w.r.Proven(verdicts, share) })
}

func (w *failingReader) Idle(f brain.IdleFilter) ([]brain.Memory, error) {
	return reads(w.call, "Idle", func() ([]brain.Memory, error) { return w.r.Idle(f) })
}

func (w *failingReader) Written(after string, limit int) ([]brain.Memory, string, error) {
	if err := w.call("Written"); err != nil {
		return nil, "", err
	}
	return w.r.Written(after, limit)
}

func (w *failingReader) Counts(now time.Time) (brain.Counts, error) {
	return reads(w.call, "Counts", func() (brain.Counts, error) { return w.r.Counts(now) })
}

func (w *failingReader) CountBy(g brain.Group) (map[string]int, error) {
	return reads(w.call, "CountBy", func() (map[string]int, error) { return w.r.CountBy(g) })
}

func (w *failingReader) Survey(now, stale time.Time) (brain.Survey, error) {
	return reads(w.call, "Survey", func() (brain.Survey, error) { return w.r.Survey(now, stale) })
}

func (w *failingReader) Sources(ids ...string) ([]brain.Source, error) {
	return reads(w.call, "Sources", func() ([]brain.Source, error) { return w.r.Sources(ids...) })
}

func (w *failingReader) SourcesByKey(keys ...string) ([]brain.Source, error) {
	return reads(w.call, "SourcesByKey", func() ([]brain.Source, error) { return w.r.SourcesByKey(keys...) })
}

func (w *failingReader) SourcesByFile(dir string, files ...string) ([]brain.Source, error) {
	return reads(w.call, "SourcesByFile", func() ([]brain.Source, error) { return w.r.SourcesByFile(dir, files...) })
}

func (w *failingReader) SourcesByTitle(keys []string, limit int) ([]brain.Source, error) {
	return reads(w.call, "SourcesByTitle", func() ([]brain.Source, error) { return w.r.SourcesByTitle(keys, limit) })
}

func (w *failingReader) ListSources(f brain.SourceFilter) ([]brain.Source, error) {
	return reads(w.call, "ListSources", func() ([]brain.Source, error) { return w.r.ListSources(f) })
}

func (w *failingReader) Sections(ids ...string) ([]brain.Section, error) {
	return reads(w.call, "Sections", func() ([]brain.Section, error) { return w.r.Sections(ids...) })
}

func (w *failingReader) SectionsByFile(dir string, files ...string) ([]brain.Section, error) {
	return reads(w.call, "SectionsByFile", func() ([]brain.Section, error) { return w.r.SectionsByFile(dir, files...) })
}

func (w *failingReader) Relations(ids ...string) ([]brain.Relation, error) {
	return reads(w.call, "Relations", func() ([]brain.Relation, error) { return w.r.Relations(ids...) })
}

func (w *failingReader) Records(kind brain.RecordKind, ids ...string) ([]brain.Record, error) {
	return reads(w.call, "Records", func() ([]brain.Record, error) { return w.r.Records(kind, ids...) })
}

func (w *failingReader) RecordsByOwner(kind brain.RecordKind, owners ...string) ([]brain.Record, error) {
	return reads(w.call, "RecordsByOwner", func() ([]brain.Record, error) { return w.r.RecordsByOwner(kind, owners...) })
}

func (w *failingReader) RecordsByKey(kind brain.RecordKind, keys ...string) ([]brain.Record, error) {
	return reads(w.call, "RecordsByKey", func() ([]brain.Record, error) { return w.r.RecordsByKey(kind, keys...) })
}

func (w *failingReader) LatestRecords(kind brain.RecordKind, before time.Time, limit int) ([]brain.Record, error) {
	return reads(w.call, "LatestRecords", func() ([]brain.Record, error) { return w.r.LatestRecords(kind, before, limit) })
}

func (w *failingReader) Search(q brain.SearchQuery) ([]brain.Hit, error) {
	return reads(w.call, "Search", func() ([]brain.Hit, error) { return w.r.Search(q) })
}

func (w *failingReader) SharingWords(project string, limit int, terms ...string) ([]brain.Scored, error) {
	return reads(w.call, "SharingWords", func() ([]brain.Scored, error) { return w.r.SharingWords(project, limit, terms...) })
}

func (w *failingReader) StandIns(terms ...string) ([]words.StandIn, error) {
	return reads(w.call, "StandIns", func() ([]words.StandIn, error) { return w.r.StandIns(terms...) })
}

func (w *failingReader) Statistics(transcripts bool, terms ...string) (brain.Statistics, error) {
	return reads(w.call, "Statistics", func() (brain.Statistics, error) { return w.r.Statistics(transcripts, terms...) })
}

func (w *failingReader) Passages(ids ...string) ([]brain.Passage, error) {
	return reads(w.call, "Passages", func() ([]brain.Passage, error) { return w.r.Passages(ids...) })
}

func (w *failingReader) Neighbours(reach int, of ...brain.Passage) ([]brain.Passage, error) {
	return reads(w.call, "Neighbours", func() ([]brain.Passage, error) { return w.r.Neighbours(reach, of...) })
}

func (w *failingTx) PutMemories(ms ...brain.Memory) error {
	return writes(w.call, "PutMemories", w.tx.PutMemories, ms)
}

func (w *failingTx) PutLives(ms ...brain.Memory) error {
	return writes(w.call, "PutLives", w.tx.PutLives, ms)
}

func (w *failingTx) DeleteMemories(ids ...string) error {
	return writes(w.call, "DeleteMemories", w.tx.DeleteMemories, ids)
}

func (w *failingTx) PutSources(ss ...brain.Source) error {
	return writes(w.call, "PutSources", w.tx.PutSources, ss)
}

func (w *failingTx) DeleteSources(ids ...string) error {
	return writes(w.call, "DeleteSources", w.tx.DeleteSources, ids)
}

func (w *failingTx) PutSections(ss ...brain.Section) error {
	return writes(w.call, "PutSections", w.tx.PutSections, ss)
}

func (w *failingTx) DeleteSections(ids ...string) error {
	return writes(w.call, "DeleteSections", w.tx.DeleteSections, ids)
}

func (w *failingTx) PutRelations(rs ...brain.Relation) error {
	return writes(w.call, "PutRelations", w.tx.PutRelations, rs)
}

func (w *failingTx) DeleteRelations(rs ...brain.Relation) error {
	return writes(w.call, "DeleteRelations", w.tx.DeleteRelations, rs)
}

func (w *failingTx) PutRecords(rs ...brain.Record) error {
	return writes(w.call, "PutRecords", w.tx.PutRecords, rs)
}

func (w *failingTx) DeleteRecords(kind brain.RecordKind, ids ...string) error {
	return writes(w.call, "DeleteRecords", func(ids ...string) error { return w.tx.DeleteRecords(kind, ids...) }, ids)
}

func (w *failingReader) VectorModel() (string, error) {
	return reads(w.call, "VectorModel", w.r.VectorModel)
}

func (w *failingReader) VectorCounts(model string) (brain.VectorCounts, error) {
	return reads(w.call, "VectorCounts", func() (brain.VectorCounts, error) { return w.r.VectorCounts(model) })
}

func (w *failingReader) Unembedded(model string, limit int) ([]brain.Passage, error) {
	return reads(w.call, "Unembedded", func() ([]brain.Passage, error) { return w.r.Unembedded(model, limit) })
}

func (w *failingReader) Nearest(v brain.Vector, q brain.SearchQuery) (brain.Nearest, error) {
	return reads(w.call, "Nearest", func() (brain.Nearest, error) { return w.r.Nearest(v, q) })
}

func (w *failingReader) Cosines(v brain.Vector, ids ...string) (map[string]float64, error) {
	return reads(w.call, "Cosines", func() (map[string]float64, error) { return w.r.Cosines(v, ids...) })
}

func (w *failingTx) PutVectors(model string, es ...brain.Embedded) error {
	return writes(w.call, "PutVectors", func(es ...brain.Embedded) error { return w.tx.PutVectors(model, es...) }, es)
}
