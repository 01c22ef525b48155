package graph

import (
	"context"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// The kinds of runs and actions of the knowledge graph beside those of memories.
const (
	RunUnrelate                  = "unrelate"
	RunObserve                   = "observe"
	ActUnrelate brain.ActionKind = "unrelate"
	ActObserve  brain.ActionKind = "observe" // observations of an entity were deleted

	becauseUnrelated = "relation deleted by an agent"
)

// CreateRelations creates the relations that do not exist yet, in one journaled
// transaction, and returns them in the given order, each once. A relation with a name that
// no entity has is pending until there is one, and is part of the graph meanwhile.
func (s *Service) CreateRelations(ctx context.Context, wanted []brain.EntityRelation) (made []brain.EntityRelation, err error) {
	made, _, err = s.CreateRelationsIn(ctx, s.base.NewRun(brain.RunRelate, s.base.Now()), wanted)
	return made, err
}

// CreateRelationsIn is [Service.CreateRelations] in a run. It returns the run after them.
func (s *Service) CreateRelationsIn(ctx context.Context, run brain.Run, wanted []brain.EntityRelation) (made []brain.EntityRelation, next brain.Run, err error) {
	at := s.base.Options.Now()
	now := brain.Instant(at)
	wanted, secrets := s.cleanRelations(wanted)
	for _, r := range wanted {
		if err := CheckEntityRelation(r); err != nil {
			return nil, run, err
		}
	}
	_, next, err = s.base.Act(ctx, run, now, func(tx brain.Tx) ([]brain.Action, error) {
		related, err := readRelated(tx, wanted)
		if err != nil {
			return nil, err
		}
		var actions []brain.Action
		if actions, made, err = planRelations(related, wanted, at); err != nil || len(made) == 0 {
			return nil, err
		}
		if err := lifecycle.PutLinks(tx, actions...); err != nil {
			return nil, err
		}
		return actions, lifecycle.AddTally(tx, lifecycle.TallyRedacted, secrets, now)
	})
	return made, next, brain.Wrap(err, "create relations")
}

// DeleteRelations removes relations of the graph, including pending ones, in one journaled
// transaction that [journal.Service.Undo] can undo. Relations that do not exist are
// ignored.
func (s *Service) DeleteRelations(ctx context.Context, rels []brain.EntityRelation) error {
	now := s.base.Now()
	rels, _ = s.cleanRelations(rels)
	_, _, err := s.base.Act(ctx, s.base.NewRun(RunUnrelate, now), now, func(tx brain.Tx) ([]brain.Action, error) {
		related, err := readRelated(tx, rels)
		if err != nil {
			return nil, err
		}
		actions := planUnrelated(related, rels, now)
		return actions, lifecycle.PutLinks(tx, actions...)
	})
	return brain.Wrap(err, "delete relations")
}

// cleanRelations returns relations without secrets, each once, and the number of secrets.
func (s *Service) cleanRelations(rs []brain.EntityRelation) (cleaned []brain.EntityRelation, secrets int) {
	clean := s.base.Redaction()
	seen := map[brain.EntityRelation]bool{}
	for _, r := range rs {
		clean.Texts(&r.From, &r.To, &r.RelationType)
		if !seen[r] {
			seen[r] = true
			cleaned = append(cleaned, r)
		}
	}
	s.base.ReportRedacted(clean.Found)
	return cleaned, clean.Found
}

// CheckEntityRelation returns [brain.ErrInvalid] for a relation that the knowledge graph
// cannot have: with a name that no entity can have, or with a built-in type.
func CheckEntityRelation(r brain.EntityRelation) error {
	for _, name := range []string{r.From, r.To} {
		if err := checkEntityName(name); err != nil {
			return err
		}
	}
	return brain.CheckRelationType(r.RelationType)
}

// related has the stored entities and relations of some relations.
type related struct {
	entities map[string]brain.Memory           // by name
	held     map[brain.Relation]brain.Relation // by the key
	waiting  map[brain.EntityRelation]brain.Record
	latest   int64 // Made of the latest of these relations
}

func readRelated(r brain.Reader, rels []brain.EntityRelation) (related, error) {
	var names []string
	for _, rel := range rels {
		names = append(names, rel.From, rel.To)
	}
	entities, err := lifecycle.FindEntities(r, names)
	held := lifecycle.Get(&err, r.Relations, brain.IDs(distinct(entities))...)
	if err != nil {
		return related{}, err
	}
	f := related{entities: entities, held: map[brain.Relation]brain.Relation{}, waiting: map[brain.EntityRelation]brain.Record{}}
	for _, rel := range held {
		f.held[rel.Key()], f.latest = rel, max(f.latest, rel.Made)
	}
	waiting, err := lifecycle.PendingEntityRelations(r)
	for _, w := range waiting {
		f.waiting[w.EntityRelation], f.latest = w.Rec, max(f.latest, w.Made)
	}
	return f, err
}

// between returns the key of a relation; ok is false if an entity does not exist.
func (f related) between(r brain.EntityRelation) (key brain.Relation, ok bool) {
	from, to := f.entities[r.From].ID, f.entities[r.To].ID
	return brain.Relation{From: from, Type: r.RelationType, To: to}, from != "" && to != ""
}

// planRelations returns the actions that create relations, one for each entity at which
// they start and one for each pending relation, and the new relations. Their creation times
// are a microsecond apart and later than those of the existing relations of their entities,
// even if the clock has not advanced.
func planRelations(f related, wanted []brain.EntityRelation, start time.Time) (actions []brain.Action, made []brain.EntityRelation, err error) {
	made = []brain.EntityRelation{}
	now, first := brain.Instant(start), max(start.UnixMicro(), f.latest+1)
	var pending []brain.Action
	at := map[string]int{} // index of the action, by entity
	for _, r := range wanted {
		rel, joined := f.between(r)
		_, waits := f.waiting[r]
		if _, holds := f.held[rel]; waits || joined && holds {
			continue
		}
		made = append(made, r)
		instant := first + int64(len(made)-1)
		if !joined {
			rec, err := lifecycle.NewPendingEntityRecord(r, now, instant)
			if err != nil {
				return nil, nil, err
			}
			pending = append(pending, brain.Action{
				Kind: brain.ActRelate, IDs: []string{rec.ID}, Reason: "related by an agent; no entity has one of the names yet", At: now, Made: []brain.Record{rec},
			})
			continue
		}
		rel.Made = instant
		f.held[rel.Key()] = rel
		n, known := at[rel.From]
		if !known {
			n = len(actions)
			at[rel.From] = n
			before := f.entities[r.From]
			actions = append(actions, brain.Action{
				Kind: brain.ActRelate, IDs: []string{rel.From}, Reason: "related by an agent", At: now,
				Changes: []brain.Change{nextVersion(before)},
			})
		}
		actions[n].Linked = append(actions[n].Linked, rel)
	}
	return append(actions, pending...), made, nil
}

// planUnrelated returns the actions that delete relations, one for each.
func planUnrelated(f related, rels []brain.EntityRelation, now time.Time) (actions []brain.Action) {
	latest := map[string]brain.Memory{} // by id, after the actions so far
	for _, r := range rels {
		if rec, waits := f.waiting[r]; waits {
			actions = append(actions, deletePendingRelation(rec, now))
		}
		key, joined := f.between(r)
		rel, holds := f.held[key]
		if !joined || !holds {
			continue
		}
		before, changed := latest[rel.From]
		if !changed {
			before = f.entities[r.From]
		}
		change := nextVersion(before)
		latest[rel.From] = *change.After
		actions = append(actions, brain.Action{
			Kind: ActUnrelate, IDs: []string{rel.From, rel.To}, Reason: becauseUnrelated, At: now,
			Unlinked: []brain.Relation{rel}, Changes: []brain.Change{change},
		})
	}
	return actions
}

// deletePendingRelation returns the action that deletes a pending relation.
func deletePendingRelation(rec brain.Record, now time.Time) brain.Action {
	return brain.Action{Kind: ActUnrelate, IDs: []string{rec.ID}, Reason: becauseUnrelated, At: now, Removed: []brain.Record{rec}}
}

// nextVersion returns the change of a memory whose relations change.
func nextVersion(before brain.Memory) brain.Change {
	after := before
	after.Version++
	return brain.Change{Before: &before, After: &after}
}
