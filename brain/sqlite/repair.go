package sqlite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"modernc.org/sqlite"

	"github.com/brainbridge/brainbridge/brain"
)

// Repair stores everything in the file again, if something is wrong with it: in new tables, or, if
// pages of the file are damaged, in a new file, which replaces the content of this one. A copy of
// the damaged one stays beside it.
func (s *Store) Repair(ctx context.Context, keep func(raw []json.RawMessage) error) error {
	if err := s.Writable(); err != nil {
		return err
	}
	found, err := s.Inspect(ctx)
	if err != nil || len(found) == 0 {
		return err
	}
	if err = s.explain(ctx, "repair", s.repairTables(ctx, keep)); IsDamage(err) {
		err = s.explain(ctx, "repair", s.repairFile(ctx, keep))
	}
	return err
}

// tablesSetAside returns the statements that set our tables aside, like those of [setAside], and
// leave others alone.
const tablesSetAside = `SELECT 'DROP TRIGGER "' || name || '"' FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN (SELECT value FROM json_each(?1))
	UNION ALL SELECT 'DROP INDEX "' || name || '"' FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN (SELECT value FROM json_each(?1))
	UNION ALL SELECT * FROM (SELECT 'DROP TABLE "' || name || '"' FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL%' AND name IN (SELECT value FROM json_each(?1)) ORDER BY sql LIKE '%fts5vocab%' DESC)
	UNION ALL SELECT 'ALTER TABLE "' || name || '" RENAME TO "old_' || name || '"' FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name IN (SELECT value FROM json_each(?1))`

// repairTables stores everything in new tables of the file, in one transaction.
func (s *Store) repairTables(ctx context.Context, keep func(raw []json.RawMessage) error) error {
	c, err := connect(ctx, s.path, s.pool.cache)
	if err != nil {
		return err
	}
	defer func() { _ = c.close() }()
	if err := c.begin(ctx); err != nil {
		return err
	}
	defer c.rollback(ctx)
	t := &tx{s: s, ctx: ctx, c: c, changes: newChanges()}
	if err := t.makeMissingTables(); err != nil {
		return err
	}
	if err := s.countCommit(ctx, c); err != nil {
		return err
	}
	should, err := schemaObjects(ctx)
	if err != nil {
		return err
	}
	statements, err := collect(t, text, tablesSetAside, asJSON(brain.Map(should, func(o schemaObject) string { return o.name })))
	if err != nil {
		return err
	}
	if err := t.script(strings.Join(statements, ";\n") + ";" + schema + searchSchema); err != nil {
		return err
	}
	if err := t.refill(c, asidePrefix, keep); err != nil {
		return err
	}
	if err := t.dropOld(); err != nil {
		return err
	}
	return c.commit(ctx)
}

// makeMissingTables makes the tables that are missing, so that there is something to read.
func (t *tx) makeMissingTables() error {
	should, err := schemaObjects(t.ctx)
	if err != nil {
		return err
	}
	is, err := collect(t, (*schemaObject).dest, objectsQuery)
	there := map[string]bool{}
	for _, o := range is {
		there[o.name] = true
	}
	for _, o := range should {
		if err == nil && o.kind == "table" && !there[o.name] {
			err = t.script(o.sql)
		}
	}
	return err
}

// refill stores what is in tables whose names begin with a prefix in empty ones of this format.
// Texts keep their docs, unless two have one or they cannot be read. read is a connection for
// tables that may be damaged: it is unusable for writing after an error.
func (t *tx) refill(read *conn, prefix string, keep func(raw []json.RawMessage) error) error {
	from := strings.NewReplacer(asidePrefix, prefix)
	err := t.script(from.Replace("INSERT INTO brain SELECT no, name, token, commits FROM old_brain;\nINSERT INTO migration SELECT * FROM old_migration;"))
	if err != nil {
		return err
	}
	after := int64(1 << 40) // above all docs, if they cannot be read
	_ = t.one(from.Replace("SELECT ifnull(max(doc), 0) FROM old_doc"), nil, &after)
	if err := t.script(fmt.Sprintf("DELETE FROM sqlite_sequence WHERE name = 'doc'; INSERT INTO sqlite_sequence (name, seq) VALUES ('doc', %d)", after)); err != nil {
		return err
	}
	const docs = `SELECT m.id, m.doc FROM old_memory m WHERE m.brain = ?1 AND m.doc IN (SELECT doc FROM old_doc WHERE brain = ?1) AND m.doc NOT IN (SELECT doc FROM old_section)
		AND m.doc NOT IN (SELECT doc FROM old_memory GROUP BY doc HAVING count(DISTINCT name || char(0) || content) > 1)
		UNION ALL SELECT id, doc FROM old_section WHERE brain = ?1 AND doc IN (SELECT doc FROM old_doc WHERE brain = ?1)
		AND doc NOT IN (SELECT doc FROM old_memory) AND doc NOT IN (SELECT doc FROM old_section GROUP BY doc HAVING count(*) > 1)`
	inRead := prefix
	if read != t.c {
		inRead = ""
	}
	if err := t.storeAgain(read, inRead, strings.ReplaceAll(docs, asidePrefix, inRead), schemaVersion); err != nil {
		return err
	}
	statements := append(keepAllUnreadable(prefix), from.Replace("INSERT OR IGNORE INTO relation SELECT * FROM old_relation;"), from.Replace(keepVectors))
	for i, tables := range [][]string{{"memory"}, {"source"}, {"section"}, {"record"}, {"relation"}, {"model", "vector", "doc"}} {
		damaged := func(table string) bool { return !readable(t.ctx, read, table) } // what cannot be read stays in the copy of the file
		if read == t.c || !slices.ContainsFunc(tables, damaged) {
			if err := t.script(statements[i]); err != nil {
				return err
			}
		}
	}
	if err := t.script(`DELETE FROM vector WHERE length(value) <> 4 * ifnull((SELECT m.dimensions FROM model m WHERE m.brain = vector.brain), 0);
		UPDATE doc SET model = 0 WHERE model <> 0 AND doc NOT IN (SELECT doc FROM vector);
		UPDATE model SET vectors = (SELECT count(*) FROM vector v WHERE v.brain = model.brain);`); err != nil {
		return err
	}
	if err := errors.Join(t.dropDamagedVectors(), t.recount()); err != nil {
		return err
	}
	return t.takeStrays(keep)
}

// readable reports whether all rows of a table can be read.
func readable(ctx context.Context, c *conn, table string) bool {
	rows, err := c.query(ctx, "SELECT * FROM "+table+" NOT INDEXED")
	if err != nil {
		return false
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
	}
	return rows.Err() == nil
}

// dropDamagedVectors drops vectors that no model made.
func (t *tx) dropDamagedVectors() error {
	var damaged []int64
	err := scan(t, func(r *vectorRow) []any { return []any{&r.doc, &r.value} }, "SELECT doc, value FROM vector", nil, func(r vectorRow) error {
		if !isUnit(decodeVector(r.value)) {
			damaged = append(damaged, r.doc)
		}
		return nil
	})
	for _, doc := range damaged {
		t.exec("UPDATE doc SET model = 0 WHERE doc = ?", doc)
		t.exec("DELETE FROM vector WHERE doc = ?", doc)
	}
	return errors.Join(err, t.changes.failed)
}

// recount counts the memories of all brains by tier: rows that cannot be read count, too.
func (t *tx) recount() error {
	return t.script(`DELETE FROM tally WHERE what NOT IN ('notes', 'talk'); INSERT INTO tally SELECT brain, tier, count(*), 0 FROM memory GROUP BY brain, tier;`)
}

// strayRows are rows that belong to nothing, by table.
var strayRows = map[string]string{
	"memory": noBrain, "source": noBrain, "section": noBrain, "record": noBrain,
	"relation": noBrain + ` OR NOT EXISTS (SELECT 1 FROM memory m WHERE m.brain = t.brain AND m.id = from_id) AND NOT EXISTS (SELECT 1 FROM source m WHERE m.brain = t.brain AND m.id = from_id) AND NOT EXISTS (SELECT 1 FROM section m WHERE m.brain = t.brain AND m.id = from_id)
		OR NOT EXISTS (SELECT 1 FROM memory m WHERE m.brain = t.brain AND m.id = to_id) AND NOT EXISTS (SELECT 1 FROM source m WHERE m.brain = t.brain AND m.id = to_id) AND NOT EXISTS (SELECT 1 FROM section m WHERE m.brain = t.brain AND m.id = to_id)`,
}

const noBrain = "t.brain NOT IN (SELECT no FROM brain)"

// takeStrays takes such rows out.
func (t *tx) takeStrays(keep func(raw []json.RawMessage) error) error {
	var all []json.RawMessage
	for table, stray := range strayRows {
		for _, row := range t.rawRows("SELECT * FROM " + table + " t WHERE " + stray) {
			id, _ := row["id"].(string)
			raw, err := json.Marshal(brain.Aside{Kind: table, ID: id, Why: "it belongs to nothing in this file", Values: row})
			if err != nil {
				return err
			}
			all = append(all, raw)
		}
	}
	if len(all) == 0 {
		return nil
	}
	if err := keep(all); err != nil {
		return err
	}
	var errs []error
	for table, stray := range strayRows {
		errs = append(errs, t.script("DELETE FROM "+table+" AS t WHERE "+stray))
	}
	return errors.Join(append(errs, t.recount())...)
}

// repairFile stores what can be read of the file in a new one, and copies that over it, unless
// somebody has written meanwhile.
func (s *Store) repairFile(ctx context.Context, keep func(raw []json.RawMessage) error) error {
	beside := s.path + ".repair"
	if err := removeFile(beside); err != nil { // of a repair that was interrupted
		return err
	}
	defer func() { _ = removeFile(beside) }()
	commits, err := s.fillBeside(ctx, beside, keep)
	if err != nil {
		return err
	}
	if _, err := s.KeepCopy(ctx, time.Now()); err != nil {
		return err
	}
	return s.replaceBy(ctx, beside, commits)
}

// replaceBy copies a file over this one, unless it has another number of commits.
func (s *Store) replaceBy(ctx context.Context, beside string, commits int64) error {
	c, err := connect(ctx, s.path, s.pool.cache)
	if err != nil {
		return err
	}
	defer func() { _ = c.close() }()
	return c.c.Raw(func(conn any) error {
		target, ok := conn.(interface {
			NewRestore(from string) (*sqlite.Backup, error)
		})
		if !ok {
			return fmt.Errorf("%T cannot be copied over", conn)
		}
		b, err := target.NewRestore(uri(beside))
		if err != nil {
			return err
		}
		return errors.Join(s.copyOver(ctx, b, commits), b.Finish())
	})
}

func (s *Store) copyOver(ctx context.Context, b *sqlite.Backup, commits int64) error {
	if _, err := b.Step(1); err != nil { // from here on nobody else writes
		return err
	}
	if now, err := s.allCommits(ctx); err != nil || now != commits {
		return brain.Errorf(brain.ErrBusy, "stop the daemon and try again", "%s was written to while it was repaired", s.path)
	}
	_, err := b.Step(-1)
	return err
}

// removeFile removes a database.
func removeFile(path string) error {
	for _, end := range []string{"", "-wal", "-shm", "-journal"} {
		if err := os.Remove(path + end); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// allCommits returns the number of commits of all brains.
func (s *Store) allCommits(ctx context.Context) (n int64, err error) {
	c, err := connect(ctx, s.path, s.pool.cache)
	if err != nil {
		return 0, err
	}
	defer func() { _ = c.close() }()
	err = c.one(ctx, "SELECT ifnull(sum(commits), 0) FROM brain", nil, &n)
	return n, err
}

// fillBeside makes a new file with what can be read, and returns the number of commits of it.
func (s *Store) fillBeside(ctx context.Context, path string, keep func(raw []json.RawMessage) error) (commits int64, err error) {
	if err := create(path); err != nil {
		return 0, err
	}
	c, err := connect(ctx, path, s.pool.cache)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	t := &tx{s: s, ctx: ctx, c: c, changes: newChanges()}
	if _, err := c.exec(ctx, "ATTACH ? AS old", s.path); err != nil {
		return 0, err
	}
	if err := c.begin(ctx); err != nil {
		return 0, err
	}
	defer c.rollback(ctx)
	marks := fmt.Sprintf("\nPRAGMA application_id = %d; PRAGMA user_version = %d;", applicationID, schemaVersion)
	if err := t.script(schema + searchSchema + marks); err != nil {
		return 0, err
	}
	if err := c.one(ctx, "SELECT ifnull(sum(commits), 0) FROM old.brain", nil, &commits); err != nil {
		return 0, err
	}
	read, err := connect(ctx, s.path, s.pool.cache)
	if err != nil {
		return 0, err
	}
	defer func() { _ = read.close() }()
	if err := t.refill(read, "old.", keep); err != nil {
		return 0, err
	}
	return commits, c.commit(ctx)
}
