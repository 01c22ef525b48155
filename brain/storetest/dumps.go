package storetest

import (
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
	"github.com/brainbridge/brainbridge/tiers"
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

func dumpWhole(t *testing.T, h harness) {
	b, other := h.brain(t), h.brain(t)
	takes(b, "a lease")
	want := fillBrain(b)
	other.put(Memory("of another brain"))
	same(t, "the dump", want, dump(b))
	same(t, "the dump of nothing", newEverything(), dump(h.brain(t)))
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
func loadReplaces(t *testing.T, h harness) {
	from, to, other := h.brain(t), h.brain(t), h.brain(t)
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
	same(t, "nothing", newEverything(), dump(to))
}

func dumpUnreadable(t *testing.T, h harness) {
	b := h.brain(t)
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
	want := newEverything()
	want.Memories[m.ID] = m
	same(t, "the rest", want, dump(b))
	works(t, "load over it", b.Load(b.ctx(), each(pages, nil), nil))
	same(t, "what cannot be read afterwards", 0, len(unreadable()))
	same(t, "the loaded brain", want, dump(b))
}

func loadFails(t *testing.T, h harness) {
	b, m := h.brain(t), Memory("stays")
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

func loadAgain(t *testing.T, h harness) {
	b := h.brain(t)
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

// dumpMeanwhile captures and corrects while dumps are made.
func dumpMeanwhile(t *testing.T, h harness) {
	const most = 30 // for each dump: a slow machine would write more than it can read
	b := h.brain(t)
	writer := b.again()
	b.put(Memories(700, "there before")...)
	for range 3 {
		var done atomic.Bool
		var g errgroup.Group
		g.Go(func() error {
			for n := 0; n < most && !done.Load(); n++ {
				if err := captureAndCorrect(writer); err != nil && !errors.Is(err, brain.ErrUnavailable) {
					return err
				}
			}
			return nil
		})
		e := newEverything()
		err := b.Dump(b.ctx(), func(p brain.Page) error {
			e.take(p)
			return nil
		})
		done.Store(true)
		works(t, "writing", g.Wait())
		works(t, "dump", err)
		e.wantWhole(t)
	}
	dump(b).wantWhole(t)
}

// captureAndCorrect stores a source with a memory, then a text in its place.
func captureAndCorrect(b *db) error {
	source, first := Source(brain.Learning), Memory("first")
	first.SourceNodeID = source.ID
	err := b.Update(b.ctx(), func(tx brain.Tx) error {
		return errors.Join(tx.PutSources(source), tx.PutMemories(first),
			tx.PutRelations(brain.Relation{From: source.ID, Type: brain.HasMemory, To: first.ID}))
	})
	if err != nil {
		return err
	}
	second := first
	second.ID, second.Content = NewID(), "second"
	second.Root = second.ID
	first.Tier, first.Version = tiers.Superseded, 2
	return b.Update(b.ctx(), func(tx brain.Tx) error {
		return errors.Join(tx.PutLives(first), tx.PutMemories(second), tx.PutRelations(
			brain.Relation{From: source.ID, Type: brain.HasMemory, To: second.ID},
			brain.Relation{From: second.ID, Type: brain.Supersedes, To: first.ID}))
	})
}

// wantWhole expects that each capture is there with its source and relation,
// and each correction with both of its texts as it left them.
func (e *everything) wantWhole(t *testing.T) {
	t.Helper()
	memories, replaced := map[string]int{}, map[string]bool{}
	for _, r := range e.Relations {
		switch r.Type {
		case brain.HasMemory:
			memories[r.From]++
		case brain.Supersedes:
			replaced[r.To] = true
		}
	}
	for id := range e.Sources {
		if memories[id] == 0 {
			t.Errorf("source %s has no memory", id)
		}
	}
	for id, m := range e.Memories {
		if _, ok := e.Sources[m.SourceNodeID]; m.SourceNodeID != "" && !ok {
			t.Errorf("memory %s has no source", id)
		}
		if (m.Tier == tiers.Superseded) != replaced[id] {
			t.Errorf("memory %s is in tier %s, replaced: %v", id, m.Tier, replaced[id])
		}
	}
}
