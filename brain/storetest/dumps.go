package storetest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
)

func dumpCases() []testCase {
	return []testCase{
		{"a dump has everything once and nothing of others", dumpWhole},
		{"pages stay small, and ends come before relations", dumpPages},
		{"a load puts a dump in the place of everything", loadReplaces},
		{"what cannot be read is named, and gone after a load", dumpUnreadable},
		{"a load that fails changes nothing", loadFails},
		{"what comes again replaces what came before, relations without an end are left out", loadAgain},
		{"a dump has what is written meanwhile whole or not at all", dumpMeanwhile},
	}
}

// dump returns the complete content of a brain as one page, each kind in the order of its ids.
func dump(b *db) brain.Page {
	b.t.Helper()
	return whole(pagesOf(b)...)
}

// whole returns pages as one that is in order. What comes twice is there twice.
func whole(pages ...brain.Page) (all brain.Page) {
	for _, p := range pages {
		all.Memories = append(all.Memories, p.Memories...)
		all.Sources = append(all.Sources, p.Sources...)
		all.Sections = append(all.Sections, p.Sections...)
		all.Relations = append(all.Relations, p.Relations...)
		all.Records = append(all.Records, p.Records...)
		all.Unreadable = append(all.Unreadable, p.Unreadable...)
	}
	slices.SortFunc(all.Memories, func(x, y brain.Memory) int { return cmp.Compare(x.ID, y.ID) })
	slices.SortFunc(all.Sources, func(x, y brain.Source) int { return cmp.Compare(x.ID, y.ID) })
	slices.SortFunc(all.Sections, func(x, y brain.Section) int { return cmp.Compare(x.ID, y.ID) })
	slices.SortFunc(all.Relations, brain.Relation.Compare)
	slices.SortFunc(all.Records, func(x, y brain.Record) int { return cmp.Or(cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.ID, y.ID)) })
	return all
}

// pagesOf collects the pages of a dump.
func pagesOf(b *db) (pages []brain.Page) {
	b.t.Helper()
	err := b.Dump(b.ctx(), func(p brain.Page) error {
		pages = append(pages, p)
		return nil
	})
	works(b.t, "dump", err)
	return pages
}

// each gives pages, then an error if there is one.
func each(pages []brain.Page, err error) iter.Seq2[brain.Page, error] {
	return func(yield func(brain.Page, error) bool) {
		for _, p := range pages {
			if !yield(p, nil) {
				return
			}
		}
		if err != nil {
			yield(brain.Page{}, err)
		}
	}
}

// fillBrain stores some of everything that a brain can hold, and returns it.
func fillBrain(b *db) brain.Page {
	b.t.Helper()
	old, promoted := promoted(Memory("an okapi in the rain"), 2)
	entity, full := Memory("one fact", Entity("Ada Lovelace")), fullMemory()
	p := brain.Page{
		Memories: []brain.Memory{old, promoted, entity, full},
		Sources:  everySource(),
		Sections: []brain.Section{Section("d", "f.md", 1, "okapis in a section"), Talk(Section("d", "t.md", 1, "talk of okapis"))},
	}
	p.Relations = []brain.Relation{
		{From: p.Sources[1].ID, Type: brain.HasMemory, To: promoted.ID},
		{From: old.ID, Type: brain.PromotedTo, To: promoted.ID},
		{From: promoted.ID, Type: brain.Supersedes, To: full.ID},
		{From: entity.ID, Type: "applies_to", To: promoted.ID},
		{From: p.Sections[0].ID, Type: "mentions", To: entity.ID},
		{From: entity.ID, Type: "a type 'of \"its` own", To: entity.ID},
	}
	for _, kind := range brain.RecordKinds() {
		p.Records = append(p.Records, Record(kind, "owner", "key", Start), Record(kind, "", "", Hours(1)))
	}
	b.update(func(tx brain.Tx) error { return errors.Join(p.StoreNodes(tx), tx.PutRelations(p.Relations...)) })
	return whole(p)
}

func dumpPages(t *testing.T, b *db) {
	const n = 2*brain.PageSize + 7
	ms := Memories(n, "many")
	b.put(ms...)
	hub := Source(brain.Learning)
	b.putSources(hub)
	rs := make([]brain.Relation, n)
	for i, m := range ms {
		rs[i] = brain.Relation{From: hub.ID, Type: brain.HasMemory, To: m.ID}
	}
	b.putRelations(rs...)
	met, relations := map[string]int{}, 0
	for _, p := range pagesOf(b) {
		if p.Len() > 2*brain.PageSize {
			t.Errorf("a page has %d nodes and relations", p.Len())
		}
		for _, m := range p.Memories {
			met[m.ID]++
		}
		for _, s := range p.Sources {
			met[s.ID]++
		}
		for _, r := range p.Relations {
			if relations++; met[r.From] != 1 || met[r.To] != 1 {
				t.Fatalf("%+v comes before its ends, or they came twice", r)
			}
		}
	}
	same(t, "nodes", n+1, len(met))
	same(t, "relations", n, relations)
}

func dumpWhole(t *testing.T, b *db) {
	other := b.h.brain(t)
	takes(b, "a lease")
	want := fillBrain(b)
	var memories, others []brain.Page
	works(t, "scan", errors.Join(
		b.Scan(b.ctx(), true, func(p brain.Page) error { memories = append(memories, p); return nil }),
		b.Scan(b.ctx(), false, func(p brain.Page) error { others = append(others, p); return nil }),
	))
	same(t, "scanned memories", want.Memories, whole(memories...).Memories)
	same(t, "scanned", want, whole(append(memories, others...)...))
	other.put(Memory("of another brain"))
	same(t, "the dump", want, dump(b))
	same(t, "the dump of nothing", brain.Page{}, dump(b.h.brain(t)))
	full, calls := errors.New("the disk is full"), 0
	err := b.Dump(b.ctx(), func(brain.Page) error {
		calls++
		return full
	})
	if !errors.Is(err, full) || calls != 1 {
		t.Errorf("error is %v after %d calls, want the reader's own after one", err, calls)
	}
}

// loadReplaces loads a dump over another brain, and checks that all of it works there.
func loadReplaces(t *testing.T, b *db) {
	from, to, other := b, b.h.brain(t), b.h.brain(t)
	want, apart := fillBrain(from), Memory("okapi of another brain")
	other.put(apart)
	to.put(Memories(1200, "okapi that was there before")...)
	pages, r := pagesOf(from), newReader(to)
	r.rest(1000)
	lease := takes(to, "kept")
	works(t, "load", to.Load(to.ctx(), each(pages, nil), nil))
	same(t, "the loaded brain", want, dump(to.again()))
	same(t, "the brain that it came from", want, dump(from))
	same(t, "another brain", []string{apart.ID}, other.find("okapi"))
	same(t, "texts after a mark of before", len(want.Memories), len(r.rest(100)))
	_, err := to.again().Lease(to.ctx(), "kept", holder(), nil)
	fails(t, "a lease that was held", err, brain.ErrBusy)
	works(t, "release", lease.Release())
	for _, q := range []brain.SearchQuery{{}, {Transcripts: true}, {AsOf: Hours(1), NoSections: true}} {
		q.Words = words.Parse("okapis")
		hits := sorted(hitIDs(from.search(q))...)
		same(t, fmt.Sprintf("hits of %+v", q), hits, sorted(hitIDs(to.search(q))...))
		if len(hits) == 0 {
			t.Errorf("nothing is found by %+v", q)
		}
	}
	same(t, "counts", counts(from, Hours(99)), counts(to, Hours(99)))
	err = to.Update(to.ctx(), func(tx brain.Tx) error { return tx.PutMemories(Memory("two", Entity("Ada Lovelace"))) })
	fails(t, "a second entity of the name", err, brain.ErrConflict)
	for _, m := range want.Memories {
		m.UseCount, m.Version = m.UseCount+7, m.Version+1
		to.putLives(m)
		same(t, "a life written afterwards", m, to.memory(m.ID))
	}
	works(t, "load over itself", to.Load(to.ctx(), each(pages, nil), nil))
	same(t, "the brain that was loaded again", want, dump(to))
	works(t, "load nothing", to.Load(to.ctx(), each(nil, nil), nil))
	same(t, "nothing", brain.Page{}, dump(to))
}

func dumpUnreadable(t *testing.T, b *db) {
	m := Memory("can be read")
	b.put(m)
	pages := pagesOf(b)
	tier, extra, said := Memory("in no tier"), Memory("with more"), Record(brain.RunRecord, "", "", Start)
	tier.Tier, extra.Extra, said.Body = "foo", json.RawMessage("{"), json.RawMessage("nonsense")
	b.put(tier, extra)
	b.putRelations(brain.Relation{From: tier.ID, Type: "mentions", To: m.ID})
	b.putRecords(said)
	unreadable := func() (names []string) {
		for _, p := range pagesOf(b) {
			for _, u := range p.Unreadable {
				names = append(names, u.Kind+" "+u.ID)
			}
		}
		return sorted(names...)
	}
	same(t, "what cannot be read", sorted("Memory "+tier.ID, "Memory "+extra.ID, "Run "+said.ID), unreadable())
	want := brain.Page{Memories: []brain.Memory{m}}
	same(t, "the rest", want.Memories, dump(b).Memories)
	works(t, "load over it", b.Load(b.ctx(), each(pages, nil), nil))
	same(t, "what cannot be read afterwards", 0, len(unreadable()))
	same(t, "the loaded brain", want, dump(b))
}

func loadFails(t *testing.T, b *db) {
	m := Memory("stays")
	b.put(m)
	want := dump(b)
	broken := errors.New("the file is damaged")
	page := brain.Page{Memories: Memories(3, "not loaded"), Sections: []brain.Section{Section("d", "a.md", 1, "part")}}
	fails(t, "error of the pages", b.Load(b.ctx(), each([]brain.Page{page}, broken), nil), broken)
	fails(t, "error of first", b.Load(b.ctx(), each([]brain.Page{page}, nil), func() error { return broken }), broken)
	again := brain.Page{Sections: []brain.Section{page.Sections[0]}}
	again.Sections[0].ID = NewID()
	fails(t, "a key that comes twice", b.Load(b.ctx(), each([]brain.Page{page, again}, nil), nil), brain.ErrConflict)
	same(t, "the brain afterwards", want, dump(b))
}

func loadAgain(t *testing.T, b *db) {
	before, stays := Memory("before the change"), Memory("stays")
	after := before
	after.Content, after.Version = "afterwards", 2
	kept := brain.Relation{From: stays.ID, Type: "mentions", To: after.ID}
	pages := []brain.Page{
		{Memories: []brain.Memory{before, stays}},
		{Relations: []brain.Relation{{From: before.ID, Type: "mentions", To: stays.ID}, {From: NewID(), Type: brain.HasMemory, To: stays.ID}}},
		{Outdated: []string{before.ID}, Memories: []brain.Memory{after}},
		{Relations: []brain.Relation{{From: stays.ID, Type: "mentions", To: NewID()}, kept}},
	}
	works(t, "load", b.Load(b.ctx(), each(pages, nil), nil))
	same(t, "the memory", after, b.memory(before.ID))
	same(t, "relations", []brain.Relation{kept}, b.relations(after.ID, stays.ID))
	same(t, "hits of the text before", 0, len(b.find("change")))
}

// dumpMeanwhile dumps while another handle writes versions of parcels: a dump is one version.
func dumpMeanwhile(t *testing.T, b *db) {
	writer := b.again()
	b.put(Memories(600, "there before")...)
	b.update(tornRound(0))
	for range 3 {
		var done atomic.Bool
		var g errgroup.Group
		g.Go(func() error {
			for version := 1; version < 30 && !done.Load(); version++ { // a slow machine would write on and on
				if err := writer.Update(writer.ctx(), tornRound(version)); err != nil && !errors.Is(err, brain.ErrUnavailable) {
					return err
				}
			}
			return nil
		})
		got := dump(b)
		done.Store(true)
		works(t, "writing", g.Wait())
		torn := slices.DeleteFunc(got.Memories, func(m brain.Memory) bool { return m.Content == "there before" })
		want, version := brain.Page{}, torn[0].UseCount
		for no := range tornParcels {
			if p := tornParcel(no, version); tornThere(no, version) {
				want = whole(want, brain.Page{
					Memories: []brain.Memory{p.memory}, Sources: []brain.Source{p.source}, Sections: []brain.Section{p.section},
					Relations: []brain.Relation{p.relation}, Records: []brain.Record{p.record},
				})
			}
		}
		got.Memories = torn
		same(t, fmt.Sprint("the dump of version ", version), want, got)
	}
}
