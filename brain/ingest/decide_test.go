package ingest

import (
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

const day = "2026-03-01.md"

// wantCounts compares how many outcomes are new, changed, unchanged and gone.
func wantCounts(t rapid.TB, p plan, want ...int) {
	t.Helper()
	got := []int{p.answer.New, p.answer.Changed, p.answer.Unchanged, p.answer.Gone}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("new, changed, unchanged and gone (-want +got):\n%s", diff)
	}
}

func wantNothing(t rapid.TB, p plan) {
	t.Helper()
	if !reflect.DeepEqual(p, plan{answer: p.answer, lost: map[string]map[string]bool{}}) {
		t.Errorf("the plan is %+v; want none", p)
	}
}

func TestANewOutcomeGetsAMemory(t *testing.T) {
	g := newGraph(t)
	now := g.now
	wantCounts(t, g.ingest(daily(day, "Port: it is 5432")), 1, 0, 0, 0)
	m, s := g.memory("it is 5432"), g.source("it is 5432")
	if m.Name != "Port" || m.Tier != tiers.Working || m.Energy != 2.5 || !m.LastDecay.Equal(now) || m.Group != "dir/"+day {
		t.Errorf("the memory is %+v", m)
	}
	if s.File != day || s.Line != 1 || g.memoryOf[s.ID] != m.ID {
		t.Errorf("the source is %+v", s)
	}
}

func TestAnUnchangedNoteChangesNothing(t *testing.T) {
	g := newGraph(t)
	g.ingest(daily(day, "Port: it is 5432", "Host: it is db1"))
	p := g.ingest(daily(day, "Port: it is 5432", "Host: it is db1"))
	wantCounts(t, p, 0, 0, 2, 0)
	wantNothing(t, p)
}

func TestAnEditKeepsTheTextBefore(t *testing.T) {
	g := newGraph(t)
	g.ingest(daily(day, "Port: it is 5432"))
	before, now := g.memory("it is 5432"), g.now
	p := g.ingest(daily(day, "Port: it is 6543"))
	wantCounts(t, p, 0, 1, 0, 0)
	after := g.memory("it is 6543")
	if after.ID != before.ID || after.Energy != before.Energy || !after.ValidFrom.Equal(now) || after.Version != before.Version+1 {
		t.Errorf("the memory is %+v, was %+v", after, before)
	}
	i := slices.IndexFunc(p.memories, func(m brain.Memory) bool { return m.Tier == tiers.Superseded })
	if i < 0 {
		t.Fatalf("no text before among %+v", p.memories)
	}
	past := p.memories[i]
	if past.Content != "it is 5432" || !past.ValidTo.Equal(now) || !past.ValidFrom.Equal(before.ValidFrom) {
		t.Errorf("the text before is %+v", past)
	}
	if want := (brain.Relation{From: after.ID, Type: brain.Supersedes, To: past.ID}); !slices.Contains(p.relations, want) {
		t.Errorf("the relations are %v; want %v", p.relations, want)
	}
}

func TestANewHeaderKeepsTheMemory(t *testing.T) {
	g := newGraph(t)
	g.ingest(daily(day, "Port: it is 5432"))
	before := g.memory("it is 5432")
	wantCounts(t, g.ingest(daily(day, "Port of the database: it is 5432")), 0, 1, 0, 0)
	if after := g.memory("it is 5432"); after.ID != before.ID || after.Name != "Port of the database" {
		t.Errorf("the memory is %+v", after)
	}
}

func TestAnOutcomeThatIsGoneKeepsItsMemory(t *testing.T) {
	g := newGraph(t)
	g.ingest(daily(day, "Port: it is 5432", "Host: it is db1"))
	now := g.now
	p := g.ingest(daily(day, "Host: it is db1"))
	wantCounts(t, p, 0, 0, 1, 1)
	if s := g.source("it is 5432"); !s.Removed.Equal(now) || !slices.Equal(p.answer.GoneIDs, []string{s.ID}) {
		t.Errorf("the source is %+v, gone are %v", s, p.answer.GoneIDs)
	}
	p = g.ingest(daily(day, "Port: it is 5432", "Host: it is db1"))
	wantCounts(t, p, 0, 0, 2, 0)
	if s := g.source("it is 5432"); !s.Removed.IsZero() || !slices.Equal(p.answer.BackIDs, []string{s.ID}) {
		t.Errorf("the source is %+v, back are %v", s, p.answer.BackIDs)
	}
}

func TestAFileThatIsGone(t *testing.T) {
	g := newGraph(t)
	g.ingest(daily(day, "Port: it is 5432"))
	wantCounts(t, g.ingest(Note{File: day, Gone: true}), 0, 0, 0, 1)
	wantCounts(t, g.ingest(Note{File: day, Gone: true}), 0, 0, 0, 0)
}

func TestAnOutcomeMovesWithinABatch(t *testing.T) {
	g := newGraph(t)
	const other = "2026-03-01-evening.md"
	g.ingest(daily(day, "Port: it is 5432", "Host: it is db1"))
	id := g.memory("it is 5432").ID
	wantCounts(t, g.ingest(daily(other, "Port: it is 5432"), daily(day, "Host: it is db1")), 0, 0, 2, 0)
	if s := g.source("it is 5432"); s.File != other || !s.Removed.IsZero() || g.memory("it is 5432").ID != id {
		t.Errorf("the source is %+v", s)
	}
}

func TestTwoFilesOfABatchHoldOneOutcome(t *testing.T) {
	g := newGraph(t)
	const other = "2026-03-01-copy.md"
	wantCounts(t, g.ingest(daily(day, "Port: it is 5432"), daily(other, "Port: it is 5432")), 1, 0, 1, 0)
	if s := g.source("it is 5432"); s.File != day {
		t.Errorf("the source is %+v", s)
	}
	p := g.ingest(daily(day), daily(other, "Port: it is 5432"))
	wantCounts(t, p, 0, 0, 1, 0)
	if s := g.source("it is 5432"); s.File != other || !s.Removed.IsZero() {
		t.Errorf("after the first file has lost it, the source is %+v", s)
	}
}

func TestTwoFilesOfABatchHoldTwoTextsUnderOneHeader(t *testing.T) {
	g := newGraph(t)
	notes := []Note{daily(day, "Port: it is 5432"), daily("2026-03-01-team.md", "Port: it is 6543")}
	wantCounts(t, g.ingest(notes...), 2, 0, 0, 0)
	p := g.ingest(notes...)
	wantCounts(t, p, 0, 0, 2, 0)
	wantNothing(t, p)
}

func TestANoteThatIsTwiceInABatch(t *testing.T) {
	g := newGraph(t)
	n := daily(day, "Port: it is 5432")
	n.Sections = []NoteSection{{
		Section: brain.Section{
			Key: "s", Text: "prose", Hash: "h",
		},
	}}
	p := g.ingest(n, n)
	wantCounts(t, p, 1, 0, 1, 0)
	if len(p.memories) != 1 || len(p.sections) != 1 {
		t.Errorf("the plan has the memories %v and the sections %v", p.memories, p.sections)
	}
}

func TestAnEditOfAMergedMemory(t *testing.T) {
	g := newGraph(t)
	g.ingest(daily(day, "Port: it is 5432"))
	merged := g.memory("it is 5432")
	merged.MergedFrom = []string{"another"}
	g.memories[merged.ID] = merged
	p := g.ingest(daily(day, "Port: it is 6543"))
	wantCounts(t, p, 0, 1, 0, 0)
	own, kept := g.memory("it is 6543"), g.memory("it is 5432")
	if own.ID == merged.ID || kept.ID != merged.ID || kept.SourceNodeID != "" || g.memoryOf[own.SourceNodeID] != own.ID {
		t.Errorf("the outcome has %+v, what was merged is %+v", own, kept)
	}
	if want := (brain.Relation{From: own.SourceNodeID, Type: brain.HasMemory, To: merged.ID}); !slices.Contains(p.unlink, want) {
		t.Errorf("removed are %v; want %v", p.unlink, want)
	}
}

func TestAForgottenOutcomeStaysForgotten(t *testing.T) {
	g := newGraph(t)
	n := daily(day, "Port: it is 5432")
	b := batch{dir: "dir", notes: []Note{n}, now: g.now, newID: g.newID}
	for what, key := range map[string]string{"identity": n.Outcomes[0].Key, "text": n.Outcomes[0].Memory().ContentHash} {
		f := g.facts(b)
		f.forgotten = map[string]bool{key: true}
		p := decide(b, f)
		wantNothing(t, p)
		if p.answer.Unchanged != 1 {
			t.Errorf("forgotten by its %s, it became %+v", what, p.answer)
		}
	}
}

func TestAnIDThatAnotherNodeHas(t *testing.T) {
	g := newGraph(t)
	n := daily(day, "Port: it is 5432")
	n.Outcomes[0].ID = brain.NewID()
	b := batch{dir: "dir", notes: []Note{n}, now: g.now, newID: g.newID}
	p := decide(b, g.facts(b))
	if p.sources[0].ID != n.Outcomes[0].ID || p.memories[0].ID != brain.OutcomeMemoryID(n.Outcomes[0].ID) {
		t.Errorf("the ids are %s and %s", p.sources[0].ID, p.memories[0].ID)
	}
	f := g.facts(b)
	f.taken = map[string]bool{n.Outcomes[0].ID: true}
	if p := decide(b, f); p.sources[0].ID == n.Outcomes[0].ID {
		t.Error("two nodes have one id")
	}
}

func TestAnOutcomeFollowsTheLatestWithItsTitle(t *testing.T) {
	g := newGraph(t)
	g.ingest(daily("2026-02-27.md", "Port: first"))
	g.ingest(daily("2026-02-28.md", "Port: second"), daily(day, "Port: third"))
	want := []brain.Relation{
		{From: g.memory("second").ID, Type: "follows", To: g.memory("first").ID},
		{From: g.memory("third").ID, Type: "follows", To: g.memory("second").ID},
	}
	if diff := cmp.Diff(want, g.follows); diff != "" {
		t.Errorf("relations (-want +got):\n%s", diff)
	}
}

func TestAnEditTellsWhichNamesAreLost(t *testing.T) {
	g := newGraph(t)
	n := daily(day, "Zoo: near [[Walrus]] and [[Otter]]")
	g.ingest(n)
	n = daily(day, "Zoo: near [[otter]]")
	p := g.ingest(n)
	id := g.memory("near [[otter]]").ID
	if want := []naming{{id, brain.NamedRelation{Type: "mentions", Name: "otter"}}}; !slices.Equal(p.named, want) {
		t.Errorf("it names %v; want %v", p.named, want)
	}
	if want := map[string]map[string]bool{id: {brain.NameKey("walrus"): true}}; !reflect.DeepEqual(p.lost, want) {
		t.Errorf("it has lost %v; want %v", p.lost, want)
	}
}

// However notes are edited, ingesting them again changes nothing, every text
// that is in a note has one memory, and what is gone is marked.
func TestIngestingTwiceChangesNothing(t *testing.T) {
	files := []string{day, "2026-03-01-team.md", "2026-03-02.md"}
	texts := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{
		"Port: it is 5432", "Port: it is 6543", "Host: it is db1", "Host: it is db2", "Port: it is db1",
	}), 0, 5, rapid.ID)
	rapid.Check(t, func(rt *rapid.T) {
		g := newGraph(t)
		for range rapid.IntRange(1, 5).Draw(rt, "edits") {
			var notes []Note
			here := 0
			for _, file := range files {
				notes = append(notes, daily(file, texts.Draw(rt, file)...))
				here += len(notes[len(notes)-1].Outcomes)
			}
			g.ingest(notes...)
			for _, n := range notes {
				for _, o := range n.Outcomes {
					if !g.remembers(o) {
						rt.Fatalf("%s in %s has no memory", o.Body, n.File)
					}
				}
			}
			p := g.ingest(notes...)
			wantCounts(rt, p, 0, 0, here, 0)
			wantNothing(rt, p)
		}
	})
}
