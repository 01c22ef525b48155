package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

func dumpCases() []testCase {
	return []testCase{
		{"a dump has everything once and nothing of others", dumpWhole},
		{"pages stay small, and ends come before relations", dumpPages},
		{"an error of the reader ends a dump", dumpEnds},
		{"a dump names what cannot be read, and has the rest", dumpUnreadable},
		{"a load puts a dump in the place of everything", loadReplaces},
		{"what was loaded is found, unique and alive", loadedWorks},
		{"a load that fails changes nothing", loadFails},
		{"a load leaves out a relation without an end", loadDangling},
		{"what comes again replaces what came before", loadAgain},
		{"texts that were loaded come after every mark", loadedWritten},
		{"leases outlive a load", loadLeases},
		{"a dump has what is written meanwhile whole or not at all", dumpMeanwhile},
	}
}

// everything is the content of a brain in a fixed order.
type everything struct {
	Memories  map[string]brain.Memory
	Sources   map[string]brain.Source
	Sections  map[string]brain.Section
	Relations []brain.Relation
	Records   map[string]brain.Record
}

func newEverything() *everything {
	return &everything{
		Memories: map[string]brain.Memory{}, Sources: map[string]brain.Source{},
		Sections: map[string]brain.Section{}, Records: map[string]brain.Record{},
	}
}

// take adds a page as a load would.
func (e *everything) take(p brain.Page) {
	for _, id := range p.Outdated {
		delete(e.Memories, id)
		e.Relations = slices.DeleteFunc(e.Relations, func(r brain.Relation) bool { return r.From == id || r.To == id })
	}
	for _, m := range p.Memories {
		e.Memories[m.ID] = m
	}
	for _, s := range p.Sources {
		e.Sources[s.ID] = s
	}
	for _, s := range p.Sections {
		e.Sections[s.ID] = s
	}
	for _, r := range p.Relations {
		if e.has(r.From) && e.has(r.To) && !slices.Contains(e.Relations, r) {
			e.Relations = append(e.Relations, r)
		}
	}
	for _, r := range p.Records {
		e.Records[string(r.Kind)+" "+r.ID] = r
	}
}

func (e *everything) has(id string) bool {
	_, memory := e.Memories[id]
	_, source := e.Sources[id]
	_, section := e.Sections[id]
	return memory || source || section
}

func (e *everything) sorted() *everything {
	slices.SortFunc(e.Relations, brain.Relation.Compare)
	return e
}

// dump returns the complete content of a brain.
func dump(b *db) *everything {
	b.t.Helper()
	e := newEverything()
	for _, p := range pagesOf(b) {
		e.take(p)
	}
	return e.sorted()
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
func fillBrain(b *db) *everything {
	b.t.Helper()
	e := newEverything()
	old := Memory("an okapi in the rain")
	promoted := old
	promoted.ID, promoted.PromotedFrom, promoted.Tier = NewID(), old.ID, tiers.ShortTerm
	old.Tier, old.ValidTo = tiers.ArchivedWorking, Hours(2)
	entity, full := Memory("one fact", Entity("Ada Lovelace")), fullMemory()
	pages := []brain.Page{
		{Memories: []brain.Memory{old, promoted, entity, full}},
		{Sources: everySource()},
		{Sections: []brain.Section{Section("d", "f.md", 1, "okapis in a section"), Talk(Section("d", "t.md", 1, "talk of okapis"))}},
	}
	source, section := pages[1].Sources[1], pages[2].Sections[0]
	pages = append(pages, brain.Page{Relations: []brain.Relation{
		{From: source.ID, Type: brain.HasMemory, To: promoted.ID},
		{From: old.ID, Type: brain.PromotedTo, To: promoted.ID},
		{From: promoted.ID, Type: brain.Supersedes, To: full.ID},
		{From: entity.ID, Type: "applies_to", To: promoted.ID},
		{From: section.ID, Type: "mentions", To: entity.ID},
		{From: entity.ID, Type: "a type 'of \"its` own", To: entity.ID},
	}})
	var records []brain.Record
	for _, kind := range brain.RecordKinds() {
		records = append(records, Record(kind, "owner", "key", Start), Record(kind, "", "", Hours(1)))
	}
	pages = append(pages, brain.Page{Records: records})
	for _, p := range pages {
		e.take(p)
		b.update(func(tx brain.Tx) error { return errors.Join(p.StoreNodes(tx), tx.PutRelations(p.Relations...)) })
	}
	return e.sorted()
}

func dumpWhole(t *testing.T, h harness) {
	b, other := h.brain(t), h.brain(t)
	lease := takes(b, "a lease")
	want := fillBrain(b)
	fillBrain(other)
	same(t, "the dump", want, dump(b))
	works(t, "release", lease.Release())
	same(t, "the dump of nothing", newEverything(), dump(h.brain(t)))
}

func dumpPages(t *testing.T, h harness) {
	const n = 2*brain.PageSize + 7
	b := h.brain(t)
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

func dumpEnds(t *testing.T, h harness) {
	b := h.brain(t)
	fillBrain(b)
	full, calls := errors.New("the disk is full"), 0
	err := b.Dump(b.ctx(), func(brain.Page) error {
		calls++
		return full
	})
	if !errors.Is(err, full) || calls != 1 {
		t.Errorf("error is %v after %d calls, want the reader's own after one", err, calls)
	}
}

func dumpUnreadable(t *testing.T, h harness) {
	b := h.brain(t)
	want := fillBrain(b)
	pages := pagesOf(b)
	tier, extra, said := Memory("in no tier"), Memory("with more"), Record(brain.RunRecord, "", "", Start)
	tier.Tier, extra.Extra, said.Body = "foo", json.RawMessage("{"), json.RawMessage("nonsense")
	b.put(tier, extra)
	b.putRelations(brain.Relation{From: tier.ID, Type: "mentions", To: extra.ID})
	b.update(func(tx brain.Tx) error { return tx.PutRecords(said) })
	unreadable := func() (names []string) {
		for _, p := range pagesOf(b) {
			for _, u := range p.Unreadable {
				names = append(names, u.Kind+" "+u.ID)
			}
		}
		return sorted(names...)
	}
	same(t, "what cannot be read", sorted("Memory "+tier.ID, "Memory "+extra.ID, "Run "+said.ID), unreadable())
	same(t, "the rest", want, dump(b))
	works(t, "load over it", b.Load(b.ctx(), each(pages, nil), nil))
	same(t, "what cannot be read afterwards", 0, len(unreadable()))
	same(t, "the loaded brain", want, dump(b))
}

func loadReplaces(t *testing.T, h harness) {
	from, to, other := h.brain(t), h.brain(t), h.brain(t)
	want, apart := fillBrain(from), fillBrain(other)
	fillBrain(to)
	to.put(Memories(1200, "what was there before")...)
	for range 2 { // the second over itself
		works(t, "load", to.Load(to.ctx(), each(pagesOf(from), nil), nil))
		same(t, "the loaded brain", want, dump(to))
	}
	same(t, "as another process sees it", want, dump(to.again()))
	same(t, "the brain that it came from", want, dump(from))
	same(t, "another brain", apart, dump(other))
	works(t, "load nothing", to.Load(to.ctx(), each(nil, nil), nil))
	same(t, "nothing", newEverything(), dump(to))
	same(t, "hits", 0, len(to.find("before")))
}

func loadedWorks(t *testing.T, h harness) {
	from, to := h.brain(t), h.brain(t)
	want := fillBrain(from)
	to.put(Memories(3, "okapi okapi okapi")...)
	works(t, "load", to.Load(to.ctx(), each(pagesOf(from), nil), nil))
	for _, q := range []brain.SearchQuery{
		{Words: words.Parse("okapis")},
		{Words: words.Parse("okapis"), Transcripts: true},
		{Words: words.Parse("okapis"), AsOf: Hours(1), NoSections: true},
	} {
		hits := sorted(hitIDs(from.search(q))...)
		same(t, fmt.Sprintf("hits of %+v", q), hits, sorted(hitIDs(to.search(q))...))
		if len(hits) == 0 {
			t.Errorf("nothing is found by %+v", q)
		}
	}
	same(t, "counts", counts(from, Hours(99)), counts(to, Hours(99)))
	err := to.Update(to.ctx(), func(tx brain.Tx) error { return tx.PutMemories(Memory("two", Entity("Ada Lovelace"))) })
	fails(t, "a second entity of the name", err, brain.ErrConflict)
	for _, m := range want.Memories {
		m.UseCount += 7
		m.Version++
		to.putLives(m)
		same(t, "a life written afterwards", m, to.memory(m.ID))
	}
}

func loadFails(t *testing.T, h harness) {
	from, to := h.brain(t), h.brain(t)
	fillBrain(from)
	want := fillBrain(to)
	broken := errors.New("the file is damaged")
	fails(t, "error", to.Load(to.ctx(), each(pagesOf(from), broken), nil), broken)
	one := Section("d", "a.md", 1, "part")
	two := one
	two.ID = NewID()
	twice := []brain.Page{{Sections: []brain.Section{one}}, {Sections: []brain.Section{two}}}
	fails(t, "a key that comes twice", to.Load(to.ctx(), each(twice, nil), nil), brain.ErrConflict)
	same(t, "the brain afterwards", want, dump(to))
}

func loadDangling(t *testing.T, h harness) {
	b := h.brain(t)
	here, there := Memory("here"), Memory("there")
	kept := brain.Relation{From: here.ID, Type: "mentions", To: there.ID}
	p := brain.Page{
		Memories:  []brain.Memory{here, there},
		Relations: []brain.Relation{{From: here.ID, Type: "mentions", To: NewID()}, kept, {From: NewID(), Type: brain.HasMemory, To: here.ID}},
	}
	works(t, "load", b.Load(b.ctx(), each([]brain.Page{p}, nil), nil))
	same(t, "relations", []brain.Relation{kept}, b.relations(here.ID))
}

func loadAgain(t *testing.T, h harness) {
	b := h.brain(t)
	before, stays := Memory("before the change"), Memory("stays")
	after := before
	after.Content, after.Version = "afterwards", 2
	pages := []brain.Page{
		{Memories: []brain.Memory{before, stays}},
		{Relations: []brain.Relation{{From: before.ID, Type: "mentions", To: stays.ID}}},
		{Outdated: []string{before.ID}, Memories: []brain.Memory{after}, Relations: []brain.Relation{{From: stays.ID, Type: "mentions", To: after.ID}}},
	}
	works(t, "load", b.Load(b.ctx(), each(pages, nil), nil))
	same(t, "the memory", after, b.memory(before.ID))
	same(t, "its relations", []brain.Relation{{From: stays.ID, Type: "mentions", To: after.ID}}, b.relations(after.ID))
	same(t, "hits of the text before", 0, len(b.find("change")))
}

func loadedWritten(t *testing.T, h harness) {
	b := h.brain(t)
	b.put(Memories(5, "of the brain")...)
	pages := pagesOf(b)
	r := newReader(b)
	r.rest(100)
	works(t, "load", b.Load(b.ctx(), each(pages, nil), nil))
	same(t, "texts after the mark", 5, len(r.rest(100)))
}

func loadLeases(t *testing.T, h harness) {
	b := h.brain(t)
	lease := takes(b, "kept")
	works(t, "load", b.Load(b.ctx(), each(nil, nil), nil))
	_, err := b.again().Lease(b.ctx(), "kept", holder(), nil)
	fails(t, "lease", err, brain.ErrBusy)
	works(t, "release", lease.Release())
}
