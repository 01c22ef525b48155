package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

func brainCases() []testCase {
	return []testCase{
		{"no read sees another brain", brainReads},
		{"the same ids and keys live in two brains", brainSameIDs},
		{"no write touches another brain", brainWrites},
		{"a relation cannot end in another brain", brainRelations},
		{"better hits of another brain take no place", brainSearch},
		{"a lease is held in one brain alone", brainLeases},
		{"names of brains may be alike", brainNames},
	}
}

// everyRead has every method of brain.Reader, with arguments that find p.
func everyRead(p parcel) map[string]func(brain.Reader) (int, error) {
	return map[string]func(brain.Reader) (int, error){
		"Memories":         counter(func(r brain.Reader) ([]brain.Memory, error) { return r.Memories(p.memory.ID) }),
		"MemoriesByEntity": counter(func(r brain.Reader) ([]brain.Memory, error) { return r.MemoriesByEntity(p.memory.EntityKey) }),
		"Entities":         counter(brain.Reader.Entities),
		"MemoriesByName": counter(func(r brain.Reader) ([]brain.Memory, error) {
			return r.MemoriesByName([]string{p.memory.NameKey}, 9)
		}),
		"MemoriesByText":   counter(func(r brain.Reader) ([]brain.Memory, error) { return r.MemoriesByText(p.memory.TextKey()) }),
		"SharingWords":     counter(func(r brain.Reader) ([]brain.Scored, error) { return r.SharingWords(p.memory.Project, 9, "parcel") }),
		"Matching":         counter(func(r brain.Reader) ([]string, error) { return r.Matching(9, p.memory.ID[:8]) }),
		"Matching source":  counter(func(r brain.Reader) ([]string, error) { return r.Matching(9, p.source.ID[:8]) }),
		"Matching section": counter(func(r brain.Reader) ([]string, error) { return r.Matching(9, p.section.ID[:8]) }),
		"Strongest": counter(func(r brain.Reader) ([]brain.Memory, error) {
			return r.Strongest(brain.ListFilter{Tier: tiers.Working, Limit: 9})
		}),
		"Due": counter(func(r brain.Reader) ([]brain.Due, error) { return r.Due(Hours(99)) }),
		"Counts": func(r brain.Reader) (int, error) {
			c, err := r.Counts(Hours(99))
			return c.ByTier[tiers.Working], err
		},
		"Sources":        counter(func(r brain.Reader) ([]brain.Source, error) { return r.Sources(p.source.ID) }),
		"SourcesByKey":   counter(func(r brain.Reader) ([]brain.Source, error) { return r.SourcesByKey(p.source.Key) }),
		"SourcesByFile":  counter(func(r brain.Reader) ([]brain.Source, error) { return r.SourcesByFile(p.source.Dir, p.source.File) }),
		"SourcesByTitle": counter(func(r brain.Reader) ([]brain.Source, error) { return r.SourcesByTitle([]string{p.source.TitleKey}, 9) }),
		"ListSources":    counter(func(r brain.Reader) ([]brain.Source, error) { return r.ListSources(brain.SourceFilter{Limit: 9}) }),
		"Sections":       counter(func(r brain.Reader) ([]brain.Section, error) { return r.Sections(p.section.ID) }),
		"SectionsByFile": counter(func(r brain.Reader) ([]brain.Section, error) { return r.SectionsByFile(p.section.Dir, p.section.File) }),
		"Relations":      counter(func(r brain.Reader) ([]brain.Relation, error) { return r.Relations(p.memory.ID) }),
		"Records":        counter(func(r brain.Reader) ([]brain.Record, error) { return r.Records(p.record.Kind, p.record.ID) }),
		"RecordsByOwner": counter(func(r brain.Reader) ([]brain.Record, error) { return r.RecordsByOwner(p.record.Kind, p.record.Owner) }),
		"RecordsByKey":   counter(func(r brain.Reader) ([]brain.Record, error) { return r.RecordsByKey(p.record.Kind, p.record.Key) }),
		"LatestRecords":  counter(func(r brain.Reader) ([]brain.Record, error) { return r.LatestRecords(p.record.Kind, time.Time{}, 9) }),
		"Search memory": counter(func(r brain.Reader) ([]brain.Hit, error) {
			return r.Search(brain.SearchQuery{Words: words.Parse("parcel"), NoSections: true, Limit: 9})
		}),
		"Search as of": counter(func(r brain.Reader) ([]brain.Hit, error) {
			return r.Search(brain.SearchQuery{Words: words.Parse("parcel"), NoSections: true, AsOf: Hours(1), Limit: 9})
		}),
	}
}

func counter[T any](read func(brain.Reader) ([]T, error)) func(brain.Reader) (int, error) {
	return func(r brain.Reader) (int, error) {
		found, err := read(r)
		return len(found), err
	}
}

// finds checks that every read finds p n times.
func finds(b *db, p parcel, want int) {
	b.t.Helper()
	for name, read := range everyRead(p) {
		if got := view(b, read); got != want {
			b.t.Errorf("%s: %d found, want %d", name, got, want)
		}
		b.update(func(tx brain.Tx) error {
			got, err := read(tx)
			if got != want {
				b.t.Errorf("%s inside Update: %d found, want %d", name, got, want)
			}
			return err
		})
	}
}

func brainReads(t *testing.T, h harness) {
	mine, other := h.brain(t), h.brain(t)
	p := newParcel()
	mine.update(p.put)
	finds(mine, p, 1)
	finds(other, p, 0)
}

func brainSameIDs(t *testing.T, h harness) {
	mine, other := h.brain(t), h.brain(t)
	p := newParcel()
	mine.update(p.put)
	q := p
	q.memory.Project, q.source.Body, q.section.Heading = "other", "other", "other"
	q.record.Body = nil
	other.update(q.put)
	finds(mine, p, 1)
	finds(other, q, 1)
	same(t, "the one", p.whole(), p.in(mine))
	same(t, "the other", q.whole(), q.in(other))
}

func brainWrites(t *testing.T, h harness) {
	mine, other := h.brain(t), h.brain(t)
	p := newParcel()
	mine.update(p.put)
	other.update(p.remove)
	touched := p.memory
	touched.UseCount = 99
	other.putLives(touched)
	same(t, "after deletions and lives from another brain", p.whole(), p.in(mine))
	other.update(p.put)
	other.update(p.remove)
	finds(mine, p, 1)
	same(t, "after everything was stored and deleted in another brain", p.whole(), p.in(mine))
}

func brainRelations(t *testing.T, h harness) {
	mine, other := h.brain(t), h.brain(t)
	here, there := Memory("here"), Memory("there")
	mine.put(here)
	other.put(there)
	for _, r := range []brain.Relation{
		{From: here.ID, Type: "mentions", To: there.ID},
		{From: there.ID, Type: brain.Supersedes, To: here.ID},
	} {
		err := mine.Update(mine.ctx(), func(tx brain.Tx) error { return tx.PutRelations(r) })
		fails(t, r.Type, err, brain.ErrNotFound)
	}
	same(t, "relations", 0, len(mine.relations(here.ID, there.ID)))
}

func brainSearch(t *testing.T, h harness) {
	mine, other := h.brain(t), h.brain(t)
	weak := Memories(10, "one quokka among many other words of a long text about other animals")
	mine.put(weak...)
	other.put(Memories(300, "quokka quokka quokka", func(m *brain.Memory) { m.Name = "quokka" })...)
	got := hitIDs(mine.search(brain.SearchQuery{Words: words.Parse("quokka"), Limit: 10}))
	same(t, "hits", sorted(brain.IDs(weak)...), sorted(got...))
}

func brainLeases(t *testing.T, h harness) {
	mine, other := h.brain(t), h.brain(t)
	a := takes(mine, "consolidate")
	b := takes(other, "consolidate")
	works(t, "first release", a.Release())
	works(t, "second release", b.Release())
}

func brainNames(t *testing.T, h harness) {
	base := "t-" + NewID()
	names := []string{base, base + "2", base + "~test", base + " x", base + "_", base + "%", "T" + base[1:], base + "'\"\\é"}
	p := newParcel()
	dbs := make([]*db, len(names))
	for i, name := range names {
		dbs[i] = h.handle(t, name)
	}
	for i := range dbs {
		for j := range dbs {
			same(t, fmt.Sprintf("memories of %q", names[j]), i > j, len(dbs[j].memories(p.memory.ID)) == 1)
		}
		dbs[i].update(p.put)
	}
}
