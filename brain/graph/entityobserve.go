package graph

import (
	"context"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// ObservationsOf are observations of one entity, by its name.
type ObservationsOf struct {
	EntityName string
	Contents   []string
}

// AddObservations adds observations that entities do not have yet, in one transaction, and
// returns those, in the given order. If an entity does not exist, it returns
// [brain.ErrNotFound] and stores nothing.
func (s *Service) AddObservations(ctx context.Context, asked []ObservationsOf) (added []ObservationsOf, err error) {
	now := s.base.Now()
	asked, secrets := s.cleanObservations(asked)
	err = s.base.Store.Update(ctx, func(tx brain.Tx) error {
		found, err := findObserved(tx, asked)
		if err != nil {
			return err
		}
		changes, lacking, err := planAdded(found, asked, now)
		if err != nil || len(changes) == 0 && added != nil {
			return err // nothing is left to add: an earlier try was stored
		}
		if added = lacking; len(changes) == 0 {
			return nil
		}
		if err := lifecycle.AddTally(tx, lifecycle.TallyRedacted, secrets, now); err != nil {
			return err
		}
		return putChanged(tx, changes)
	})
	return added, brain.Wrap(err, "add observations")
}

// DeleteObservations removes exactly these observations, in one journaled transaction that
// [journal.Service.Undo] can undo. Observations that do not exist are ignored.
func (s *Service) DeleteObservations(ctx context.Context, asked []ObservationsOf) error {
	now := s.base.Now()
	asked, _ = s.cleanObservations(asked)
	_, _, err := s.base.Act(ctx, s.base.NewRun(RunObserve, now), now, func(tx brain.Tx) ([]brain.Action, error) {
		found, err := findObserved(tx, asked)
		if err != nil {
			return nil, err
		}
		changes := planObservations(found, asked, func(held []string, remove ObservationsOf) []string {
			return slices.DeleteFunc(slices.Clone(held), func(o string) bool { return slices.Contains(remove.Contents, o) })
		}, now)
		var actions []brain.Action
		for _, c := range changes {
			actions = append(actions, brain.Action{
				Kind: ActObserve, IDs: []string{c.After.ID}, Reason: "observations deleted by an agent", At: now, Changes: []brain.Change{c},
			})
		}
		return actions, putChanged(tx, changes)
	})
	return brain.Wrap(err, "delete observations")
}

func (s *Service) cleanObservations(all []ObservationsOf) (cleaned []ObservationsOf, secrets int) {
	clean := s.base.Redaction()
	for _, o := range all {
		cleaned = append(cleaned, ObservationsOf{clean.Text(o.EntityName), clean.List(o.Contents)})
	}
	s.base.ReportRedacted(clean.Found)
	return cleaned, clean.Found
}

func findObserved(tx brain.Tx, all []ObservationsOf) (map[string]brain.Memory, error) {
	return lifecycle.FindEntities(tx, brain.Map(all, func(o ObservationsOf) string { return o.EntityName }))
}

// planAdded returns the changes, and the new observations of each entity.
func planAdded(found map[string]brain.Memory, asked []ObservationsOf, now time.Time) ([]brain.Change, []ObservationsOf, error) {
	for _, o := range asked {
		if _, ok := found[o.EntityName]; !ok {
			return nil, nil, brain.Errorf(brain.ErrNotFound, "", "Entity with name %s not found", o.EntityName)
		}
	}
	added := []ObservationsOf{}
	changes := planObservations(found, asked, func(held []string, o ObservationsOf) []string {
		after := brain.Union(slices.Clip(held), o.Contents)
		added = append(added, ObservationsOf{o.EntityName, append([]string{}, after[len(held):]...)})
		return after
	}, now)
	for _, c := range changes {
		if err := checkObservations(c.After.Name, c.After.Observations); err != nil {
			return nil, nil, err
		}
	}
	return changes, added, nil
}

// planObservations edits the observations of entities in the given order, and returns one
// change for each entity that changes. Two names may redirect to the same entity; unknown
// names are skipped.
func planObservations(
	found map[string]brain.Memory, asked []ObservationsOf, edit func(held []string, asked ObservationsOf) []string, now time.Time,
) (changes []brain.Change) {
	for _, o := range asked {
		m, ok := found[o.EntityName]
		if !ok {
			continue
		}
		i := slices.IndexFunc(changes, func(c brain.Change) bool { return c.ID() == m.ID })
		if i < 0 {
			i, changes = len(changes), append(changes, brain.Change{Before: new(m), After: new(m)})
		}
		after := changes[i].After
		after.Observations = edit(after.Observations, o)
	}
	changes = slices.DeleteFunc(changes, func(c brain.Change) bool { return slices.Equal(c.Before.Observations, c.After.Observations) })
	for _, c := range changes {
		c.After.Version++
		c.After.Complete()
		lifecycle.ApplyObservations(c.After, c.Before.Observations, now)
	}
	return changes
}

func putChanged(tx brain.MemoryWriter, changes []brain.Change) error {
	return tx.PutMemories(brain.Map(changes, func(c brain.Change) brain.Memory { return *c.After })...)
}
