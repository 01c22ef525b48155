package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
)

// What is looked up by very many keys ends with its context, too.
func TestALookupEndsBetweenRows(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "brain.db"), "rows")
	ctx, cancel := context.WithCancel(t.Context())
	read := 0
	err := s.View(ctx, func(r brain.Reader) error {
		dest := func(v *string) []any {
			cancel()
			read++
			return text(v)
		}
		_, err := collect(r.(*tx), dest, `SELECT value FROM json_each(?)`, asJSON([]string{"a", "b", "c"}))
		return err
	})
	if !errors.Is(err, context.Canceled) || read != 1 {
		t.Errorf("%d rows were read, then %v", read, err)
	}
}

func TestReadsAfterAFailedWriteFail(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "brain.db"), "mine")
	err := s.Update(t.Context(), func(tx brain.Tx) error {
		wrong := tx.PutRelations(brain.Relation{From: "a", Type: "part_of", To: "b"})
		if _, err := tx.Memories("x"); !errors.Is(err, brain.ErrNotFound) || err.Error() != wrong.Error() {
			t.Errorf("the read returned %v, and the write %v", err, wrong)
		}
		return nil
	})
	if !errors.Is(err, brain.ErrNotFound) {
		t.Errorf("Update returned %v", err)
	}
}
