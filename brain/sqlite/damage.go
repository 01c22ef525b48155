package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/brainbridge/brainbridge/brain"
)

// IsDamage reports whether an error of a restore means that the file is damaged. Statements of
// ours are invalid only if the schema is, and only the tables of the full-text index assign
// primary keys that may exist.
func IsDamage(err error) bool {
	switch c := code(err); {
	case errors.Is(err, ErrDamaged), c == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, c == sqlite3.SQLITE_CONSTRAINT_ROWID:
		return true
	default:
		return c&0xff == sqlite3.SQLITE_ERROR
	}
}

// Check returns [ErrDamaged] if SQLite finds something wrong with the file. It reads the
// whole file.
func (s *Store) Check(ctx context.Context) error {
	return s.view(ctx, func(t *tx) error {
		// A search makes this connection forget what it knew of an index before the present
		// transaction. FTS5's own check does not, and finds damage after a write elsewhere.
		for _, table := range []string{"words", "talk_words"} {
			var found int
			if err := t.one("SELECT count(*) FROM "+table+" WHERE "+table+` MATCH '"-"'`, nil, &found); err != nil && !IsDamage(err) {
				return err
			}
		}
		var result string
		if err := t.one(`PRAGMA integrity_check(1)`, nil, &result); err != nil || result == "ok" {
			return err
		}
		part := regexp.MustCompile(`[pP]age \d+|index \w+|FTS5 table \S+`).FindString(result)
		return brain.Errorf(ErrDamaged, restoreHint, "%s of %s is damaged", cmp.Or(strings.ToLower(part), "a part"), s.path)
	})
}

// KeepCopy copies the file, as it is, to a new file beside it and returns its path. The copy
// includes the write-ahead log.
func (s *Store) KeepCopy(ctx context.Context, now time.Time) (string, error) {
	path, err := freeName(s.path, "broken", now)
	if err != nil {
		return "", err
	}
	if err := create(path); err != nil {
		return "", err
	}
	c, err := connect(ctx, s.path, s.pool.cache)
	if err != nil {
		return "", s.explain(ctx, "copy the database", err)
	}
	defer func() { _ = c.close() }()
	err = c.c.Raw(func(driver any) error {
		source, ok := driver.(interface {
			NewBackup(to string) (*sqlite.Backup, error)
		})
		if !ok {
			return fmt.Errorf("%T cannot copy a database", driver)
		}
		b, err := source.NewBackup(uri(path))
		if err != nil {
			return err
		}
		_, err = b.Step(-1)
		return errors.Join(err, b.Finish())
	})
	return path, s.explain(ctx, "copy the database", err)
}

// SetAside renames a database, which must not be open, and its write-ahead log. It returns
// its new path, whose name begins with why.
func SetAside(path, why string, now time.Time) (string, error) {
	aside, err := freeName(path, why, now)
	if err != nil {
		return "", err
	}
	// The log first: SQLite removes one that has no database.
	for _, part := range []string{"-wal", "-shm", ""} {
		if err := os.Rename(path+part, aside+part); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("set the database aside: %w", err)
		}
	}
	return aside, nil
}

// freeName returns a new name for a database beside it.
func freeName(path, why string, now time.Time) (string, error) {
	base := filepath.Join(filepath.Dir(path), why+"-"+now.UTC().Format("20060102_150405"))
	for n := 1; ; n++ {
		name := base + ".db"
		if n > 1 {
			name = fmt.Sprintf("%s-%d.db", base, n)
		}
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name, nil
		} else if err != nil {
			return "", fmt.Errorf("keep the database: %w", err)
		}
	}
}
