package brain

import (
	"cmp"

	"github.com/brainbridge/brainbridge/tiers"
)

// catchUp completes an outcome that was taken in from its note before its
// capture came, out of the spool: the note says nothing of project, session,
// agent and relations. Every capture has a session, so a stored memory with
// one was captured whole, or has caught up, and stays as it is.
func catchUp(tx Tx, tl tiers.Timeline, c Capture, stored Memory) (Memory, error) {
	if c.Source == nil || c.Source.Kind != Outcome || stored.SessionID != "" || c.Memory.SessionID == "" {
		return stored, nil
	}
	newest, err := resolve(tx, stored.ID)
	if err != nil {
		return stored, err
	}
	rels, err := relationsOf(tx, c, newest.memory)
	if err != nil {
		return stored, err
	}
	caught := []Memory{stored}
	if newest.memory.ID != stored.ID {
		caught = append(caught, newest.memory)
	}
	for i := range caught {
		caught[i].Version++
		byHand(tl, c, &caught[i])
	}
	if err := catchUpSource(tx, *c.Source); err != nil {
		return stored, err
	}
	if err := tx.PutMemories(caught...); err != nil {
		return stored, err
	}
	return caught[0], tx.PutRelations(rels...)
}

func catchUpSource(tx Tx, captured Source) error {
	ss, err := tx.Sources(captured.ID)
	if err != nil || len(ss) == 0 {
		return err
	}
	s := ss[0]
	s.Created, s.Project = captured.Created, cmp.Or(s.Project, captured.Project)
	return tx.PutSources(s)
}

// byHand gives a memory that was made from a note what its capture knows
// besides. Its life begins at the capture, if nothing was done with it since.
func byHand(tl tiers.Timeline, c Capture, m *Memory) {
	if untouched(m) {
		m.State = startState(tl, c)
		m.LastAccessed = c.At
	}
	m.Created = c.Memory.Created
	m.Project = cmp.Or(m.Project, c.Memory.Project)
	m.SessionID = cmp.Or(m.SessionID, c.Memory.SessionID)
	m.Agent = cmp.Or(m.Agent, c.Memory.Agent)
}

// untouched reports whether a memory lives as its note began it.
func untouched(m *Memory) bool {
	return m.Tier == tiers.Working && m.ValidFrom.Equal(m.Created) && m.AccessCount == 1 &&
		m.RecallCount+m.UseCount+m.HelpfulCount+m.NotHelpfulCount+m.Confirmations == 0
}
