package services_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/tiers"
)

// countingStore counts the reads of a View and the memories that lists bring.
type countingStore struct {
	brain.Store
	reads, listed int
}

func (s *countingStore) View(ctx context.Context, fn func(brain.Reader) error) error {
	return s.Store.View(ctx, func(r brain.Reader) error { return fn(&countingReader{r, s}) })
}

type countingReader struct {
	brain.Reader
	s *countingStore
}

func (r *countingReader) ListMemories(fs ...brain.ListFilter) ([]brain.Memory, error) {
	r.s.reads++
	ms, err := r.Reader.ListMemories(fs...)
	r.s.listed += len(ms)
	return ms, err
}

func (r *countingReader) Matching(limit int, prefixes ...string) ([]string, error) {
	r.s.reads++
	return r.Reader.Matching(limit, prefixes...)
}

func (r *countingReader) Memories(ids ...string) ([]brain.Memory, error) {
	r.s.reads++
	ms, err := r.Reader.Memories(ids...)
	r.s.listed += len(ms)
	return ms, err
}

func (r *countingReader) Written(after string, limit int) ([]brain.Memory, string, error) {
	r.s.reads++
	ms, next, err := r.Reader.Written(after, limit)
	r.s.listed += len(ms)
	return ms, next, err
}

func (r *countingReader) ListRecords(kind brain.RecordKind, f brain.RecordFilter) ([]brain.Record, error) {
	r.s.reads++
	return r.Reader.ListRecords(kind, f)
}

func (r *countingReader) ListSources(f brain.SourceFilter) ([]brain.Source, error) {
	r.s.reads++
	return r.Reader.ListSources(f)
}

// counted is the same lab with its reads counted.
func (l *lab) counted() *countingStore {
	s := &countingStore{Store: l.Base.Store}
	l.Services = services.New(s, services.Options{Now: func() time.Time { return l.now }})
	return s
}

// shelve stores memories of the tiers that fade as they are.
func (l *lab) shelve(n int, change func(i int, m *brain.Memory)) []string {
	l.t.Helper()
	fading := []tiers.Tier{tiers.Working, tiers.ShortTerm, tiers.LongTerm}
	policy := must[*tiers.Policy](l)(l.Base.Policy(l.ctx()))
	ms := make([]brain.Memory, n)
	ids := make([]string, n)
	for i := range ms {
		id := brain.NewID()
		ids[i] = id
		ms[i] = brain.Memory{
			ID: id, Name: fmt.Sprint("shelved ", i), Content: fmt.Sprint("shelved text ", i), MemoryType: "note",
			NameKey: id, ContentHash: id, Created: l.now, Version: 1, Importance: brain.Reference,
			State: policy.Reset(tiers.State{Tier: fading[i%len(fading)], ValidFrom: l.now}, 0.5+float64(i)/1000, l.now),
		}
		change(i, &ms[i])
	}
	if err := l.Base.Store.Update(l.ctx(), func(tx brain.Tx) error { return tx.PutMemories(ms...) }); err != nil {
		l.t.Fatal(err)
	}
	return ids
}

func TestAListOfFadedOnesReadsWhatItShows(t *testing.T) {
	l := newLab(t)
	l.shelve(400, func(int, *brain.Memory) {})
	l.later(10 * 365 * 24 * time.Hour)
	q := lifecycle.ListQuery{Tiers: []tiers.Tier{tiers.Expired}, Sort: lifecycle.ByEnergy, Limit: 1000}
	whole := must[[]brain.View](l)(l.Recall.List(l.ctx(), q))
	if len(whole) != 400 {
		t.Fatalf("%d of 400 faded memories are listed", len(whole))
	}
	s := l.counted()
	q.Limit = 5
	few := must[[]brain.View](l)(l.Recall.List(l.ctx(), q))
	if diff := cmp.Diff(whole[:5], few); diff != "" {
		t.Errorf("the first five (-all +five):\n%s", diff)
	}
	if s.listed > 50 {
		t.Errorf("a list of 5 read %d memories", s.listed)
	}
}

// The most salient memories are found without reading all of them.
func TestAListReadsWhatItShows(t *testing.T) {
	l := newLab(t)
	l.shelve(900, func(i int, m *brain.Memory) {
		m.Project = []string{"", "atlas"}[i%2]
		m.MemoryType = []string{"note", "decision", "preference", "activity", "fact", "lesson"}[i%7%6]
		m.Importance = []brain.Importance{brain.Reference, brain.Important, brain.Critical}[i%5%3]
		m.Created = l.now.AddDate(0, 0, -i%100).Add(-time.Duration(i) * time.Second)
	})
	l.later(30 * 24 * time.Hour)
	atlas := "atlas"
	for _, project := range []*string{nil, &atlas} {
		q := lifecycle.ListQuery{Project: project, Limit: 40}
		s := l.counted()
		got := must[[]brain.View](l)(l.Recall.List(l.ctx(), q))
		if s.listed > 600 {
			t.Errorf("a list of 40 read %d memories", s.listed)
		}
		q.Since = l.now.AddDate(-9, 0, 0)
		if diff := cmp.Diff(must[[]brain.View](l)(l.Recall.List(l.ctx(), q)), got); diff != "" || len(got) != 40 {
			t.Errorf("%d memories, not those of all (-all +got):\n%s", len(got), diff)
		}
	}
}

// What a context reads does not grow with what is stored, and neither do its
// questions to the store.
func TestAContextAsksLittle(t *testing.T) {
	l := newLab(t)
	fill := func() {
		l.shelve(600, func(i int, m *brain.Memory) {
			m.Project = []string{"", "atlas", "other"}[i%3]
			m.MemoryType = []string{"note", "decision", "preference", "note", "fact"}[i%5]
		})
	}
	session := func() {
		for range 3 {
			fill()
		}
		if err := l.Capture.EndSession(l.ctx(), "atlas", l.now); err != nil {
			t.Fatal(err)
		}
		l.later(time.Millisecond)
	}
	session()
	s := l.counted()
	l.context(recall.ContextQuery{Project: "atlas"})
	reads, listed := s.reads, s.listed
	if reads > 9 {
		t.Errorf("a context reads the store %d times", reads)
	}
	session()
	s.reads, s.listed = 0, 0
	l.context(recall.ContextQuery{Project: "atlas"})
	if s.reads > reads+1 || s.listed > 5*listed/4 { // short ids that are taken need one more
		t.Errorf("with more in store it read %d times %d memories, before %d times %d", s.reads, s.listed, reads, listed)
	}
}

// Of a hundred memories of one name, a lookup reads as many as it needs.
func TestALookupByNameReadsFew(t *testing.T) {
	l := newLab(t)
	l.shelve(100, func(_ int, m *brain.Memory) { m.NameKey = brain.NameKey("weekly report") })
	s := l.counted()
	found, err := lifecycle.Read(l.ctx(), l.Base, func(r brain.Reader) ([]brain.Memory, error) {
		return lifecycle.Named(r, 2, brain.NameKey("weekly report"), brain.NameKey("nothing"))
	})
	if err != nil || len(found) != 2 || s.listed != 2 {
		t.Errorf("%d memories are found and %d read, error %v", len(found), s.listed, err)
	}
}
