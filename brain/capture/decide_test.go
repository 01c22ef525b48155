package capture

import (
	"errors"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

var noon = time.Date(2026, 2, 6, 12, 0, 0, 0, time.UTC)

func learning() brain.Capture {
	s := brain.Source{ID: "s", Kind: brain.Learning, Concept: "walrus", Learned: "tusks"}
	m := brain.Memory{ID: "m", Name: "walrus", Content: "tusks", MemoryType: "learning", SourceNodeID: "s", SessionID: "session"}
	m.Complete()
	return brain.Capture{Source: &s, Memory: &m, At: noon}
}

func outcome() brain.Capture {
	c := learning()
	c.Source.Kind, c.Source.Project, c.Source.Created = brain.Outcome, "lake", noon
	c.Memory.Project, c.Memory.Agent = "lake", "Ada"
	return c
}

func TestDecideStoresANewCapture(t *testing.T) {
	c := learning()
	c.Redacted, c.Gate = 2, &brain.Gate{}
	asked := brain.Relation{From: "m", Type: "part_of", To: "zoo"}
	p, err := decide(facts{timeline: tiers.NewTimeline(), relations: []brain.Relation{asked}}, c)
	if err != nil {
		t.Fatal(err)
	}
	if !p.isNew || len(p.memories) != 1 || p.source == nil || p.redacted != 2 || p.judged != 1 {
		t.Fatalf("%+v", p)
	}
	if m := p.memories[0]; m.Tier != tiers.Working || m.NameKey == "" || !m.LastAccessed.Equal(noon) || !m.ValidFrom.Equal(noon) {
		t.Errorf("memory: %+v", m)
	}
	if len(p.relations) != 2 || p.relations[0] != asked || p.relations[1] != (brain.Relation{From: "s", Type: brain.HasMemory, To: "m"}) {
		t.Errorf("relations: %v", p.relations)
	}
	if c.Memory.Tier != "" {
		t.Error("the caller's capture was changed")
	}
}

func TestDecideLeavesAStoredCaptureAsItIs(t *testing.T) {
	c := learning()
	p, err := decide(facts{timeline: tiers.NewTimeline(), isStored: true, stored: *c.Memory}, c)
	if err != nil || p.isNew || p.source != nil || len(p.memories)+len(p.relations)+p.redacted+p.judged != 0 {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestDecideStoresAnActivityWithoutAMemory(t *testing.T) {
	c := brain.Capture{Source: &brain.Source{ID: "s", Kind: brain.Activity, Description: "a walk"}, At: noon}
	p, err := decide(facts{timeline: tiers.NewTimeline()}, c)
	if err != nil || p.source == nil || len(p.memories)+len(p.relations) != 0 {
		t.Errorf("%+v, %v", p, err)
	}
	if got := p.answer; got.SourceID != "s" || got.MemoryID != "" || got.Title != "a walk" || got.Tier != "" {
		t.Errorf("answer: %+v", got)
	}
}

func TestDecideRefusesTheNameOfAnotherEntity(t *testing.T) {
	c := learning()
	c.Memory.Entity = true
	_, err := decide(facts{timeline: tiers.NewTimeline(), sameName: brain.Memory{ID: "other", Name: "Walrus"}}, c)
	if !errors.Is(err, brain.ErrConflict) {
		t.Error(err)
	}
}

// An outcome may have been read from its note, and promoted, before its capture
// comes out of the spool.
func TestDecideCompletesAnOutcomeThatWasReadFromItsNote(t *testing.T) {
	c := outcome()
	stored := brain.Memory{ID: "m", Name: "walrus", Version: 1, AccessCount: 5}
	newest := brain.Memory{ID: "promoted", Name: "walrus", Version: 3, AccessCount: 5}
	f := facts{timeline: tiers.NewTimeline(), isStored: true, stored: stored, newest: newest, source: brain.Source{ID: "s", File: "day.md"}}
	p, err := decide(f, c)
	if err != nil || p.isNew || len(p.memories) != 2 {
		t.Fatalf("%+v, %v", p, err)
	}
	for i, version := range []int64{2, 4} {
		if m := p.memories[i]; m.Project != "lake" || m.SessionID != "session" || m.Agent != "Ada" || int64(m.Version) != version {
			t.Errorf("memory: %+v", m)
		}
	}
	if p.source == nil || p.source.Project != "lake" || p.source.File != "day.md" || !p.source.Created.Equal(noon) {
		t.Errorf("source: %+v", p.source)
	}
	f.stored.SessionID = "session" // it was captured whole
	if p, err := decide(f, c); err != nil || len(p.memories) != 0 || p.source != nil {
		t.Errorf("again: %+v, %v", p, err)
	}
}
