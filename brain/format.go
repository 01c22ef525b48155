package brain

import "context"

// Format is the format of an open store.
type Format struct {
	Stored  int    // when it was opened
	Known   int    // that this program writes
	Program string // version that wrote a newer format, "" if that is not known
}

// Check returns [ErrReadOnly] unless this program may write to the store, which the error
// calls name.
func (f Format) Check(name string) error {
	switch {
	case f.Stored < f.Known:
		return Errorf(ErrReadOnly, "the next command that is not a dry run upgrades it",
			"%s has the format %d of an earlier brainbridge and was not upgraded", name, f.Stored)
	case f.Stored == f.Known:
		return nil
	}
	install := "the newest brainbridge"
	if f.Program != "" && f.Program != "devel" { // of a build without a version
		install = "brainbridge " + f.Program
	}
	return Errorf(ErrReadOnly, "",
		"%s has the format %d of a newer brainbridge: install %s to write to it", name, f.Stored, install)
}

// Upgraded returns the error for a write to a store whose format has changed since it was
// opened. It is [ErrReadOnly].
func Upgraded() error {
	return Errorf(ErrReadOnly, "", "brainbridge was upgraded: restart this session")
}

// Migrator is a store that another version of the program may have made. Unless its format
// is the known one, it opens for reading only: every write returns [ErrReadOnly], and on
// Neo4j also every read of an earlier format but a dump.
type Migrator interface {
	// Format returns the format that the store had when it was opened.
	Format() Format

	// Writable returns [ErrReadOnly] if this program may not write to the store: because of
	// its format, or because a write has found that another process has migrated it.
	Writable() error

	// Brains returns the names of the stored brains.
	Brains(ctx context.Context) ([]string, error)

	// Migrate brings a store of an earlier format to the known one, in one transaction
	// on SQLite and in steps that the next call continues on Neo4j. Just before the
	// first step it calls first, which may read the store; its error ends the migration and
	// is returned unchanged. One process migrates at a time: others get [ErrBusy] after ten
	// seconds. If the store has the known format meanwhile, nothing is called or changed.
	// Then it must be opened again.
	Migrate(ctx context.Context, first func() error) error
}
