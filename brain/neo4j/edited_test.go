package neo4j

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/tiers"
)

const byHand = "MATCH (n:Memory {brain: $brain, id: $id}) SET "

// What reads all memories misses none, however a person has changed them.
func TestAWholeListHasWhatWasChangedByHand(t *testing.T) {
	s := openTest(t, fresh(t))
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	var want []string
	for i := range 9 {
		m := memoryNamed(fmt.Sprint("m", i))
		m.State = new(tiers.DefaultPolicy()).Start(tiers.Working, 1+float64(i)/10, 0, at)
		put(t, s, m)
		want = append(want, m.ID)
	}
	cypher(t, s, byHand+"n.energy = 0.2", map[string]any{"id": "m8"}) // stored as the strongest
	cypher(t, s, byHand+"n.energy = 9", map[string]any{"id": "m0"})
	cypher(t, s, byHand+"n.tier = 'shortTerm'", map[string]any{"id": "m4"})
	for name, f := range map[string]brain.ListFilter{
		"of tiers": {Tiers: []tiers.Tier{tiers.Working, tiers.ShortTerm}}, "due": {Due: at.AddDate(1, 0, 0)},
	} {
		var got []string
		for f.Limit = 2; ; {
			var page []brain.Memory
			err := s.View(t.Context(), func(r brain.Reader) (err error) {
				page, err = r.ListMemories(f)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if len(page) == 0 {
				break
			}
			got = append(got, brain.IDs(page)...)
			f.After = got[len(got)-1]
		}
		if !slices.Equal(got, want) {
			t.Errorf("the list %s has %v", name, got)
		}
	}
}

// The texts that follow one that cannot be read are read.
func TestTextsAreReadBehindOneThatCannotBe(t *testing.T) {
	s := openTest(t, fresh(t))
	for _, id := range []string{"a", "b", "c", "d"} {
		put(t, s, memoryNamed(id))
	}
	cypher(t, s, byHand+"n.energy = 'much'", map[string]any{"id": "b"})
	mark, got := "", []string(nil)
	for more := true; more; {
		err := s.View(t.Context(), func(r brain.Reader) error {
			ms, next, err := r.Written(mark, 2)
			got, mark, more = append(got, brain.IDs(ms)...), next, len(ms) == 2
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(got, []string{"a", "c", "d"}) {
		t.Errorf("read %v", got)
	}
}

// A person's own property stays when the program stores the node again.
func TestPropertiesOfAPersonStay(t *testing.T) {
	s := openTest(t, fresh(t))
	m := memoryNamed("a")
	m.Tags = []string{"x"}
	source := brain.Source{ID: "s", Kind: brain.Learning, Concept: "c", Learned: "l"}
	store := func() {
		t.Helper()
		if err := s.Update(t.Context(), func(tx brain.Tx) error {
			if err := tx.PutSources(source); err != nil {
				return err
			}
			return tx.PutMemories(m)
		}); err != nil {
			t.Fatal(err)
		}
	}
	store()
	cypher(t, s, "MATCH (n {brain: $brain}) WHERE n:Memory OR n:Source SET n.colour = 'red', n.vectors = 'mine'", nil)
	m.Content, m.Tags, source.Learned = "another text", nil, ""
	store()
	got := cypher(t, s, "MATCH (n {brain: $brain}) WHERE n:Memory OR n:Source RETURN n.colour, n.vectors, coalesce(n.tags, n.learned)", nil).Rows
	if want := "[[red mine <nil>] [red mine <nil>]]"; fmt.Sprint(got) != want {
		t.Errorf("stored are %v, want %s", got, want)
	}
}

// A change by hand is found whatever follows from it, and counts as a version if it is one of
// text, tier or validity.
func TestAChangeByHandCountsAsTheProgramsOwn(t *testing.T) {
	for change, counts := range map[string]int{
		"n.content = 'another'": 1, "n.tags = ['x']": 1, "n.tier = 'longTerm'": 1, "n.validFrom = datetime('2026-01-01T00:00:00Z')": 1,
		"n.energy = 1.5": 0, "n.lastUsed = datetime()": 0, "n.created = datetime('2026-01-01T00:00:00Z')": 0, "n.useCount = 3": -1, "n.energy = 1": -1,
	} {
		t.Run(change, func(t *testing.T) {
			s := openTest(t, fresh(t))
			m := memoryNamed("a")
			m.State = new(tiers.DefaultPolicy()).Start(tiers.Working, 1, 0, time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC))
			m.Complete()
			put(t, s, m, memoryNamed("b"))
			cypher(t, s, byHand+change, map[string]any{"id": "a"})
			b, found := services.New(s, services.Options{}), map[string]bool{}
			see := func(p brain.Page) error {
				maps.Copy(found, p.Edited)
				return nil
			}
			if err := s.Scan(t.Context(), true, see); err != nil || len(found) != min(counts+1, 1) {
				t.Errorf("changed are %v, %v", found, err)
			}
			for range 2 { // it counts once
				if err := b.Base.StoreEdited(t.Context(), func(err error) { t.Error(err) }); err != nil {
					t.Fatal(err)
				}
			}
			got := cypher(t, s, "MATCH (n:Memory {brain: $brain, id: 'a'}) RETURN n.version", nil).Rows
			if want := int64(m.Version + max(counts, 0)); got[0][0] != want {
				t.Errorf("the version is %v, want %d", got[0][0], want)
			}
			clear(found)
			if err := s.Scan(t.Context(), true, see); err != nil || len(found) > 0 {
				t.Errorf("changed are %v, %v after it was stored", found, err)
			}
		})
	}
}

// A name that is the beginning of the content follows it, at once and in what is stored next;
// another one stays.
func TestANameThatTheContentGaveFollowsIt(t *testing.T) {
	s := openTest(t, fresh(t))
	derived, own, both := memoryNamed("a"), memoryNamed("b"), memoryNamed("c")
	derived.Name, both.Name = brain.NameOf(derived.Content), brain.NameOf(both.Content)
	put(t, s, derived, own, both)
	cypher(t, s, "MATCH (n:Memory {brain: $brain}) SET n.content = 'Deploys are fine on Saturdays.'", nil)
	cypher(t, s, byHand+"n.name = 'mine'", map[string]any{"id": "c"})
	b := services.New(s, services.Options{})
	for range 2 {
		var got []string
		if err := s.Scan(t.Context(), true, func(p brain.Page) error {
			for _, m := range p.Memories {
				got = append(got, m.Name)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if want := []string{"Deploys are fine on Saturdays.", "b", "mine"}; !slices.Equal(got, want) {
			t.Errorf("the names are %q, want %q", got, want)
		}
		if err := b.Base.StoreEdited(t.Context(), func(err error) { t.Error(err) }); err != nil {
			t.Fatal(err)
		}
	}
}

// A value that no store writes is named by what reads all memories, and left out by what reads some.
func TestAnInvalidValueIsLeftOutByAllReaders(t *testing.T) {
	for change, want := range map[string]string{
		"n.tier = 'bogus'": "its tier is not valid", "n.tier = null": "its tier is not valid", "n.energy = 0.0/0.0": "its energy is not valid",
		"n.energy = 1.0/0.0": "its energy is not valid", "n.created = null": "its property created is missing",
		"n.created = localdatetime()":  "its property created has the wrong type (a date and time without a zone)",
		"n.content = 7":                "its property content has the wrong type (a whole number)",
		"n.lastDecay = date()":         "its property lastDecay has the wrong type (a date without a time)",
		"n.lastDecay = null":           "",
		"n.energy = 3, n.useCount = 2": "",
	} {
		t.Run(change, func(t *testing.T) {
			s := openTest(t, fresh(t))
			put(t, s, memoryNamed("a"))
			cypher(t, s, byHand+change, map[string]any{"id": "a"})
			why := ""
			err := s.Scan(t.Context(), true, func(p brain.Page) error {
				for _, u := range p.Unreadable {
					why += u.Why
				}
				return nil
			})
			if err != nil || why != want {
				t.Errorf("named is %q, %v, want %q", why, err, want)
			}
			err = s.View(t.Context(), func(r brain.Reader) error {
				got, err := brain.First(r.Memories("a"))
				if (got.ID == "") != (want != "") {
					t.Errorf("read is %+v", got)
				}
				if _, why := r.WhyUnreadable("a"); (why == nil) != (want == "") || why != nil && why.Error() != want {
					t.Errorf("left out because %v", why)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

// A memory that a person has made without lastDecay fades from its creation on.
func TestAMemoryMadeByHandCountsFromItsCreation(t *testing.T) {
	s := openTest(t, fresh(t))
	cypher(t, s, "CREATE (:Memory {brain: $brain, id: 'mine', content: 'made by hand', tier: 'longTerm', energy: 4, created: datetime('2026-03-01T09:00:00Z')})", nil)
	var got brain.Memory
	if err := s.Scan(t.Context(), true, func(p brain.Page) error {
		got = p.Memories[0]
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC); !got.LastDecay.Equal(at) || got.Energy != 4 || got.ExpiresAt.Sub(at) < 100*brain.Day {
		t.Errorf("energy %v as of %v, until %v", got.Energy, got.LastDecay, got.ExpiresAt)
	}
}
