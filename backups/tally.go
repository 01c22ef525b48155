package backups

import (
	"github.com/zeebo/xxh3"

	"github.com/brainbridge/brainbridge/brain"
)

// tally counts what a store holds after it took in the pages of a dump. In one
// that is no snapshot sources and relations come again with the memories at
// them: they are known by hashes.
type tally struct {
	counts
	pages     counts               // as earlier versions counted: what came again twice
	sources   map[uint64]struct{}  // nil: nothing comes again
	relations map[uint64][2]uint64 // with the hashes of their ends
}

// snapshots is the kind of stores whose dumps are snapshots.
const snapshots = "sqlite"

func newTally(kind string) *tally {
	if kind == snapshots {
		return &tally{}
	}
	return &tally{sources: map[uint64]struct{}{}, relations: map[uint64][2]uint64{}}
}

func (t *tally) add(p brain.Page) {
	t.Memories += len(p.Memories) - len(p.Again)
	t.Sections += len(p.Sections)
	t.Records += len(p.Records)
	t.pages = counts{t.Memories, t.pages.Sources + len(p.Sources), t.Sections, t.pages.Relations + len(p.Relations), t.Records}
	if t.sources == nil {
		t.counts = t.pages
		return
	}
	t.takeBack(p.Again)
	for i := range p.Sources {
		t.sources[xxh3.HashString(p.Sources[i].ID)] = struct{}{}
	}
	for _, r := range p.Relations {
		t.relations[xxh3.HashString(r.From+" "+r.Type+" "+r.To)] = [2]uint64{xxh3.HashString(r.From), xxh3.HashString(r.To)}
	}
	t.Sources, t.Relations = len(t.sources), len(t.relations)
}

// takeBack leaves out the relations at memories that come again, or are gone.
func (t *tally) takeBack(ids []string) {
	if len(ids) == 0 {
		return
	}
	again := map[uint64]bool{}
	for _, id := range ids {
		again[xxh3.HashString(id)] = true
	}
	for key, ends := range t.relations {
		if again[ends[0]] || again[ends[1]] {
			delete(t.relations, key)
		}
	}
}
