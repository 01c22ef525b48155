package capture

import (
	"cmp"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// facts are the data of the store that a capture depends on.
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

// plan has the writes of a capture, and its answer.
type plan struct {
	at        time.Time
	isNew     bool
	memories  []brain.Memory // the captured memory comes first
	source    *brain.Source
	relations []brain.Relation
	redacted  int // number of redacted secrets
	judged    int // number of captures that the relevance filter judged: 0 or 1
	answer    brain.Captured
}

// decide returns what storing a capture changes.
func decide(f facts, c brain.Capture) (plan, error) {
	p := plan{at: c.At, answer: answer(c)}
	switch {
	case f.lacksCapture(c):
		p.complete(f, c)
	case f.sameName.ID != "":
		return plan{}, brain.Errorf(brain.ErrConflict, fmt.Sprintf("change it with `brainbridge correct %s TEXT`", f.sameName.ID),
			"an entity named %q already exists: %s", f.sameName.Name, f.sameName.ID)
	case !f.isStored:
		p.add(f, c)
	}
	for i := range p.memories {
		lifecycle.ApplyCapture(f.timeline, c, &p.memories[i])
	}
	m := f.stored
	if len(p.memories) > 0 {
		m = p.memories[0]
	}
	if m.ID != "" {
		p.answer.Tier, p.answer.Energy = m.Tier, f.timeline.Energy(m.State, c.At)
	}
	return p, nil
}

// add plans a capture that is not stored yet.
func (p *plan) add(f facts, c brain.Capture) {
	p.isNew, p.source, p.relations, p.redacted = true, c.Source, f.relations, c.Redacted
	if c.Gate != nil {
		p.judged = 1
	}
	if c.Memory == nil {
		return
	}
	m := *c.Memory
	if c.Source != nil {
		p.relations = append(p.relations, brain.Relation{From: c.Source.ID, Type: brain.HasMemory, To: m.ID})
	}
	m.ApplyObservations(nil, c.At)
	p.memories = []brain.Memory{m}
}

// complete plans the completion of an outcome that was ingested from its note with
// the data of its capture: creation time, project, session, agent, relations and, if
// it is unused, its initial state.
func (p *plan) complete(f facts, c brain.Capture) {
	p.memories, p.relations = []brain.Memory{f.stored}, f.relations
	if f.newest.ID != f.stored.ID {
		p.memories = append(p.memories, f.newest)
	}
	for i := range p.memories {
		p.memories[i].Version++
	}
	if s := f.source; s.ID != "" {
		s.Created, s.Project = c.Source.Created, cmp.Or(s.Project, c.Source.Project)
		p.source = &s
	}
}
