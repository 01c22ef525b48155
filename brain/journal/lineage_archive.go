package journal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// addArchived adds the archived actions. It reads no month before the oldest memory of the
// chain, and decodes only lines about the chain. An error says what could not be read.
func (s *Service) addArchived(ctx context.Context, l *lineage) error {
	if s.base.Journal == nil {
		return nil
	}
	ids, began := brain.IDs(l.chain), l.chain[0].Created // nothing happened before
	for _, m := range l.chain {
		began = slices.MinFunc([]time.Time{began, m.Created, m.ValidFrom}, time.Time.Compare)
	}
	var run brain.Run // that the lines belong to
	var damage []error
	for line, err := range s.base.Journal.JournalSince(ctx, began) {
		if err == nil {
			run, err = l.addLine(line, run, ids)
		}
		if err != nil {
			damage = append(damage, err)
		}
	}
	if len(damage) > 0 {
		return fmt.Errorf("read old runs from the archive: %w", errors.Join(damage...))
	}
	return nil
}

// addLine reads a line: a run, or an action of the preceding run. It adds an action if it
// is about a memory of the chain and is not known yet. It returns the run of the next line.
func (s *lineage) addLine(line []byte, run brain.Run, ids []string) (brain.Run, error) {
	isRun := bytes.HasPrefix(line, []byte(`{"kind":"`+brain.RunRecord+`"`))
	if !isRun && !slices.Contains(ids, keyOf(line)) {
		return run, nil
	}
	var rec brain.Record
	if err := json.Unmarshal(line, &rec); err != nil {
		return run, fmt.Errorf("decode a line: %w", err)
	}
	known := func(a orderedAction) bool { return a.ID == rec.ID }
	switch {
	case isRun:
		return brain.Body[brain.Run](rec)
	case rec.Kind != brain.ActionRecord || slices.ContainsFunc(s.actions, known):
		return run, nil
	}
	a, err := brain.Body[brain.Action](rec)
	if err != nil {
		return run, err
	}
	order := rec.At
	if run.ID == a.RunID {
		order = run.Order
	}
	s.actions = append(s.actions, orderedAction{a, order})
	return run, nil
}

// keyOf returns the key of a record without decoding it: it comes before the body.
func keyOf(line []byte) string {
	_, rest, _ := bytes.Cut(line, []byte(`"key":"`))
	key, _, _ := bytes.Cut(rest, []byte(`"`))
	return string(key)
}
