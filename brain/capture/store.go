package capture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// Capture stores a capture: source, memory, HAS_MEMORY and relations in one
// transaction. While the store is away the spool keeps it.
//
// A capture that is stored already is left as it is, but for an outcome that was
// read from its note before: it gets what no note says. A relation to an id that
// does not exist is [brain.ErrNotFound] and stores nothing.
func (b *Service) Capture(ctx context.Context, c brain.Capture) (brain.Captured, error) {
	return b.orSpool(ctx, c, func() (brain.Captured, error) { return b.update(ctx, c, store) })
}

// orSpool calls store, and keeps the capture in the spool if the store is away.
func (b *Service) orSpool(ctx context.Context, c brain.Capture, store func() (brain.Captured, error)) (brain.Captured, error) {
	done, err := store()
	if b.base.Spool == nil || !brain.Away(err) {
		return done, err
	}
	if spoolErr := b.base.Spool.Add(ctx, c); spoolErr != nil {
		return brain.Captured{}, errors.Join(spoolErr, err)
	}
	done = answer(c)
	done.Away = err
	return done, nil
}

// answer returns the answer to a capture that is not stored yet. The kind and title of
// a memory take precedence over those of its source.
func answer(c brain.Capture) brain.Captured {
	var done brain.Captured
	if c.Source != nil {
		done.SourceID, done.Kind, done.Title = c.Source.ID, strings.ToLower(string(c.Source.Kind)), c.Source.Description
	}
	if c.Memory != nil {
		done.MemoryID, done.Kind, done.Title = c.Memory.ID, c.Memory.MemoryType, c.Memory.Name
	}
	return done
}

// update calls store in a transaction of its own.
func (b *Service) update(ctx context.Context, c brain.Capture,
	store func(brain.Tx, brain.Capture) (brain.Captured, error),
) (done brain.Captured, err error) {
	err = b.base.Store.Update(ctx, func(tx brain.Tx) (err error) {
		done, err = store(tx, c)
		return err
	})
	if err != nil {
		return brain.Captured{}, fmt.Errorf("capture: %w", err)
	}
	if done.MemoryID != "" {
		// The capture is stored. If this fails, the next run finds the conflict.
		done.DiffersFrom, _ = b.conflicts.NoteConflicts(ctx, done.MemoryID)
	}
	return done, nil
}

// store stores a capture in a transaction.
func store(tx brain.Tx, c brain.Capture) (brain.Captured, error) {
	done := answer(c)
	if c.Memory == nil {
		held, err := tx.Sources(c.Source.ID)
		if err == nil && len(held) == 0 {
			err = putSource(tx, c)
		}
		return done, err
	}
	tl, err := lifecycle.Timeline(tx)
	if err != nil {
		return brain.Captured{}, err
	}
	held, err := tx.Memories(c.Memory.ID)
	if err != nil {
		return brain.Captured{}, err
	}
	var m brain.Memory
	switch {
	case len(held) == 0:
		m, err = add(tx, tl, c)
	case lacksCapture(held[0], c):
		m, err = complete(tx, tl, c, held[0])
	default:
		m = held[0]
	}
	done.Tier, done.Energy = m.Tier, tl.Energy(m.State, c.At)
	return done, err
}

// putSource stores the source of a capture, and counts what was done to it.
func putSource(tx brain.Tx, c brain.Capture) error {
	judged := 0
	if c.Gate != nil {
		judged = 1
	}
	if err := lifecycle.AddTally(tx, lifecycle.TallyRedacted, c.Redacted, c.At); err != nil {
		return err
	}
	if err := lifecycle.AddTally(tx, lifecycle.TallyGated, judged, c.At); err != nil || c.Source == nil {
		return err
	}
	return tx.PutSources(*c.Source)
}

// add stores a capture that is not stored yet.
func add(tx brain.Tx, tl tiers.Timeline, c brain.Capture) (brain.Memory, error) {
	m := *c.Memory
	relations, err := lifecycle.CaptureRelations(tx, m.ID, c.Relate)
	if err != nil {
		return m, err
	}
	if err := checkName(tx, m); err != nil {
		return m, err
	}
	m.ApplyObservations(nil, c.At)
	lifecycle.ApplyCapture(tl, c, &m)
	err = putSource(tx, c)
	lifecycle.Put(&err, tx.PutMemories, m)
	if err != nil {
		return m, err
	}
	if c.Source != nil {
		relations = append(relations, brain.Relation{From: c.Source.ID, Type: brain.HasMemory, To: m.ID})
	}
	joined, _, err := lifecycle.JoinPending(tx, m)
	lifecycle.Put(&err, tx.PutRelations, append(relations, joined...)...)
	if err != nil || !m.Entity {
		return m, err
	}
	return m, lifecycle.JoinPendingEntities(tx, []brain.Memory{m})
}

// checkName refuses an entity with the name of another. To a person the same name in
// other letters is the same.
func checkName(r brain.MemoryReader, m brain.Memory) error {
	if !m.Entity {
		return nil
	}
	held, err := r.MemoriesByEntity(m.EntityKey)
	if err == nil && len(held) == 0 {
		held, err = r.MemoriesByName([]string{m.NameKey}, 1)
	}
	if err != nil || len(held) == 0 || !held[0].Entity {
		return err
	}
	return brain.Errorf(brain.ErrConflict, fmt.Sprintf("change it with `brainbridge correct %s TEXT`", held[0].ID),
		"an entity named %q already exists: %s", held[0].Name, held[0].ID)
}

// lacksCapture reports whether a stored memory was ingested from the note of an outcome
// while its capture was still in the spool. Every capture has a session, so a memory
// without one has not been captured yet.
func lacksCapture(m brain.Memory, c brain.Capture) bool {
	return c.Source != nil && c.Source.Kind == brain.Outcome && m.SessionID == "" && c.Memory.SessionID != ""
}

// complete gives an outcome that was ingested from its note what only its capture
// knows, and the newest memory of its chain as well.
func complete(tx brain.Tx, tl tiers.Timeline, c brain.Capture, m brain.Memory) (brain.Memory, error) {
	newest, err := lifecycle.Resolve(tx, m.ID)
	if err != nil {
		return m, err
	}
	relations, err := lifecycle.CaptureRelations(tx, newest.Memory.ID, c.Relate)
	if err != nil {
		return m, err
	}
	memories := []brain.Memory{m}
	if newest.Memory.ID != m.ID {
		memories = append(memories, newest.Memory)
	}
	for i := range memories {
		memories[i].Version++
		lifecycle.ApplyCapture(tl, c, &memories[i])
	}
	sources, err := tx.Sources(c.Source.ID)
	if err != nil {
		return m, err
	}
	for i := range sources {
		sources[i].Created, sources[i].Project = c.Source.Created, cmp.Or(sources[i].Project, c.Source.Project)
	}
	err = tx.PutSources(sources...)
	lifecycle.Put(&err, tx.PutMemories, memories...)
	lifecycle.Put(&err, tx.PutRelations, relations...)
	return memories[0], err
}

// CheckRelations returns the error that storing a capture would give because of
// the relations that it asks for. It writes nothing.
func (b *Service) CheckRelations(ctx context.Context, c brain.Capture) error {
	if len(c.Relate) == 0 {
		return nil
	}
	return b.base.Store.View(ctx, func(r brain.Reader) error {
		_, err := lifecycle.CaptureRelations(r, c.Memory.ID, c.Relate)
		return err
	})
}
