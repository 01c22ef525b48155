package ingest

import (
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// takeOver makes a source that is back in its note that of its memory, if the other one is gone.
func (d *planner) takeOver(s brain.Source) {
	m := d.memories[d.memoryOf[s.ID]]
	for _, other := range d.tellers[m.ID] {
		if other.ID == m.SourceNodeID && other.ID != s.ID && !other.Removed.IsZero() {
			d.handOver(m, s)
		}
	}
}

// tell plans the memory of a source that has none. If its text is known, the source leads to
// the memory that says it, which is confirmed. A note adds no energy to it.
func (d *planner) tell(m brain.Memory, s brain.Source) {
	held, known := d.texts.Find(&m, &s)
	if known {
		if s.ID != "" && m.ID == brain.OutcomeMemoryID(s.ID) { // its capture may be in the spool
			d.plan.redirects = append(d.plan.redirects, [2]string{m.ID, held.ID})
		}
		held = d.texts.Confirmed(held, &m, &s)
		held.Confirmations++
		m = held
		d.change(m)
	} else {
		d.remember(m, "", textOf(s))
	}
	d.texts.Put(m, &s)
	d.memories[m.ID], d.memoryOf[s.ID] = m, m.ID
	d.tellers[m.ID] = append(slices.Clip(d.tellers[m.ID]), s)
	d.relate(brain.Relation{From: s.ID, Type: brain.HasMemory, To: m.ID})
}

// change plans a changed memory, once.
func (d *planner) change(m brain.Memory) {
	d.plan.memories = slices.DeleteFunc(d.plan.memories, func(other brain.Memory) bool { return other.ID == m.ID })
	d.plan.memories = append(d.plan.memories, m)
}

// otherTeller returns another source of a memory than s, one that is still in its note if
// there is one.
func (d *planner) otherTeller(memory string, s brain.Source) (found brain.Source, ok bool) {
	for _, other := range d.tellers[memory] {
		if other.ID == s.ID {
			continue
		}
		for _, planned := range d.plan.sources {
			if planned.ID == other.ID {
				other = planned
			}
		}
		if !ok || other.Removed.IsZero() {
			found, ok = other, true
		}
	}
	return found, ok
}

// handOver makes another source that of the memory of s.
func (d *planner) handOver(m brain.Memory, to brain.Source) {
	m.SourceNodeID, m.Position, m.Group = to.ID, to.Line, ""
	if to.File != "" {
		m.Group = to.Dir + "/" + to.File
	}
	m.Version++
	d.memories[m.ID] = m
	d.change(m)
}
