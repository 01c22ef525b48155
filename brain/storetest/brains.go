package storetest

import (
	"fmt"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

func brainCases() []testCase {
	return []testCase{
		{"no read sees another brain and no write touches it", brainsApart},
		{"a relation cannot end in another brain", brainRelations},
		{"better hits of another brain take no place", brainSearch},
		{"names of brains may be alike", brainNames},
	}
}

func outcomes(f brain.SourceFilter) func(brain.Reader) ([]string, error) {
	return ids(func(r brain.Reader) ([]brain.Source, error) { return r.ListSources(f) })
}

func keyed(by brain.Key, key string) func(brain.Reader) ([]string, error) {
	return ids(func(r brain.Reader) ([]brain.Memory, error) {
		return r.ListMemories(brain.ListFilter{By: by, Keys: []string{key}})
	})
}

// everyRead has every method of brain.Reader, with arguments that find p, and returns the
// ids of what it finds.
func everyRead(p parcel) map[string]func(brain.Reader) ([]string, error) {
	return map[string]func(brain.Reader) ([]string, error){
		"Memories":         ids(func(r brain.Reader) ([]brain.Memory, error) { return r.Memories(p.memory.ID) }),
		"entities":         ids(func(r brain.Reader) ([]brain.Memory, error) { return r.ListMemories(brain.ListFilter{Entities: true}) }),
		"by entity":        keyed(brain.ByEntity, p.memory.EntityKey),
		"by name":          keyed(brain.ByName, p.memory.NameKey),
		"by text":          keyed(brain.ByText, p.memory.TextKey()),
		"Matching":         ids(func(r brain.Reader) ([]string, error) { return r.Matching(9, p.memory.ID[:8]) }),
		"Matching source":  ids(func(r brain.Reader) ([]string, error) { return r.Matching(9, p.source.ID[:8]) }),
		"Matching section": ids(func(r brain.Reader) ([]string, error) { return r.Matching(9, p.section.ID[:8]) }),
		"ListMemories": ids(func(r brain.Reader) ([]brain.Memory, error) {
			return r.ListMemories(brain.ListFilter{Tier: tiers.Working, Limit: 9})
		}),
		"due": ids(func(r brain.Reader) ([]lifecycle.Due, error) { return lifecycle.ReadDue(r, Hours(99)) }),
		"Counts": ids(func(r brain.Reader) ([]int, error) {
			c, err := r.Counts(Hours(99))
			return make([]int, min(1, c.ByTier[tiers.Working])), err
		}),
		"Sources":          ids(func(r brain.Reader) ([]brain.Source, error) { return r.Sources(p.source.ID) }),
		"sources by key":   outcomes(brain.SourceFilter{By: brain.ByKey, Keys: []string{p.source.Key}}),
		"sources by file":  outcomes(brain.SourceFilter{By: brain.ByFile, Keys: []string{p.source.File}, Dir: p.source.Dir}),
		"sources by title": outcomes(brain.SourceFilter{By: brain.ByTitle, Keys: []string{p.source.TitleKey}}),
		"sources":          outcomes(brain.SourceFilter{Limit: 9}),
		"Sections":         ids(func(r brain.Reader) ([]brain.Section, error) { return r.Sections(p.section.ID) }),
		"SectionsByFile":   ids(func(r brain.Reader) ([]brain.Section, error) { return r.SectionsByFile(p.section.Dir, p.section.File) }),
		"Relations":        ids(func(r brain.Reader) ([]brain.Relation, error) { return r.Relations(p.memory.ID) }),
		"Records":          ids(func(r brain.Reader) ([]brain.Record, error) { return r.Records(p.record.Kind, p.record.ID) }),
		"records by owner": ids(func(r brain.Reader) ([]brain.Record, error) {
			return r.ListRecords(p.record.Kind, brain.RecordFilter{By: brain.ByOwner, Keys: []string{p.record.Owner}})
		}),
		"records by key": ids(func(r brain.Reader) ([]brain.Record, error) {
			return r.ListRecords(p.record.Kind, brain.RecordFilter{By: brain.ByKey, Keys: []string{p.record.Key}})
		}),
		"LatestRecords": ids(func(r brain.Reader) ([]brain.Record, error) {
			return r.ListRecords(p.record.Kind, brain.RecordFilter{Limit: 9})
		}),
		"Search memory": ids(func(r brain.Reader) ([]brain.Hit, error) {
			return r.Search(brain.SearchQuery{Words: words.Parse("parcel"), NoSections: true, Limit: 9})
		}),
		"Search as of": ids(func(r brain.Reader) ([]brain.Hit, error) {
			return r.Search(brain.SearchQuery{Words: words.Parse("parcel"), NoSections: true, AsOf: Hours(1), Limit: 9})
		}),
	}
}

func ids[T any](read func(brain.Reader) ([]T, error)) func(brain.Reader) ([]string, error) {
	return func(r brain.Reader) ([]string, error) {
		found, err := read(r)
		return brain.Map(found, func(v T) string { return idOf(v) }), err
	}
}

// finds checks that every read finds p n times.
func finds(b *db, p parcel, want int) {
	b.t.Helper()
	b.update(func(tx brain.Tx) error {
		for name, read := range everyRead(p) {
			got, err := read(tx)
			if err != nil {
				return err
			}
			same(b.t, name+" inside Update", want, len(got))
			same(b.t, name, want, len(view(b, read)))
		}
		return nil
	})
}

// brainsApart stores the same ids and keys in two brains, with other texts, then changes and
// deletes them in one.
func brainsApart(t *testing.T, b *db) {
	mine, other := b, b.h.brain(t)
	p := newParcel()
	mine.update(p.put)
	finds(mine, p, 1)
	finds(other, p, 0)
	other.update(p.remove)
	touched := p.memory
	touched.UseCount = 99
	other.putLives(touched)
	same(t, "after deletions and lives from another brain", p.whole(), p.in(mine))
	q := p
	q.memory.Project, q.source.Body, q.section.Heading = "other", "other", "other"
	q.record.Body = nil
	other.update(q.put)
	finds(mine, p, 1)
	same(t, "the one", p.whole(), p.in(mine))
	same(t, "the other", q.whole(), q.in(other))
	other.update(p.remove)
	finds(mine, p, 1)
	same(t, "after everything was deleted in another brain", p.whole(), p.in(mine))
}

func brainRelations(t *testing.T, b *db) {
	mine, other := b, b.h.brain(t)
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

func brainSearch(t *testing.T, b *db) {
	mine, other := b, b.h.brain(t)
	weak := Memories(10, "one quokka among many other words of a long text about other animals")
	mine.put(weak...)
	other.put(Memories(300, "quokka quokka quokka", func(m *brain.Memory) { m.Name = "quokka" })...)
	got := hitIDs(mine.search(brain.SearchQuery{Words: words.Parse("quokka"), Limit: 10}))
	same(t, "hits", sorted(brain.IDs(weak)...), sorted(got...))
}

func brainNames(t *testing.T, b *db) {
	base := "t-" + NewID()
	names := []string{base, base + "2", base + "~test", base + " x", base + "_", base + "%", "T" + base[1:], base + "'\"\\é"}
	p := newParcel()
	dbs := make([]*db, len(names))
	for i, name := range names {
		dbs[i] = b.h.handle(t, name)
	}
	for i := range dbs {
		for j := range dbs {
			same(t, fmt.Sprintf("memories of %q", names[j]), i > j, len(dbs[j].memories(p.memory.ID)) == 1)
		}
		dbs[i].update(p.put)
	}
}
