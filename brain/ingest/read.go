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

func read(r brain.Reader, b batch) (facts, error) {
	var ids, hashes []string
	for _, n := range b.notes {
		for _, o := range n.Outcomes {
			hashes = append(hashes, o.Key, o.memory().ContentHash)
			if o.ID != "" {
				ids = append(ids, o.ID, brain.OutcomeMemoryID(o.ID))
			}
		}
	}
	l := &lookups{Reader: r}
	f := facts{timeline: l.timeline(), outcomes: readOutcomes(l, b)}
	a := affectedBy(b, f.outcomes)
	f.memoryOf = l.memoryIDs(slices.Concat(slices.Sorted(maps.Keys(a.changing)), slices.Sorted(maps.Keys(a.followed))))
	f.memories = brain.ByID(lifecycle.Get(&l.err, r.Memories, a.memories(f.memoryOf)...))
	f.forgotten, f.taken = l.forgotten(hashes), l.taken(ids)
	sections := lifecycle.Get(&l.err, func(files ...string) ([]brain.Section, error) { return r.SectionsByFile(b.dir, files...) }, b.fileNames()...)
	f.sections = index(sections, func(s brain.Section) string { return s.Key })
	return f, l.err
}

// fileNames returns the files of a batch that were read or are gone.
func (b batch) fileNames() []string {
	files := make([]string, 0, len(b.notes))
	for _, n := range b.notes {
		files = append(files, n.File)
	}
	return files
}

func readOutcomes(l *lookups, b batch) outcomes {
	var keys, titles []string
	for _, n := range b.notes {
		for _, o := range n.Outcomes {
			keys = append(keys, o.Key)
			if o.TitleKey != "" {
				titles = append(titles, o.TitleKey)
			}
		}
	}
	held := lifecycle.Get(&l.err, l.SourcesByKey, keys...)
	inFiles := lifecycle.Get(&l.err, func(files ...string) ([]brain.Source, error) { return l.SourcesByFile(b.dir, files...) }, b.fileNames()...)
	for _, s := range inFiles {
		if s.Kind == brain.Reminder {
			titles = append(titles, s.TitleKey)
		}
	}
	withTitle := lifecycle.Get(&l.err, func(keys ...string) ([]brain.Source, error) { return l.SourcesByTitle(keys, lifecycle.FollowLimit) }, titles...)
	return outcomes{
		byKey:   index(append(held, inFiles...), func(s brain.Source) string { return s.Key }),
		byFile:  group(inFiles, func(s brain.Source) string { return s.File }),
		byTitle: group(withTitle, func(s brain.Source) string { return s.TitleKey }),
	}
}

// known returns the stored outcome with the identity of o.
func (s outcomes) known(b batch, file string, o NoteOutcome) (brain.Source, bool) {
	if own, ok := s.byKey[b.ownKey(file, o)]; ok {
		return own, true
	}
	known, ok := s.byKey[o.Key]
	return known, ok
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

// memories returns the ids of the memories that may change.
func (a affected) memories(memoryOf map[string]string) (ids []string) {
	for source, memory := range memoryOf {
		if a.changing[source] {
			ids = append(ids, memory)
		}
	}
	return ids
}
