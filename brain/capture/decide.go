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
	isStored  bool             // whether the memory of the capture is already stored
	stored    brain.Memory     // that memory
	newest    brain.Memory     // newest memory of its chain; set only if lacksCapture
	source    brain.Source     // source of that memory; set only if lacksCapture
	sameName  brain.Memory     // existing entity with the same name
	relations []brain.Relation // relations that the capture requests
}

// lacksCapture reports whether the stored memory was ingested from the note of an
// outcome while its capture was still in the spool. Every capture has a session, so a
// memory without one has not been captured yet.
func (f facts) lacksCapture(c brain.Capture) bool {
	return f.isStored && c.Source != nil && c.Source.Kind == brain.Outcome && f.stored.SessionID == "" && c.Memory.SessionID != ""
}

// plan is what storing a capture changes.
type plan struct {
	isNew     bool
	memories  []brain.Memory // the captured memory comes first
	source    *brain.Source
	relations []brain.Relation
	redacted  int // number of redacted secrets
	judged    int // number of captures that the relevance filter judged: 0 or 1
}

// decide returns what storing a capture changes.
func decide(f facts, c brain.Capture) (plan, error) {
	switch {
	case f.lacksCapture(c):
		return completeFromCapture(f, c), nil
	case f.isStored:
		return plan{}, nil
	case f.sameName.ID != "":
		return plan{}, brain.Errorf(brain.ErrConflict, fmt.Sprintf("change it with `brainbridge correct %s TEXT`", f.sameName.ID),
			"an entity named %q already exists: %s", f.sameName.Name, f.sameName.ID)
	}
	p := plan{isNew: true, source: c.Source, relations: f.relations, redacted: c.Redacted}
	if c.Gate != nil {
		p.judged = 1
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

// completeFromCapture completes an outcome that was ingested from its note with the
// data of its capture: creation time, project, session, agent, relations and, if it is
// unused, its initial state.
func completeFromCapture(f facts, c brain.Capture) plan {
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

// answer returns the answer to a capture. m is the stored memory, or the zero value if
// there is none yet. The kind and title of a memory take precedence over those of its
// source.
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
