package capture

import (
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// confirmKnown stores the source of a capture whose text is known, and counts it as a
// confirmation and an access of the memory with that text. The id of the capture redirects.
func (s *Service) confirmKnown(tx brain.Tx, f facts) (done brain.Captured, err error) {
	c, m := f.capture, f.held
	if !f.stored {
		m = f.known.Confirmed(m, c.Memory, c.Source)
		p := plan{memories: []brain.Memory{m}}
		p.count(c)
		for _, r := range f.related {
			p.relations = append(p.relations, brain.Relation{From: m.ID, Type: r.Type, To: r.To})
		}
		if c.Source != nil {
			p.sources = []brain.Source{*c.Source}
			p.relations = append(p.relations, brain.Relation{From: c.Source.ID, Type: brain.HasMemory, To: m.ID})
		}
		if err = write(tx, p); err == nil {
			err = lifecycle.PutRedirect(tx, c.Memory.ID, m.ID, c.At)
		}
		if err == nil {
			m, err = s.confirm(tx, m, c.At)
		}
	}
	done = unstoredAnswer(c)
	done.MemoryID, done.Known, done.Kind, done.Title = m.ID, m.ID, m.MemoryType, m.Name
	done.Tier, done.Energy = m.Tier, f.policy.Energy(m.State, c.At)
	return done, err
}

// replace lets the memory of a stored capture hold instead of those that the capture names,
// as a run of its own.
func (s *Service) replace(tx brain.Tx, c brain.Capture, done *brain.Captured) error {
	for _, id := range c.Replaces {
		old, err := lifecycle.ResolveHolding(tx, id)
		if err != nil {
			return err
		}
		done.Replaced = brain.Union(done.Replaced, []string{old.Memory.ID})
	}
	actions, err := s.replacer.ReplaceIn(tx, done.MemoryID, done.Replaced, c.At)
	if err != nil {
		return err
	}
	run := s.base.NewRun(brain.RunReplace, c.At)
	run.Finished, run.Actions = c.At, len(actions)
	done.RunID = run.ID
	done.Similar = slices.DeleteFunc(done.Similar, func(m brain.Memory) bool { return slices.Contains(done.Replaced, m.ID) })
	if m := actions[0].Changes[0].After; m != nil && m.ID == done.MemoryID {
		policy, err := brain.ReadPolicy(tx)
		if err != nil {
			return err
		}
		done.Tier, done.Energy = m.Tier, policy.Energy(m.State, c.At)
	}
	return lifecycle.WriteJournal(tx, &run, lifecycle.NumberActions(actions, run.ID, 1))
}
