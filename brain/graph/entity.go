// Package graph manages entities, their observations and the relations between them: the
// knowledge graph of the reference memory server.
package graph

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// Service manages entities, their observations and the relations between them. It is safe
// for concurrent use.
type Service struct {
	base   lifecycle.Base
	forget *journal.Service
}

// New returns the service, which deletes entities through forget.
func New(base lifecycle.Base, forget *journal.Service) *Service {
	return &Service{base: base, forget: forget}
}

// checkEntity returns an error for an entity that cannot be stored. All texts and the list
// of observations may be empty, as in the reference memory server.
func checkEntity(e brain.Entity) error {
	if err := checkEntityName(e.Name); err != nil {
		return err
	}
	if err := checkEntityText("the type of the entity", e.EntityType); err != nil {
		return err
	}
	return checkObservations(e.Name, e.Observations)
}

func checkEntityName(name string) error {
	if n := utf8.RuneCountInString(name); n > brain.MaxName {
		return brain.Errorf(brain.ErrInvalid, "give it a short name and put the rest into an observation",
			"the name %.40q… has %d characters, more than the limit of %d", name, n, brain.MaxName)
	}
	return checkEntityText("the name of the entity", name)
}

func checkObservations(name string, observations []string) error {
	name = plaintext.Clip(name, brain.DerivedName)
	size := 0
	for _, o := range observations {
		if err := checkEntityText("an observation of "+name, o); err != nil {
			return err
		}
		size += len(o) + 1
	}
	if size > brain.MaxContent {
		return brain.Errorf(brain.ErrInvalid, "split it into several entities, or keep long texts in a file below knowledge/",
			"the observations of %s have %d bytes, more than the limit of %d for a memory", name, size, brain.MaxContent)
	}
	return nil
}

// checkEntityText is [brain.CheckText], except that the text may be empty.
func checkEntityText(what, text string) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return brain.CheckText(what, text)
}

// DeleteEntities forgets entities with their relations, including pending ones. They are
// archived first and then removed, as one journaled run that [journal.Service.Undo] can
// undo. For a name without an entity, it removes only the pending relations.
func (s *Service) DeleteEntities(ctx context.Context, names []string) error {
	run := s.base.NewRun(brain.RunForget, s.base.Now())
	names = s.base.Redaction().List(names)
	err := lifecycle.Retry(func() error {
		plans, err := lifecycle.Read(ctx, s.base, func(r brain.Reader) ([]journal.Forgetting, error) {
			found, err := lifecycle.FindEntities(r, names)
			if err != nil {
				return nil, err
			}
			return journal.PlanMemories(r, distinct(found)...)
		})
		if err == nil {
			_, err = s.forget.ApplyForget(ctx, plans, &run, "deleted by an agent")
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("delete entities: %w", err)
	}
	return s.deletePendingRelations(ctx, run, names)
}

// deletePendingRelations removes the pending relations from or to one of the names.
func (s *Service) deletePendingRelations(ctx context.Context, run brain.Run, names []string) error {
	now := s.base.Now()
	_, _, err := s.base.Act(ctx, run, now, func(tx brain.Tx) ([]brain.Action, error) {
		pending, err := lifecycle.PendingEntityRelations(tx)
		if err != nil {
			return nil, err
		}
		var actions []brain.Action
		for _, p := range pending {
			if slices.Contains(names, p.From) || slices.Contains(names, p.To) {
				actions = append(actions, deletePendingRelation(p.Rec, now))
			}
		}
		return actions, lifecycle.PutLinks(tx, actions...)
	})
	return brain.Wrap(err, "delete the relations of entities")
}
