// Package capture makes and stores captures: what a person, an agent or a hook
// asks to remember. It owns the relevance filter, echoes, and the changes of
// memories that a caller names.
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

// Service makes and stores captures, and changes memories that a caller names.
// It is safe for concurrent use.
type Service struct {
	base      lifecycle.Base
	conflicts Conflicts
}

// Conflicts looks for memories that claim something else about the same subject.
type Conflicts interface {
	// NoteConflicts notes the conflicts of a stored memory and returns the older
	// memories that it differs from.
	NoteConflicts(ctx context.Context, id string) (older []brain.Memory, err error)
}

// New returns the service.
func New(base lifecycle.Base, conflicts Conflicts) *Service { return &Service{base, conflicts} }

// Capture stores a capture that is no entity: source, memory, HAS_MEMORY and relations in
// one transaction. While the store is away the spool keeps it.
//
// A capture that is stored already is left as it is, but for an outcome that was
// read from its note before: it gets what no note says. A relation to an id that
// does not exist is [brain.ErrNotFound] and stores nothing.
func (s *Service) Capture(ctx context.Context, c brain.Capture) (brain.Captured, error) {
	return s.orSpool(ctx, c, func() (brain.Captured, error) { return s.update(ctx, c, store) })
}

// orSpool calls store, and keeps the capture in the spool if the store is away.
func (s *Service) orSpool(ctx context.Context, c brain.Capture, store func() (brain.Captured, error)) (brain.Captured, error) {
	done, err := store()
	if s.base.Spool == nil || !brain.Away(err) {
		return done, err
	}
	if spoolErr := s.base.Spool.Add(ctx, c); spoolErr != nil {
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
func (s *Service) update(ctx context.Context, c brain.Capture,
	store func(brain.Tx, brain.Capture) (brain.Captured, error),
) (done brain.Captured, err error) {
	err = s.base.Store.Update(ctx, func(tx brain.Tx) (err error) {
		done, err = store(tx, c)
		return err
	})
	if err != nil {
		return brain.Captured{}, fmt.Errorf("capture: %w", err)
	}
	if done.MemoryID != "" {
		// The capture is stored. If this fails, the next run finds the conflict.
		done.DiffersFrom, _ = s.conflicts.NoteConflicts(ctx, done.MemoryID)
	}
	return done, nil
}

// store stores a capture in a transaction: it reads what the store has of it, decides
// what becomes of that, and writes.
func store(tx brain.Tx, c brain.Capture) (brain.Captured, error) {
	done := answer(c)
	p, err := read(tx, c)
	if err != nil {
		return done, err
	}
	if !p.stored {
		err = count(tx, c)
		for i := range p.memories {
			lifecycle.ApplyCapture(p.timeline, c, &p.memories[i])
		}
		lifecycle.Put(&err, tx.PutSources, p.sources...)
		lifecycle.Put(&err, tx.PutMemories, p.memories...)
		lifecycle.Put(&err, tx.PutRelations, p.relations...)
		lifecycle.Put(&err, lifecycle.DeleteRecords(tx), p.joined...)
	}
	if len(p.memories) > 0 {
		m := p.memories[0]
		done.Tier, done.Energy = m.Tier, p.timeline.Energy(m.State, c.At)
	}
	return done, err
}

// parts are the nodes and relations of a capture.
type parts struct {
	stored    bool // nothing is left to do
	timeline  tiers.Timeline
	sources   []brain.Source
	memories  []brain.Memory // that of the capture, and the newest of its chain
	relations []brain.Relation
	joined    []brain.Record // of the relations that waited for its name
}

// read returns the parts of a capture. What only the capture knows of its memories is
// left to [lifecycle.ApplyCapture].
func read(r brain.Reader, c brain.Capture) (p parts, err error) {
	if c.Memory == nil {
		p.sources, err = r.Sources(c.Source.ID)
		p.stored = len(p.sources) > 0
	} else if p.timeline, err = lifecycle.Timeline(r); err == nil {
		p.memories, err = r.Memories(c.Memory.ID)
		p.stored = len(p.memories) > 0 && !lacksCapture(p.memories[0], c)
	}
	switch {
	case err != nil || p.stored:
	case len(p.memories) > 0:
		err = p.readIngested(r, c)
	default:
		err = p.readNew(r, c)
	}
	return p, err
}

// readNew reads what the store has for a capture that is not stored yet.
func (p *parts) readNew(r brain.Reader, c brain.Capture) (err error) {
	if c.Source != nil {
		p.sources = []brain.Source{*c.Source}
	}
	if c.Memory == nil {
		return nil
	}
	p.memories = []brain.Memory{*c.Memory}
	if p.relations, err = lifecycle.CaptureRelations(r, c.Memory.ID, c.Relate); err != nil {
		return err
	}
	if c.Source != nil {
		p.relations = append(p.relations, brain.Relation{From: c.Source.ID, Type: brain.HasMemory, To: c.Memory.ID})
	}
	joined, records, err := lifecycle.ReadJoined(r, *c.Memory)
	p.relations, p.joined = append(p.relations, joined...), records
	return err
}

// readIngested reads what was ingested from the note of an outcome, and adds what only
// its capture knows.
func (p *parts) readIngested(r brain.Reader, c brain.Capture) error {
	newest, err := lifecycle.Resolve(r, c.Memory.ID)
	if err != nil {
		return err
	}
	if newest.Memory.ID != c.Memory.ID {
		p.memories = append(p.memories, newest.Memory)
	}
	for i := range p.memories {
		p.memories[i].Version++
	}
	p.sources, err = r.Sources(c.Source.ID)
	for i := range p.sources {
		p.sources[i].Created, p.sources[i].Project = c.Source.Created, cmp.Or(p.sources[i].Project, c.Source.Project)
	}
	if err == nil {
		p.relations, err = lifecycle.CaptureRelations(r, newest.Memory.ID, c.Relate)
	}
	return err
}

// lacksCapture reports whether a stored memory was ingested from the note of an outcome
// while its capture was still in the spool. Every capture has a session, so a memory
// without one has not been captured yet.
func lacksCapture(m brain.Memory, c brain.Capture) bool {
	return c.Source != nil && c.Source.Kind == brain.Outcome && m.SessionID == "" && c.Memory.SessionID != ""
}

// count counts the secrets that were taken out of a capture, and that it was judged.
func count(tx brain.Tx, c brain.Capture) error {
	err := lifecycle.AddTally(tx, lifecycle.TallyRedacted, c.Redacted, c.At)
	if err == nil && c.Gate != nil {
		err = lifecycle.AddTally(tx, lifecycle.TallyGated, 1, c.At)
	}
	return err
}

// CheckRelations returns the error that storing a capture would give because of
// the relations that it asks for. It writes nothing.
func (s *Service) CheckRelations(ctx context.Context, c brain.Capture) error {
	if len(c.Relate) == 0 {
		return nil
	}
	return s.base.Store.View(ctx, func(r brain.Reader) error {
		_, err := lifecycle.CaptureRelations(r, c.Memory.ID, c.Relate)
		return err
	})
}
