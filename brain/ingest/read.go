package ingest

import (
	"maps"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// facts has the stored data that ingesting a batch depends on.
type facts struct {
	byKey     map[string]brain.Source   // stored outcomes with its identities, and all of its files
	byFile    map[string][]brain.Source // those of its files
	byTitle   map[string][]brain.Source // the latest ones with its titles
	policy    *tiers.Policy
	memoryOf  map[string]string         // ids of the memories of outcomes, by outcome
	memories  map[string]brain.Memory   // memories of outcomes with an identity or file of the batch, by id
	tellers   map[string][]brain.Source // all sources of these memories, by memory
	texts     lifecycle.Known           // memories with the texts of the batch
	sections  map[string]brain.Section  // of the files, by key
	forgotten map[string]bool           // identities and content hashes with a tombstone
	taken     map[string]bool           // ids that the notes give and another node has
}

func read(r brain.Reader, b batch) (f facts, err error) {
	if f.policy, err = brain.ReadPolicy(r); err != nil {
		return f, err
	}
	var files, ids, keys, hashes, titles, texts []string
	for _, n := range b.notes {
		files = append(files, n.File)
		for _, o := range n.Outcomes {
			m := o.Memory()
			keys, hashes, titles = append(keys, o.Key), append(hashes, o.Key, m.ContentHash), append(titles, o.TitleKey)
			texts = append(texts, b.textKey(m))
			if o.FormerKey != "" {
				keys = append(keys, o.FormerKey)
			}
			if o.ID != "" {
				ids = append(ids, o.ID, brain.OutcomeMemoryID(o.ID))
			}
		}
	}
	held := lifecycle.Get(&err, outcomesBy(r, brain.ByKey, ""), keys...)
	inFiles := lifecycle.Get(&err, outcomesBy(r, brain.ByFile, b.dir), files...)
	for _, s := range inFiles {
		if s.Kind == brain.Reminder {
			titles = append(titles, s.TitleKey)
		}
	}
	titles = slices.DeleteFunc(titles, func(title string) bool { return title == "" })
	withTitle := lifecycle.Get(&err, func(keys ...string) ([]brain.Source, error) {
		return lifecycle.WithTitle(r, lifecycle.FollowLimit, keys...)
	}, titles...)
	f.byKey = index(append(held, inFiles...), func(s brain.Source) string { return s.Key })
	f.byFile = group(inFiles, func(s brain.Source) string { return s.File })
	f.byTitle = group(withTitle, func(s brain.Source) string { return s.TitleKey })
	known := slices.Collect(maps.Values(f.byKey))
	if err == nil {
		f.memoryOf, err = lifecycle.MemoriesOf(r, sourceIDs(slices.Concat(append(slices.Collect(maps.Values(f.byTitle)), known)...))...)
	}
	memories := brain.Map(known, func(s brain.Source) string { return f.memoryOf[s.ID] })
	f.memories = brain.ByID(lifecycle.Get(&err, r.Memories, slices.DeleteFunc(memories, func(id string) bool { return id == "" })...))
	if err == nil {
		f.tellers, err = readTellers(r, f.memories)
	}
	if err == nil {
		f.texts, err = lifecycle.ReadKnown(r, texts...)
	}
	f.forgotten = keysOf(lifecycle.Get(&err, lifecycle.OfKindBy(r, brain.TombstoneRecord, brain.ByKey), hashes...))
	f.taken = set(sourceIDs(lifecycle.Get(&err, r.Sources, ids...)), brain.IDs(lifecycle.Get(&err, r.Memories, ids...)))
	sections := lifecycle.Get(&err, func(files ...string) ([]brain.Section, error) { return r.SectionsByFile(b.dir, files...) }, files...)
	f.sections = index(sections, func(s brain.Section) string { return s.Key })
	return f, err
}

func sourceIDs(sources []brain.Source) []string {
	return brain.Map(sources, func(s brain.Source) string { return s.ID })
}

// outcomesBy returns a read of outcomes, for [lifecycle.Get].
func outcomesBy(r brain.NodeReader, by brain.Key, dir string) func(...string) ([]brain.Source, error) {
	return func(keys ...string) ([]brain.Source, error) {
		return r.ListSources(brain.SourceFilter{By: by, Keys: keys, Dir: dir})
	}
}

// keysOf returns the keys of records.
func keysOf(recs []brain.Record) map[string]bool {
	return set(brain.Map(recs, func(rec brain.Record) string { return rec.Key }))
}

// readTellers returns all sources of memories, by memory.
func readTellers(r brain.Reader, memories map[string]brain.Memory) (map[string][]brain.Source, error) {
	rels, err := r.Relations(slices.Sorted(maps.Keys(memories))...)
	memoryOf := map[string]string{}
	for _, rel := range rels {
		if rel.Type == brain.HasMemory {
			memoryOf[rel.From] = rel.To
		}
	}
	tellers := map[string][]brain.Source{}
	for _, s := range lifecycle.Get(&err, r.Sources, slices.Sorted(maps.Keys(memoryOf))...) {
		tellers[memoryOf[s.ID]] = append(tellers[memoryOf[s.ID]], s)
	}
	return tellers, err
}

// textKey returns the text key of a memory of this brain that has no id yet.
func (b batch) textKey(m brain.Memory) string {
	m.ID = b.idPrefix
	return m.TextKey()
}
