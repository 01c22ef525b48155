package graph

import (
	"context"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// CreateEntities creates the entities whose names are not taken, in one transaction, and
// returns them in the given order. If a name is given twice, the first one counts. Existing
// entities do not change. If a name has more than [brain.MaxName] characters, it returns
// [brain.ErrInvalid] and creates nothing.
func (s *Service) CreateEntities(ctx context.Context, wanted []brain.Entity) (made []brain.Entity, err error) {
	at := s.base.Options.Now()
	all, secrets, err := s.newEntities(wanted, at)
	if err != nil {
		return nil, err
	}
	names := brain.Map(all, func(m brain.Memory) string { return m.Name })
	now := brain.Instant(at)
	err = lifecycle.Retry(func() error { // another process may take one of the names at the same time
		return s.base.Store.Update(ctx, func(tx brain.Tx) error {
			held, err := lifecycle.FindEntities(tx, names)
			if err != nil {
				return err
			}
			policy, err := brain.ReadPolicy(tx)
			if err != nil {
				return err
			}
			var put []brain.Memory
			if put, made = chooseNew(all, held, policy, now); len(put) == 0 {
				return nil
			}
			return putEntities(tx, put, secrets, now)
		})
	})
	if err != nil {
		return nil, brain.Wrap(err, "create entities")
	}
	return made, nil
}

// newEntities returns the memories of entities, each name once, with secrets redacted.
func (s *Service) newEntities(wanted []brain.Entity, at time.Time) (made []brain.Memory, secrets int, err error) {
	redaction, now := s.base.Redaction(), brain.Instant(at)
	// Instants are stored in milliseconds. The rest becomes the position, so that entities of
	// one millisecond keep their order.
	nanos := at.Nanosecond() % int(time.Millisecond)
	seen := map[string]bool{}
	for _, e := range wanted {
		e.Observations = redaction.List(e.Observations)
		redaction.Texts(&e.Name, &e.EntityType)
		if err := checkEntity(e); err != nil {
			return nil, 0, err
		}
		if seen[e.Name] {
			continue
		}
		seen[e.Name] = true
		m := brain.Memory{
			ID: s.base.NewID(), Name: e.Name, MemoryType: e.EntityType, Observations: e.Observations, Created: now,
			SessionID: s.base.SessionAt(now), Agent: s.base.Agent, Position: nanos + len(made), AccessCount: 1, LastAccessed: now,
		}
		m.Entity = true
		made = append(made, m)
	}
	s.base.ReportRedacted(redaction.Found)
	return made, redaction.Found, nil
}

// chooseNew returns in put the entities to store now, whose names are not taken, and in made
// these and those that an earlier try of the call has stored.
func chooseNew(all []brain.Memory, held map[string]brain.Memory, policy *tiers.Policy, now time.Time) (put []brain.Memory, made []brain.Entity) {
	made = []brain.Entity{}
	for _, m := range all {
		holder, taken := held[m.Name]
		if taken && holder.ID != m.ID {
			continue
		}
		made = append(made, toEntity(m))
		if !taken {
			m.State = policy.StartEntity(now)
			m.Complete()
			lifecycle.ApplyObservations(&m, nil, now)
			put = append(put, m)
		}
	}
	return put, made
}

// putEntities stores new entities with the relations that waited for their names.
func putEntities(tx brain.Tx, ms []brain.Memory, secrets int, now time.Time) error {
	err := lifecycle.AddTally(tx, lifecycle.TallyRedacted, secrets, now)
	lifecycle.Put(&err, tx.PutMemories, ms...)
	if err != nil {
		return err
	}
	mentioned, _, err := lifecycle.JoinPending(tx, ms...)
	lifecycle.Put(&err, tx.PutRelations, mentioned...)
	if err != nil {
		return err
	}
	return lifecycle.JoinPendingEntities(tx, ms)
}
