package ingest

import (
	"maps"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// facts is what the graph holds about a batch.
type facts struct {
	outcomes
	timeline  tiers.Timeline
	memoryOf  map[string]string        // ids of the memories of affected outcomes, by outcome
	memories  map[string]brain.Memory  // those of them that may change, by id
	sections  map[string]brain.Section // of the files, by key
	forgotten map[string]bool          // identities and content hashes with a tombstone
	taken     map[string]bool          // ids that the notes give and another node has
}

// outcomes are the stored outcomes that a batch may be about.
type outcomes struct {
	byKey   map[string]brain.Source   // with its identities, and all of its files
	byFile  map[string][]brain.Source // of its files
	byTitle map[string][]brain.Source // the latest ones with its titles
}

func read(r brain.Reader, b batch) (f facts, err error) {
	var ids, hashes []string
	for _, n := range b.notes {
		for _, o := range n.Outcomes {
			hashes = append(hashes, o.Key, o.memory().ContentHash)
			if o.ID != "" {
				ids = append(ids, o.ID, brain.OutcomeMemoryID(o.ID))
			}
		}
	}
	if f.timeline, err = lifecycle.Timeline(r); err != nil {
		return f, err
	}
	if f.outcomes, err = readOutcomes(r, b); err != nil {
		return f, err
	}
	if f.memoryOf, f.memories, err = readMemories(r, affectedBy(b, f.outcomes)); err != nil {
		return f, err
	}
	if f.forgotten, err = readForgotten(r, hashes); err != nil {
		return f, err
	}
	if f.taken, err = readTaken(r, ids); err != nil {
		return f, err
	}
	sections, err := r.SectionsByFile(b.dir, b.fileNames()...)
	f.sections = index(sections, func(s brain.Section) string { return s.Key })
	return f, err
}

// fileNames returns the files of a batch that were read or are gone.
func (b batch) fileNames() []string {
	files := make([]string, 0, len(b.notes))
	for _, n := range b.notes {
		files = append(files, n.File)
	}
	return files
}

func readOutcomes(r brain.SourceReader, b batch) (outcomes, error) {
	var keys, titles []string
	for _, n := range b.notes {
		for _, o := range n.Outcomes {
			keys = append(keys, o.Key)
			if o.TitleKey != "" {
				titles = append(titles, o.TitleKey)
			}
		}
	}
	held, err := r.SourcesByKey(keys...)
	if err != nil {
		return outcomes{}, err
	}
	inFiles, err := r.SourcesByFile(b.dir, b.fileNames()...)
	if err != nil {
		return outcomes{}, err
	}
	withTitle, err := r.SourcesByTitle(titles, lifecycle.FollowLimit)
	return outcomes{
		byKey:   index(append(held, inFiles...), func(s brain.Source) string { return s.Key }),
		byFile:  group(inFiles, func(s brain.Source) string { return s.File }),
		byTitle: group(withTitle, func(s brain.Source) string { return s.TitleKey }),
	}, err
}

// known returns the stored outcome with the identity of o.
func (s outcomes) known(b batch, file string, o NoteOutcome) (brain.Source, bool) {
	if own, ok := s.byKey[b.ownKey(file, o)]; ok {
		return own, true
	}
	known, ok := s.byKey[o.Key]
	return known, ok
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

// affected holds the ids of stored outcomes whose memories a batch may use.
type affected struct {
	changing map[string]bool // those that differ from every outcome of their note
	followed map[string]bool // those that a new or changed outcome may follow
}

func affectedBy(b batch, stored outcomes) affected {
	a := affected{changing: map[string]bool{}, followed: map[string]bool{}}
	for _, n := range b.notes {
		if len(n.Outcomes) > 0 { // otherwise the outcomes can only be gone
			for _, s := range stored.byFile[n.File] {
				a.changing[s.ID] = true
			}
		}
		for _, o := range n.Outcomes {
			s, ok := stored.known(b, n.File, o)
			if ok && s.File != "" && sameText(b.source(s, n.File, o), s) {
				delete(a.changing, s.ID)
				continue
			}
			if ok {
				a.changing[s.ID] = true
			}
			if s, ok := latestBefore(o.Date, stored.byTitle[o.TitleKey]); ok {
				a.followed[s.ID] = true
			}
		}
	}
	return a
}

// readMemories returns the ids of the memories of affected outcomes, by outcome,
// and the memories of those that may change, by id.
func readMemories(r interface {
	brain.RelationReader
	brain.MemoryReader
}, a affected,
) (memoryOf map[string]string, memories map[string]brain.Memory, err error) {
	memoryOf, err = readMemoryIDs(r, slices.Concat(slices.Sorted(maps.Keys(a.changing)), slices.Sorted(maps.Keys(a.followed))))
	if err != nil {
		return nil, nil, err
	}
	var ids []string
	for source, memory := range memoryOf {
		if a.changing[source] {
			ids = append(ids, memory)
		}
	}
	held, err := r.Memories(ids...)
	return memoryOf, index(held, func(m brain.Memory) string { return m.ID }), err
}

// readMemoryIDs returns the ids of the memories of sources, by source.
func readMemoryIDs(r brain.RelationReader, sources []string) (map[string]string, error) {
	rels, err := r.Relations(sources...)
	memoryOf := map[string]string{}
	for _, rel := range rels {
		if rel.Type == brain.HasMemory {
			memoryOf[rel.From] = rel.To
		}
	}
	return memoryOf, err
}

// readForgotten returns which of these identities and content hashes have a
// tombstone.
func readForgotten(r brain.RecordReader, keys []string) (map[string]bool, error) {
	tombstones, err := r.RecordsByKey(brain.TombstoneRecord, keys...)
	forgotten := make(map[string]bool, len(tombstones))
	for _, t := range tombstones {
		forgotten[t.Key] = true
	}
	return forgotten, err
}

// readTaken returns which of these ids belong to a node.
func readTaken(r interface {
	brain.SourceReader
	brain.MemoryReader
}, ids []string,
) (map[string]bool, error) {
	taken := map[string]bool{}
	sources, err := r.Sources(ids...)
	if err != nil {
		return nil, err
	}
	memories, err := r.Memories(ids...)
	for _, s := range sources {
		taken[s.ID] = true
	}
	for _, m := range memories {
		taken[m.ID] = true
	}
	return taken, err
}
