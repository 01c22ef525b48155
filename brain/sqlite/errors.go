package sqlite

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/brainbridge/brainbridge/brain"
)

// ErrDamaged is the error for a file that is not a database, or a damaged one. It is
// a [brain.ErrRefused].
var ErrDamaged = fmt.Errorf("damaged: %w", brain.ErrRefused)

// errCorrupt is [ErrDamaged] for a database of which a part is damaged.
var errCorrupt = fmt.Errorf("%w: %w", ErrDamaged, brain.ErrDamaged)

// restoreHint says what to do about a damaged file.
const restoreHint = "`brainbridge doctor --fix` keeps the file and what can be read in it; `brainbridge backup restore newest` restores the newest backup"

// ErrForeign is the error for a database that is not ours or has an unknown format. It is a
// [brain.ErrRefused].
var ErrForeign = fmt.Errorf("not a brain: %w", brain.ErrRefused)

// code returns SQLite's extended result code of err, or 0.
func code(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return 0
}

func isBusy(err error) bool {
	c := code(err) & 0xff
	return c == sqlite3.SQLITE_BUSY || c == sqlite3.SQLITE_LOCKED
}

// explain wraps an error of the driver with a sentinel of package brain and with what was
// being done.
func (s *Store) explain(ctx context.Context, doing string, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", doing, ctx.Err())
	}
	if strings.HasPrefix(err.Error(), "sql: Scan error") { // which has no type
		return brain.Errorf(errCorrupt, restoreHint, "%s: a row of %s cannot be read (%v)", doing, s.path, err)
	}
	what, hint, kind := meaning(code(err))
	if (kind == nil || code(err)&0xff == sqlite3.SQLITE_ERROR) && s.format != 0 && s.format != schemaVersion {
		return brain.Errorf(brain.ErrRefused, "", "%v (%s: %v)", s.Format().Check(s.path), doing, err)
	}
	if kind == nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	switch {
	case what == "":
		return fmt.Errorf("%s: %w: %w", doing, kind, err)
	case errors.Is(kind, ErrDamaged) && code(err)&0xff != sqlite3.SQLITE_ERROR: // there is no more to say
		return brain.Errorf(kind, hint, "%s: %s %s", doing, s.path, what)
	}
	return brain.Errorf(kind, hint, "%s: %s %s (%v)", doing, s.path, what, err)
}

// meaning returns the sentinel of a result code, nil for none, and for people what is
// wrong with the file and what to do.
func meaning(code int) (what, hint string, kind error) {
	switch code {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID:
		return "", "", brain.ErrConflict
	}
	switch code & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return "is locked by another process", "try again, or see with `lsof` who has it open", brain.ErrHeld
	case sqlite3.SQLITE_FULL:
		return "cannot grow, the disk is full", "free some space on that disk", brain.ErrUnavailable
	case sqlite3.SQLITE_IOERR:
		return "cannot be read or written", "check whether the disk is full, and read the system log", brain.ErrUnavailable
	case sqlite3.SQLITE_CANTOPEN:
		return "cannot be opened", "check that the folder exists and that you may write in it; in the sandbox of an agent, call the tools of the MCP server instead", brain.ErrUnavailable
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH:
		return "cannot be written", "check who owns the file and its folder, and whether the disk is mounted read-only", brain.ErrReadOnly
	case sqlite3.SQLITE_NOTADB:
		return "is not a SQLite database", restoreHint + ", or name another file with --store sqlite:PATH", ErrDamaged
	case sqlite3.SQLITE_ERROR: // statements of ours are valid
		return "has a damaged schema", restoreHint, errCorrupt
	case sqlite3.SQLITE_CORRUPT:
		return "is damaged", restoreHint, errCorrupt
	}
	return "", "", nil
}
