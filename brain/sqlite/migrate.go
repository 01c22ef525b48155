package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// steps returns the migrations by the format that each begins with; it ends with the next
// number. Changes of schema.sql between two releases are added to the last step.
func steps() map[int]func(*tx) error {
	return map[int]func(*tx) error{
		19: func(t *tx) error {
			return t.script(`
ALTER TABLE brain ADD COLUMN commits INTEGER NOT NULL DEFAULT 0;
CREATE TABLE migration (version INTEGER PRIMARY KEY, program TEXT NOT NULL, at INTEGER NOT NULL);`)
		},
		20: from20,
		21: func(*tx) error { return nil }, // from22 indexes all words again
		22: from22,
		23: from23,
		24: func(*tx) error { return nil }, // the first run settles what began to fade under earlier lifecycle numbers
	}
}

// script runs several statements.
func (t *tx) script(statements string) error {
	_, err := t.c.c.ExecContext(t.ctx, statements)
	return err
}

// from20 keys the texts and removes the relations of conflicts.
func from20(t *tx) error {
	err := t.script(`
ALTER TABLE memory ADD COLUMN text_key TEXT NOT NULL DEFAULT '';
DELETE FROM relation WHERE type = 'DIFFERS_FROM'`)
	if err == nil {
		err = setTextKeys(t)
	}
	return err
}

// from23 drops the column of the first id of a memory, lets the review queue name the present
// one, and adds the checksums.
func from23(t *tx) error {
	err := t.script(`ALTER TABLE memory DROP COLUMN root`)
	if err == nil {
		err = upgradeReviews(t)
	}
	if err == nil {
		err = addChecksums(t)
	}
	return err
}

// upgradeReviews rewrites the review queues of all brains of a file.
func upgradeReviews(t *tx) error {
	type item struct {
		brain int64
		brain.Record
	}
	dest := func(i *item) []any { return []any{&i.brain, &i.ID, (*[]byte)(&i.Body)} }
	items, err := collect(t, dest, `SELECT brain, id, body FROM record WHERE kind = ? ORDER BY brain, seq`, brain.ReviewRecord)
	queues := map[int64][]brain.Record{}
	for _, i := range items {
		i.Kind = brain.ReviewRecord
		queues[i.brain] = append(queues[i.brain], i.Record)
	}
	for no, recs := range queues {
		ends := func(r *brain.Relation) []any { return []any{&r.From, &r.To} }
		promotions, failed := collect(t, ends, `SELECT from_id, to_id FROM relation WHERE brain = ? AND type = ?`, no, brain.PromotedTo)
		err = cmp.Or(err, failed)
		for _, rec := range brain.UpgradeReviews(recs, promotions) {
			if rec.Owner != "" { // else it cannot be read
				t.exec(`UPDATE record SET owner = ?, key = ?, body = ? WHERE brain = ? AND kind = ? AND id = ?`, rec.Owner, rec.Key, string(rec.Body), no, rec.Kind, rec.ID)
			}
		}
	}
	return cmp.Or(err, t.changes.failed)
}

// setTextKeys computes the text keys of all memories of a file, page by page.
func setTextKeys(t *tx) error {
	type row struct {
		seq int64
		brain.Memory
	}
	dest := func(r *row) []any { return []any{&r.seq, &r.ID, &r.Name, &r.Content, &r.Project, &r.Entity} }
	for last := int64(0); ; {
		page, err := collect(t, dest, `SELECT seq, id, name, content, project, entity FROM memory WHERE seq > ? ORDER BY seq LIMIT 1000`, last)
		if err != nil || len(page) == 0 {
			return err
		}
		for _, r := range page {
			t.exec(`UPDATE memory SET text_key = ? WHERE seq = ?`, r.TextKey(), r.seq)
			last = r.seq
		}
	}
}

// record sets the format of the file and notes which program did.
func (c *conn) record(ctx context.Context, format int, program string) error {
	if _, err := c.c.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", format)); err != nil {
		return err
	}
	_, err := c.exec(ctx, `INSERT INTO migration (version, program, at) VALUES (?, ?, ?)`, format, program, time.Now().UnixMilli())
	return err
}

// Format returns the format that the file had when it was opened.
func (s *Store) Format() brain.Format {
	return brain.Format{Stored: s.format, Known: schemaVersion, Program: s.newer}
}

// Writable returns an error if this program may not write to the file.
func (s *Store) Writable() error {
	if s.stale.Load() {
		return brain.Upgraded()
	}
	return s.Format().Check(s.path)
}

// countCommit counts a write transaction. It fails if the file has another format than when
// it was opened.
func (s *Store) countCommit(ctx context.Context, c *conn) error {
	const count = `UPDATE brain SET commits = commits + 1 WHERE no = ? RETURNING (SELECT user_version FROM pragma_user_version)`
	var format int
	err := c.one(ctx, count, []any{s.brain}, &format)
	if err != nil { // perhaps because a newer format has no such column
		err = errors.Join(err, c.one(ctx, `SELECT user_version FROM pragma_user_version`, nil, &format))
	}
	switch {
	case format != 0 && format != schemaVersion:
		s.stale.Store(true)
		return brain.Upgraded()
	case errors.Is(err, sql.ErrNoRows):
		return brain.Errorf(brain.ErrUnavailable, "run the command again, or restart the daemon",
			"the brain %s is no longer in %s", s.name, s.path)
	}
	return s.explain(ctx, "write", err)
}

// Brains returns the names of the brains in the file.
func (s *Store) Brains(ctx context.Context) (names []string, err error) {
	err = s.view(ctx, func(t *tx) error {
		names, err = t.c.brains(ctx)
		return t.fail(err)
	})
	return names, err
}

// Migrate runs the steps to the known format in one transaction, which begins before first is
// called: nobody writes between a backup and the end of the migration.
func (s *Store) Migrate(ctx context.Context, first func() error) error {
	c, err := s.pool.take(ctx, s.pool.writers)
	if err != nil {
		return s.explain(ctx, "migrate", err)
	}
	defer func() { s.pool.give(c, s.pool.writers) }()
	if err := c.begin(ctx); err != nil {
		return s.explain(ctx, "wait for the write lock", err)
	}
	defer c.rollback(ctx)
	var format int
	err = c.one(ctx, `SELECT user_version FROM pragma_user_version`, nil, &format)
	run := steps()[format]
	if err != nil || run == nil { // another process has migrated the file
		return s.explain(ctx, "migrate", err)
	}
	if err := first(); err != nil {
		return err
	}
	t := &tx{s: s, ctx: ctx, c: c, changes: newChanges()}
	for ; run != nil && err == nil; run = steps()[format] {
		if err = cmp.Or(run(t), t.changes.failed); err == nil {
			format++
			err = c.record(ctx, format, s.program)
		}
	}
	if err == nil {
		err = c.commit(ctx)
	}
	return cmp.Or(t.changes.failed, s.explain(ctx, "migrate", err))
}

// findNewer reads which version of the program wrote a newer format, if that is recorded.
func (s *Store) findNewer(ctx context.Context, c *conn) {
	if s.format > schemaVersion {
		_ = c.one(ctx, `SELECT program FROM migration ORDER BY version DESC LIMIT 1`, nil, &s.newer) // a newer format may have none
	}
}
