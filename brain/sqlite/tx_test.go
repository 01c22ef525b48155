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
		_, err := keyed(r.(*tx), dest, `SELECT value FROM json_each(?)`, asJSON([]string{"a", "b", "c"}))
		return err
	})
	if !errors.Is(err, context.Canceled) || read != 1 {
		t.Errorf("%d rows were read, then %v", read, err)
	}
}
