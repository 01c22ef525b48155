package storetest

import (
	"errors"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

func transactionCases() []testCase {
	return []testCase{
		{"an error of fn comes back as it is and nothing is stored", updateError},
		{"an error of fn undoes changes and deletions too", updateErrorUndoes},
		{"a panic in fn stores nothing and the store goes on", panics},
		{"fn sees its own writes and deletions by id, owner and key", updateOwnWrites},
		{"every handle sees at once what is committed, and nothing else", updateCommitted},
		{"info names the brain", infoNames},
		{"every commit of any handle changes the version", versionChanges},
	}
}

// parcel is one node of every kind with a relation, which together stand for
// everything that a transaction can write.
type parcel struct {
	memory   brain.Memory
	source   brain.Source
	section  brain.Section
	relation brain.Relation
	record   brain.Record
}

func newParcel() parcel {
	p := parcel{
		memory:  Memory("in a parcel", func(m *brain.Memory) { m.EntityKey = Hash(m.ID) }),
		source:  Source(brain.Outcome),
		section: Section("parcels", "parcel.md", 1, "in a parcel"),
	}
	p.source.Removed = time.Time{}
	p.record = Record(brain.UseEventRecord, p.memory.ID, p.memory.ID, Start)
	p.relation = brain.Relation{From: p.source.ID, Type: brain.HasMemory, To: p.memory.ID}
	return p
}

func (p parcel) put(tx brain.Tx) error {
	return errors.Join(tx.PutMemories(p.memory), tx.PutSources(p.source),
		tx.PutSections(p.section), tx.PutRecords(p.record), tx.PutRelations(p.relation))
}

func (p parcel) remove(tx brain.Tx) error {
	return errors.Join(tx.DeleteNodes(p.memory.ID), tx.DeleteNodes(p.source.ID),
		tx.DeleteNodes(p.section.ID), tx.DeleteRecords(p.record.Kind, p.record.ID),
		tx.DeleteRelations(p.relation))
}

// contents has the results of reads by id, owner and key of a parcel.
type contents struct {
	Memories, Entities []brain.Memory
	Sources, Outcomes  []brain.Source
	Sections           []brain.Section
	Relations          []brain.Relation
	Records            [3][]brain.Record
}

func (p parcel) whole() contents {
	rs := []brain.Record{p.record}
	return contents{
		Memories: []brain.Memory{p.memory}, Entities: []brain.Memory{p.memory},
		Sources: []brain.Source{p.source}, Outcomes: []brain.Source{p.source},
		Sections: []brain.Section{p.section}, Relations: []brain.Relation{p.relation},
		Records: [3][]brain.Record{rs, rs, rs},
	}
}

func (p parcel) read(r brain.Reader) (c contents, err error) {
	var errs [9]error
	c.Memories, errs[0] = r.Memories(p.memory.ID)
	c.Entities, errs[1] = r.ListMemories(brain.ListFilter{By: brain.ByEntity, Keys: []string{p.memory.EntityKey}})
	c.Sources, errs[2] = r.Sources(p.source.ID)
	c.Outcomes, errs[3] = r.ListSources(brain.SourceFilter{By: brain.ByKey, Keys: []string{p.source.Key}})
	c.Sections, errs[4] = r.Sections(p.section.ID)
	c.Relations, errs[5] = r.Relations(p.memory.ID, p.source.ID)
	c.Records[0], errs[6] = r.Records(p.record.Kind, p.record.ID)
	c.Records[1], errs[7] = r.ListRecords(p.record.Kind, brain.RecordFilter{By: brain.ByOwner, Keys: []string{p.record.Owner}})
	c.Records[2], errs[8] = r.ListRecords(p.record.Kind, brain.RecordFilter{By: brain.ByKey, Keys: []string{p.record.Key}})
	return c, errors.Join(errs[:]...)
}

func (p parcel) in(b *db) contents {
	b.t.Helper()
	return view(b, p.read)
}

func updateError(t *testing.T, b *db) {
	p := newParcel()
	mine := errors.New("mine")
	err := b.Update(b.ctx(), func(tx brain.Tx) error {
		if err := p.put(tx); err != nil {
			return err
		}
		return mine
	})
	if err != mine { //nolint:errorlint // it must come back as it is, not wrapped
		t.Errorf("error is %v, want the very error of fn", err)
	}
	same(t, "stored", contents{}, p.in(b))
	same(t, "hits", 0, len(b.find("parcel")))
	b.update(p.put)
	same(t, "stored by the next Update", p.whole(), p.in(b))
	err = b.View(b.ctx(), func(brain.Reader) error { return mine })
	if err != mine { //nolint:errorlint // it must come back as it is, not wrapped
		t.Errorf("error of View is %v, want the very error of fn", err)
	}
}

func updateErrorUndoes(t *testing.T, b *db) {
	changed, removed := newParcel(), newParcel()
	b.update(func(tx brain.Tx) error { return errors.Join(changed.put(tx), removed.put(tx)) })
	mine := errors.New("mine")
	err := b.Update(b.ctx(), func(tx brain.Tx) error {
		other, life := changed, changed.memory
		other.memory.Content, other.source.Title = "replaced", "replaced"
		other.section.Text, other.record.Body = "replaced", nil
		life.UseCount = 99
		return errors.Join(other.put(tx), tx.PutLives(life), removed.remove(tx), mine)
	})
	fails(t, "error", err, mine)
	same(t, "what was to be changed", changed.whole(), changed.in(b))
	same(t, "what was to be removed", removed.whole(), removed.in(b))
	same(t, "how many hits", 4, len(b.find("parcel")))
	same(t, "hits of the text that was not stored", 0, len(b.find("replaced")))
}

func panics(t *testing.T, b *db) {
	p := newParcel()
	got := recovered(func() {
		_ = b.Update(b.ctx(), func(tx brain.Tx) error {
			if err := p.put(tx); err != nil {
				return err
			}
			panic("in fn")
		})
	})
	same(t, "panic", any("in fn"), got)
	for range 20 { // more than a pool has connections
		got := recovered(func() {
			_ = b.View(b.ctx(), func(brain.Reader) error { panic("in fn") })
		})
		same(t, "panic in View", any("in fn"), got)
	}
	same(t, "stored", contents{}, p.in(b))
	b.update(p.put)
	same(t, "stored by the next Update", p.whole(), p.in(b.again()))
}

// recovered returns the value that fn panics with.
func recovered(fn func()) (v any) {
	defer func() { v = recover() }()
	fn()
	return nil
}

func updateOwnWrites(t *testing.T, b *db) {
	p := newParcel()
	sees := func(what string, want func(parcel) contents, write func(brain.Tx) error) {
		b.update(func(tx brain.Tx) error {
			if err := write(tx); err != nil {
				return err
			}
			got, err := p.read(tx)
			same(t, "what fn sees after "+what, want(p), got)
			return err
		})
		same(t, "stored after "+what, want(p), p.in(b))
	}
	sees("writing", parcel.whole, p.put)
	p.memory.UseCount, p.memory.Energy, p.memory.EntityKey = 7, 7, Hash("moved")
	p.record.Owner, p.source.Key = "other owner", Hash("other key")
	sees("changing", parcel.whole, func(tx brain.Tx) error {
		return errors.Join(tx.PutLives(p.memory), tx.PutRecords(p.record), tx.PutSources(p.source))
	})
	sees("deleting", func(parcel) contents { return contents{} }, p.remove)
}

func updateCommitted(t *testing.T, b *db) {
	other := b.again()
	for range 5 {
		p := newParcel()
		b.update(func(tx brain.Tx) error {
			if err := p.put(tx); err != nil {
				return err
			}
			same(t, "what another handle sees before the commit", contents{}, p.in(other))
			same(t, "hits of another handle before the commit", 0, len(other.find("parcel")))
			return nil
		})
		same(t, "what the other handle sees", p.whole(), p.in(other))
		same(t, "how many are found", 2, len(other.find("parcel")))
		list := brain.ListFilter{Tier: tiers.Working, Limit: 5}
		same(t, "list", []string{p.memory.ID}, other.list(list))
		other.update(p.remove)
		same(t, "what the first handle sees", contents{}, p.in(b))
		same(t, "how many are found at last", 0, len(b.find("parcel")))
	}
}

func infoNames(t *testing.T, b *db) {
	b.update(func(brain.Tx) error { return nil })
	info := b.Info()
	same(t, "brain", b.name, info.Brain)
	if info.Kind == "" || info.URI == "" {
		t.Errorf("info %+v does not say what the store is", info)
	}
}

func versionChanges(t *testing.T, b *db) {
	other := b.again()
	version := func() string {
		t.Helper()
		v, err := b.Version(b.ctx())
		if err != nil || v == "" {
			t.Fatalf("the version is %q: %v", v, err)
		}
		return v
	}
	seen := map[string]bool{version(): true}
	for range 3 {
		if err := other.Update(t.Context(), newParcel().put); err != nil {
			t.Fatal(err)
		}
		v := version()
		if seen[v] {
			t.Errorf("the version after a commit is an earlier one, %s", v)
		}
		seen[v] = true
	}
}
