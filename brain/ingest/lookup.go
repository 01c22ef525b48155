package ingest

import (
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// lookups reads facts one after the other. After its first error it reads no more.
type lookups struct {
	brain.Reader
	err error
}

func (l *lookups) timeline() (tl tiers.Timeline) {
	if l.err == nil {
		tl, l.err = lifecycle.Timeline(l)
	}
	return tl
}

// named reads the memories with these names, as keys, a few for each.
func (l *lookups) named(keys ...string) ([]brain.Memory, error) {
	return l.MemoriesByName(keys, lifecycle.SameNameLimit)
}

// memoryIDs returns the ids of the memories of sources, by source.
func (l *lookups) memoryIDs(sources []string) (memoryOf map[string]string) {
	if l.err == nil {
		memoryOf, l.err = lifecycle.MemoriesOf(l, sources...)
	}
	return memoryOf
}

// forgotten returns which of these identities and content hashes have a tombstone.
func (l *lookups) forgotten(keys []string) map[string]bool {
	forgotten := map[string]bool{}
	for _, t := range lifecycle.Get(&l.err, lifecycle.OfKind(brain.TombstoneRecord, l.RecordsByKey), keys...) {
		forgotten[t.Key] = true
	}
	return forgotten
}

// taken returns which of these ids belong to a node.
func (l *lookups) taken(ids []string) map[string]bool {
	taken := map[string]bool{}
	for _, s := range lifecycle.Get(&l.err, l.Sources, ids...) {
		taken[s.ID] = true
	}
	for _, m := range lifecycle.Get(&l.err, l.Memories, ids...) {
		taken[m.ID] = true
	}
	return taken
}

func index[V any](values []V, key func(V) string) map[string]V {
	byKey := make(map[string]V, len(values))
	for _, v := range values {
		byKey[key(v)] = v
	}
	return byKey
}

func group[V any](values []V, key func(V) string) map[string][]V {
	byKey := map[string][]V{}
	for _, v := range values {
		byKey[key(v)] = append(byKey[key(v)], v)
	}
	return byKey
}
