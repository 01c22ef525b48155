package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/brainbridge/brainbridge/brain"
)

// Watch observes the brain.
func Watch(w brain.Watch) Option { return func(s *Store) { s.watch = w } }

// IsEmpty reports whether there is no file or one without content. SQLite would delete the
// write-ahead log next to the latter.
func IsEmpty(path string) bool {
	info, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular() && info.Size() == 0
}

func (s *Store) seen(ctx context.Context, c *conn) (brain.Seen, error) {
	now := brain.Seen{Format: schemaVersion}
	// None are left if the table is empty, as after a DELETE by hand.
	const query = `SELECT token, commits, CASE WHEN EXISTS (SELECT 1 FROM memory WHERE brain = no)
		THEN (SELECT ifnull(sum(number), 0) FROM tally WHERE tally.brain = no AND what IN ('working', 'shortTerm', 'longTerm', 'core', 'expired')) ELSE 0 END FROM brain WHERE no = ?`
	err := c.one(ctx, query, []any{s.brain}, &now.ID, &now.Commits, &now.Memories)
	return now, err
}

// Version has the number of the last commit and the identity of the brain, which a restore changes.
func (s *Store) Version(ctx context.Context) (version string, err error) {
	err = s.view(ctx, func(t *tx) error {
		return t.c.one(ctx, `SELECT token || '.' || commits FROM brain WHERE no = ?`, []any{s.brain}, &version)
	})
	return version, err
}

// sawAtOpen hands the brain over as it is found.
func (s *Store) sawAtOpen(ctx context.Context, c *conn) error {
	if s.watch.Opened == nil {
		return nil
	}
	var now brain.Seen
	err := retryWhileBusy(ctx, func() (err error) {
		now, err = s.seen(ctx, c)
		return err
	})
	if err != nil {
		return err
	}
	return s.watch.Opened(now)
}

// commit commits, and hands the brain over as it is then.
func (s *Store) commit(t *tx) error {
	var now brain.Seen
	var err error
	if s.watch.Committed != nil {
		now, err = s.seen(t.ctx, t.c)
	}
	if err == nil {
		err = t.c.commit(t.ctx)
	}
	if err == nil && s.watch.Committed != nil && s.Replaced() == nil {
		s.watch.Committed(now, t.loaded)
	}
	return s.explain(t.ctx, "commit", err)
}
