package ingest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// graph is what a store would hold: plans are applied to it, and facts read
// from it.
type graph struct {
	*testing.T
	now      time.Time
	ids      int
	sources  map[string]brain.Source
	memories map[string]brain.Memory
	sections map[string]brain.Section
	memoryOf map[string]string // by source
	follows  []brain.Relation  // and all others but HAS_MEMORY
}

func newGraph(t *testing.T) *graph {
	return &graph{
		T: t, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
		sources: map[string]brain.Source{}, memories: map[string]brain.Memory{},
		sections: map[string]brain.Section{}, memoryOf: map[string]string{},
	}
}

func (g *graph) newID() string {
	g.ids++
	return fmt.Sprintf("%08d-0000-4000-8000-000000000000", g.ids)
}

func (g *graph) facts(b batch) facts {
	f := facts{
		byKey: map[string]brain.Source{}, byFile: map[string][]brain.Source{}, byTitle: map[string][]brain.Source{},
		policy: new(tiers.DefaultPolicy()), memoryOf: g.memoryOf, memories: g.memories, sections: g.sections,
		tellers: map[string][]brain.Source{}, texts: lifecycle.Known{}.Clone(),
	}
	for source, memory := range g.memoryOf {
		f.tellers[memory] = append(f.tellers[memory], g.sources[source])
	}
	for _, m := range g.memories {
		if m.Current() {
			s := g.sources[m.SourceNodeID]
			f.texts.Put(m, &s)
		}
	}
	files := brain.Map(b.notes, func(n Note) string { return n.File })
	for _, id := range slices.Sorted(maps.Keys(g.sources)) {
		s := g.sources[id]
		f.byKey[s.Key] = s
		f.byTitle[s.TitleKey] = append(f.byTitle[s.TitleKey], s)
		if slices.Contains(files, s.File) {
			f.byFile[s.File] = append(f.byFile[s.File], s)
		}
	}
	return f
}

// apply stores a plan, and fails where a database would: two sources with one
// identity.
func (g *graph) apply(p plan) {
	for _, s := range slices.Concat(p.vacated, p.sources) {
		g.sources[s.ID] = s
	}
	holder := map[string]string{}
	for id, s := range g.sources {
		if holder[s.Key] != "" {
			g.Fatalf("%s and %s have one identity", id, holder[s.Key])
		}
		holder[s.Key] = id
	}
	for _, m := range p.memories {
		g.memories[m.ID] = m
	}
	for _, id := range p.gone {
		for key, s := range g.sections {
			if s.ID == id {
				delete(g.sections, key)
			}
		}
	}
	for _, s := range p.sections {
		g.sections[s.Key] = s
	}
	for _, r := range p.relations {
		if r.Type == brain.HasMemory {
			g.memoryOf[r.From] = r.To
			continue
		}
		g.follows = append(g.follows, r)
	}
}

// ingest decides on notes and applies the plan.
func (g *graph) ingest(notes ...Note) plan {
	b := batch{dir: "dir", notes: notes, now: g.now, newID: g.newID}
	p := decide(b, g.facts(b))
	g.apply(p)
	g.now = g.now.Add(time.Hour)
	return p
}

// memory returns the only current memory that says text.
func (g *graph) memory(text string) brain.Memory {
	g.Helper()
	var found []brain.Memory
	for _, m := range g.memories {
		if m.Content == text && m.Current() {
			found = append(found, m)
		}
	}
	if len(found) != 1 {
		g.Fatalf("%d memories say %q", len(found), text)
	}
	return found[0]
}

// source returns the outcome of the memory that says text.
func (g *graph) source(text string) brain.Source {
	g.Helper()
	return g.sources[g.memory(text).SourceNodeID]
}

// remembers reports whether there is a memory of an outcome that is in a note.
func (g *graph) remembers(o NoteOutcome) bool {
	for id, s := range g.sources {
		if s.Removed.IsZero() && s.Date == o.Date && s.BodyHash == o.BodyHash && g.memories[g.memoryOf[id]].Content == o.Content {
			return true
		}
	}
	return false
}

// daily returns the note of a day with outcomes written "title: body".
func daily(file string, outcomes ...string) Note {
	n := Note{File: file}
	times := map[string]int{}
	for i, text := range outcomes {
		title, body, _ := strings.Cut(text, ": ")
		number := fmt.Sprint(times[title])
		times[title]++
		n.Outcomes = append(n.Outcomes, NoteOutcome{
			Source: brain.Source{
				Key: brain.Hash(file[:10], title, number), Date: file[:10], Time: "09:00", Type: "decision", Title: title,
				TitleKey: brain.Hash(title), Importance: brain.Important, Body: body, BodyHash: brain.Hash(body), Line: 10*i + 1,
			},
			Content: body,
		})
	}
	return n
}
