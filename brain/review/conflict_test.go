package review

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// port is a memory that claims a port, written a number of hours after the others.
func port(id string, hours int) brain.Memory {
	m := brain.Memory{ID: id, Content: "The staging port is 54" + id + ".", Created: time.Unix(1_800_000_000, 0).Add(time.Duration(hours) * time.Hour)}
	m.Tier = tiers.Working
	m.Complete()
	return m
}

// pairs parses relations such as "20>10", which says that 20 differs from 10.
func pairs(s string) (rels []brain.Relation) {
	for pair := range strings.FieldsSeq(s) {
		from, to, _ := strings.Cut(pair, ">")
		rels = append(rels, brain.Relation{From: from, Type: brain.DiffersFrom, To: to})
	}
	return rels
}

func written(rels []brain.Relation) string {
	var all []string
	for _, r := range rels {
		all = append(all, r.From+">"+r.To)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// stored are the differences in a store.
type stored []brain.Relation

func (s stored) Differences(ids ...string) (found []brain.Relation, _ error) {
	ids = slices.Clone(ids)
	for i := 0; i < len(ids); i++ {
		for _, r := range s {
			if r.To == ids[i] && !slices.Contains(ids, r.From) {
				ids = append(ids, r.From)
			}
		}
	}
	for _, r := range s {
		if slices.Contains(ids, r.From) || slices.Contains(ids, r.To) {
			found = append(found, r)
		}
	}
	return found, nil
}

// decide decides about the memory 20, which was written 20 hours after 0, if the store
// has some relations and finds other memories.
func decide(t *testing.T, m brain.Memory, has string, others ...brain.Memory) conflictPlan {
	t.Helper()
	all := stored(pairs(has))
	held := slices.DeleteFunc(slices.Clone(all), func(r brain.Relation) bool { return r.From != m.ID && r.To != m.ID })
	differs, err := lifecycle.ReadDifferences(all, brain.IDs(others)...)
	if err != nil {
		t.Fatal(err)
	}
	return decideConflicts(conflictFacts{memory: m, claim: claimOf(&m), held: held, others: others, differs: differs})
}

func TestDecideConflicts(t *testing.T) {
	p := func(h int) brain.Memory { return port([]string{"10", "20", "30", "40", "50"}[h/10-1], h) }
	mine, elsewhere, later, superseded := p(20), p(10), p(30), p(10)
	mine.Project, elsewhere.Project, later.Project, superseded.Tier = "mine", "other", "other", tiers.Superseded
	for name, c := range map[string]struct {
		has                      string
		others                   []brain.Memory
		link, unlink, ask, older string
	}{
		"nothing else":          {},
		"an older one":          {"", []brain.Memory{p(10)}, "20>10", "", "20>10", "10"},
		"a newer one":           {"", []brain.Memory{p(30)}, "30>20", "", "30>20", ""},
		"it is noted again":     {"20>10", []brain.Memory{p(10)}, "", "", "20>10", "10"},
		"another project":       {"", []brain.Memory{elsewhere}, "", "", "", ""},
		"replaced elsewhere":    {"30>10", []brain.Memory{p(10), later}, "20>10", "", "20>10", "10"},
		"it is superseded":      {"20>10", []brain.Memory{superseded}, "", "20>10", "", ""},
		"between two":           {"30>10", []brain.Memory{p(10), p(30)}, "20>10 30>20", "", "", ""},
		"two newer ones":        {"40>30", []brain.Memory{p(40), p(30)}, "30>20", "", "", ""},
		"a newer one of a pair": {"30>10", []brain.Memory{p(30)}, "30>20", "", "", ""},
		"it became the older":   {"20>30", []brain.Memory{p(30)}, "30>20", "20>30", "30>20", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := decide(t, mine, c.has, c.others...)
			var older []string
			for _, m := range got.older {
				older = append(older, m.ID)
			}
			ask := ""
			if got.ask.From != "" {
				ask = written([]brain.Relation{got.ask})
			}
			if diff := cmp.Diff([]string{c.link, c.unlink, c.ask, c.older}, []string{written(got.link), written(got.unlink), ask, strings.Join(older, " ")}); diff != "" {
				t.Errorf("link, unlink, ask, older (-want +got):\n%s", diff)
			}
		})
	}
}

// A memory is related to the one that held, not to all before that one.
func TestConflictsFormAChain(t *testing.T) {
	got := decide(t, port("50", 50), "40>30 30>20 20>10", port("10", 10), port("40", 40), port("20", 20))
	if written(got.link) != "50>40" || len(got.older) != 1 {
		t.Errorf("related %s", written(got.link))
	}
	again := decide(t, port("50", 50), "50>40 40>30 30>20 20>10", port("10", 10), port("40", 40), port("20", 20))
	if len(again.link)+len(again.unlink) > 0 {
		t.Errorf("noting it again related %s, ended %s", written(again.link), written(again.unlink))
	}
}

func TestManyClaimsAtOnceAreASeries(t *testing.T) {
	var atOnce, daily []brain.Memory
	for i := range maxSeries + 1 {
		id := string(rune('1'+i)) + "0"
		m := port(id, 0)
		m.Created = m.Created.Add(time.Duration(i) * time.Minute)
		atOnce, daily = append(atOnce, m), append(daily, port(id, 24*i))
	}
	if got := decide(t, port("99", 0), "99>10", atOnce...); len(got.link) > 0 || written(got.unlink) != "99>10" {
		t.Errorf("lines of one log are related: %+v", got)
	}
	if got := decide(t, port("99", 1000), "", daily...); len(got.link) == 0 {
		t.Error("a value that changed often is taken for a log")
	}
}

// A text that is compared with many that already contradict each other is left alone.
func TestLongSeriesAreLeftAlone(t *testing.T) {
	var all []brain.Memory
	var chain []string
	for i := range maxDifferences + 2 {
		all = append(all, port(fmt.Sprint(i), 24*i))
		if i > 0 {
			chain = append(chain, fmt.Sprint(i, ">", i-1))
		}
	}
	latest := port("999", 9999)
	if got := decide(t, latest, strings.Join(chain[1:], " "), all...); len(got.link) == 0 {
		t.Errorf("after %d changes related %s", len(chain)-1, written(got.link))
	}
	if got := decide(t, latest, strings.Join(chain, " "), all...); len(got.link)+len(got.unlink) > 0 || got.ask.From != "" {
		t.Errorf("after %d changes related %s", len(chain), written(got.link))
	}

	// Nor does a long series about something else keep a conflict from being found.
	elsewhere := make([]brain.Memory, len(all))
	for i, m := range all {
		m.Project = "other"
		elsewhere[i] = m
	}
	own := port("500", 9998)
	latest.Project = "mine"
	if got := decide(t, latest, strings.Join(chain, " "), append(elsewhere, own)...); written(got.link) != "999>500" {
		t.Errorf("beside a series of another project related %s", written(got.link))
	}
}

// Claims of one note follow each other in its order.
func TestConflictsOfOneNoteGoByItsLines(t *testing.T) {
	lines := []brain.Memory{port("30", 0), port("10", 0), port("20", 0)}
	for i := range lines {
		lines[i].Group, lines[i].Position = "note", i
	}
	if got := decide(t, lines[1], "", lines[2], lines[0]); written(got.link) != "10>30 20>10" {
		t.Errorf("related %s", written(got.link))
	}
	// Of other texts of one instant the one that came later holds, and stays so.
	if got := decide(t, port("20", 0), "", port("10", 0)); written(got.link) != "20>10" {
		t.Errorf("related %s", written(got.link))
	}
	if got := decide(t, port("10", 0), "20>10", port("20", 0)); len(got.link)+len(got.unlink) > 0 {
		t.Errorf("the first one, noted again, became the newer: %+v", got)
	}
}

func TestInheriting(t *testing.T) {
	of := func(kind string, i brain.Importance) brain.Memory {
		return brain.Memory{MemoryType: kind, Importance: i}
	}
	for name, c := range map[string]struct {
		kept   brain.Memory
		others []brain.Memory
		want   brain.Memory
	}{
		"a note":         {of("note", brain.Reference), []brain.Memory{of("decision", brain.Important)}, of("decision", brain.Important)},
		"the first type": {of("note", brain.Critical), []brain.Memory{of("note", brain.Reference), of("fact", brain.Important), of("decision", "")}, of("fact", brain.Critical)},
		"one of its own": {of("lesson", brain.Reference), []brain.Memory{of("decision", brain.Important)}, of("lesson", brain.Important)},
		"of an activity": {of("note", brain.Reference), []brain.Memory{of("activity", brain.Reference)}, of("note", brain.Reference)},
		"notes alone":    {of("note", brain.Reference), []brain.Memory{of("note", brain.Reference)}, of("note", brain.Reference)},
		"without a type": {of("note", brain.Reference), []brain.Memory{of("", "")}, of("note", brain.Reference)},
	} {
		if got := inheriting(c.kept, c.others); brain.Says(got) != brain.Says(c.want) {
			t.Errorf("%s: %v, want %v", name, brain.Says(got), brain.Says(c.want))
		}
	}
}
