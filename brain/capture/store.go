package capture

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
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
	if b.spool == nil || !brain.Away(err) {
		return done, err
	}
	if spoolErr := b.spool.Add(ctx, c); spoolErr != nil {
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
	f, err := read(tx, c)
	if err != nil {
		return brain.Captured{}, err
	}
	p, err := decide(f, c)
	if err != nil {
		return brain.Captured{}, err
	}
	return p.answer, write(tx, p)
}

// read returns what the store holds about a capture.
func read(r brain.Reader, c brain.Capture) (f facts, err error) {
	if f.timeline, err = lifecycle.Timeline(r); err != nil {
		return f, err
	}
	if c.Memory == nil {
		ss, err := r.Sources(c.Source.ID)
		f.isStored = len(ss) > 0
		return f, err
	}
	stored, err := r.Memories(c.Memory.ID)
	if err != nil {
		return f, err
	}
	from := c.Memory.ID
	if len(stored) == 0 {
		f.sameName, err = entityOfName(r, *c.Memory)
	} else {
		f.isStored, f.stored = true, stored[0]
		if !f.lacksCapture(c) {
			return f, nil
		}
		f.newest, f.source, err = laterState(r, f.stored, c.Source.ID)
		from = f.newest.ID
	}
	if err == nil {
		f.relations, err = lifecycle.CaptureRelations(r, from, c.Relate)
	}
	return f, err
}

// entityOfName returns the entity that has the name of an entity, the zero value if
// there is none. To a person the same name in other letters is the same.
func entityOfName(r brain.MemoryReader, m brain.Memory) (brain.Memory, error) {
	if !m.Entity {
		return brain.Memory{}, nil
	}
	held, err := r.MemoriesByEntity(m.EntityKey)
	if err == nil && len(held) == 0 {
		held, err = r.MemoriesByName([]string{m.NameKey}, 1)
	}
	if err != nil || len(held) == 0 || !held[0].Entity {
		return brain.Memory{}, err
	}
	return held[0], nil
}

// laterState returns the newest memory of the chain of a stored one, and the
// source with this id.
func laterState(r brain.Reader, stored brain.Memory, sourceID string) (newest brain.Memory, source brain.Source, err error) {
	found, err := lifecycle.Resolve(r, stored.ID)
	if err != nil {
		return newest, source, err
	}
	ss, err := r.Sources(sourceID)
	if len(ss) > 0 {
		source = ss[0]
	}
	return found.Memory, source, err
}

// write stores a plan.
func write(tx brain.Tx, p plan) error {
	if err := lifecycle.AddTally(tx, lifecycle.TallyRedacted, p.redacted, p.at); err != nil {
		return err
	}
	if err := lifecycle.AddTally(tx, lifecycle.TallyGated, p.judged, p.at); err != nil {
		return err
	}
	if p.source != nil {
		if err := tx.PutSources(*p.source); err != nil {
			return err
		}
	}
	if err := tx.PutMemories(p.memories...); err != nil {
		return err
	}
	if !p.isNew || len(p.memories) == 0 {
		return tx.PutRelations(p.relations...)
	}
	joined, _, err := lifecycle.JoinPending(tx, p.memories...)
	if err != nil {
		return err
	}
	if err := tx.PutRelations(append(p.relations, joined...)...); err != nil || !p.memories[0].Entity {
		return err
	}
	return lifecycle.JoinPendingEntities(tx, p.memories)
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
