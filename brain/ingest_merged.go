package brain

import (
	"github.com/brainbridge/brainbridge/tiers"
)

// merged reports whether the memory of an outcome speaks for others too, or
// another speaks for it: then an edit of the outcome is not theirs.
func (m *Memory) merged() bool { return len(m.MergedFrom) > 0 || m.Tier == tiers.Superseded }

// partWays gives an outcome that was edited a memory of its own again, after
// its memory was merged. What was merged stays as it is, without the note.
func (in *ingest) partWays(m Memory, e edit) error {
	next := in.memory(e.source, e.source.File, e.outcome)
	next.Project, next.Agent, next.SessionID = m.Project, m.Agent, m.SessionID
	next.ValidFrom = in.now
	next.complete()
	for _, name := range e.outcome.Mentions {
		in.mentions = append(in.mentions, mention{next.ID, name})
	}
	m.SourceNodeID = ""
	m.Version++
	in.memories = append(in.memories, m, next)
	in.rels = append(in.rels, Relation{e.source.ID, HasMemory, next.ID})
	return in.tx.DeleteRelations(Relation{e.source.ID, HasMemory, m.ID})
}
