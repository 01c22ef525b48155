package capture

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// facts are what the store holds about a capture.
type facts struct {
	timeline  tiers.Timeline
	isStored  bool             // the capture
	stored    brain.Memory     // its memory
	newest    brain.Memory     // of the chain of stored, if lacksCapture
	source    brain.Source     // its source, if lacksCapture
	namesake  brain.Memory     // entity of its name
	relations []brain.Relation // that it asks for
}

// lacksCapture reports whether the stored memory was made from the note of an
// outcome whose capture comes later, out of the spool. Every capture has a
// session, so a stored memory with one has had its capture.
func (f facts) lacksCapture(c brain.Capture) bool {
	return f.isStored && c.Source != nil && c.Source.Kind == brain.Outcome && f.stored.SessionID == "" && c.Memory.SessionID != ""
}

// plan is what storing a capture changes.
type plan struct {
	isNew     bool
	memories  []brain.Memory // that of the capture first
	source    *brain.Source
	relations []brain.Relation
	redacted  int // secrets
	gated     int // captures that the relevance filter judged
}

// decide returns what storing a capture changes.
func decide(f facts, c brain.Capture) (plan, error) {
	switch {
	case f.lacksCapture(c):
		return completeNoted(f, c), nil
	case f.isStored:
		return plan{}, nil
	case f.namesake.ID != "":
		return plan{}, brain.Errorf(brain.ErrConflict, fmt.Sprintf("change it with `brainbridge correct %s TEXT`", f.namesake.ID),
			"there is an entity named %q already: %s", f.namesake.Name, f.namesake.ID)
	}
	p := plan{isNew: true, source: c.Source, relations: f.relations, redacted: c.Redacted}
	if c.Gate != nil {
		p.gated = 1
	}
	if c.Memory == nil {
		return p, nil
	}
	m := *c.Memory
	m.State = lifecycle.InitialState(f.timeline, c)
	m.LastAccessed = c.At
	m.Complete()
	m.ApplyObservations(nil, c.At)
	if c.Source != nil {
		p.relations = append(p.relations, brain.Relation{From: c.Source.ID, Type: brain.HasMemory, To: m.ID})
	}
	p.memories = []brain.Memory{m}
	return p, nil
}

// completeNoted adds to an outcome that was read from its note what the note
// does not say: project, session, agent and relations.
func completeNoted(f facts, c brain.Capture) plan {
	p := plan{memories: []brain.Memory{f.stored}, relations: f.relations}
	if f.newest.ID != f.stored.ID {
		p.memories = append(p.memories, f.newest)
	}
	for i := range p.memories {
		p.memories[i].Version++
		lifecycle.ApplyCapture(f.timeline, c, &p.memories[i])
	}
	if s := f.source; s.ID != "" {
		s.Created, s.Project = c.Source.Created, cmp.Or(s.Project, c.Source.Project)
		p.source = &s
	}
	return p
}

// answer returns the answer to a capture that is stored as m, the zero value for
// one without a memory, or that is not stored yet.
func answer(tl tiers.Timeline, c brain.Capture, m brain.Memory) brain.Captured {
	var done brain.Captured
	if c.Source != nil {
		done.SourceID, done.Kind, done.Title = c.Source.ID, strings.ToLower(string(c.Source.Kind)), c.Source.Description
	}
	if c.Memory != nil {
		done.MemoryID, done.Kind, done.Title = c.Memory.ID, c.Memory.MemoryType, c.Memory.Name
	}
	if m.ID != "" {
		done.Tier, done.Energy = m.Tier, tl.Energy(m.State, c.At)
	}
	return done
}
