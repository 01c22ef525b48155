package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/notes"
)

// RestoreAnswer is the answer to a restore.
type RestoreAnswer struct {
	Restored string       `json:"restored"`
	Saved    brain.OrNull `json:"savedPresentStateAs"` // null in a dry run
}

// Restorable verifies the backup with a name or path, and returns it if it can be restored.
func (u *UseCases) Restorable(ctx context.Context, name string) (backups.Verified, error) {
	v, err := u.VerifyBackup(ctx, name)
	if err == nil {
		err = v.Restorable()
	}
	lost := slices.DeleteFunc(slices.Clone(v.LeftOut), func(l backups.LeftOut) bool { return l.Kind == "" })
	if err == nil && len(lost) > 0 {
		u.warn(fmt.Sprintf("%s lacks %s that could not be read when it was made; an earlier backup may have it: `brainbridge backup list`",
			v.Path, english.Plural(len(lost), "record", "")))
	}
	return v, err
}

// Restore replaces the brain and its files by a backup. Nothing else uses the brain meanwhile.
// A damaged SQLite file is kept beside a new one.
func (u *UseCases) Restore(ctx context.Context, from backups.Verified) (RestoreAnswer, error) {
	if u.caller.DryRun {
		return RestoreAnswer{Restored: from.Path}, nil
	}
	l := u.app.Settings
	unlock, err := backups.LockRestore(ctx, l.Paths.State, l.Config.Brain)
	if err != nil {
		return RestoreAnswer{}, err
	}
	defer unlock()
	release, err := u.app.lockDaemon(ctx) // none starts meanwhile
	if err != nil {
		return RestoreAnswer{}, err
	}
	defer release()
	u.restoring = true
	done, err := u.restoreOver(ctx, from, backups.Restored{KeepFiles: u.keepFiles})
	if sqlite.IsDamage(err) || l.UsesDefaultFile() && errors.Is(err, sqlite.ErrForeign) {
		done.Restored = from.Path
		if err := u.setDatabaseAside(done, err); err != nil {
			return RestoreAnswer{}, err
		}
		done, err = u.restoreOver(ctx, from, done)
	}
	if err == nil {
		_ = os.Remove(u.app.checkFile()) // it was about another state
	}
	return RestoreAnswer{Restored: done.Restored, Saved: brain.OrNull(done.Saved)}, err
}

// setDatabaseAside renames a damaged database. From then on the next command finishes the
// restore if this one does not.
func (u *UseCases) setDatabaseAside(done backups.Restored, damage error) error {
	_ = u.app.Close() // it is damaged
	l := u.app.Settings
	where, err := config.ParseStore(l.Config.Store)
	if err == nil {
		err = backups.Mark(restoreMarker(l), done)
	}
	if err != nil {
		return err
	}
	aside, err := sqlite.SetAside(where.Path, "broken", u.app.Now())
	if err != nil {
		return err
	}
	u.aside = aside
	others := ""
	if !l.UsesDefaultFile() { // otherwise nothing but this brain can be in it
		others = "; if other brains were in it, restore them, too"
	}
	u.warn(fmt.Sprintf("%v; it was kept as %s%s", damage, aside, others))
	return nil
}

// restoreOver replaces the content of the store. It may create the store, also one that was
// set aside or has lost its file, but not a brain that has never been on this machine.
func (u *UseCases) restoreOver(ctx context.Context, from backups.Verified, done backups.Restored) (backups.Restored, error) {
	l := u.app.Settings
	_, err := os.Stat(l.Paths.Data)
	b, err := u.openServices(ctx, err == nil)
	if err != nil {
		return done, err
	}
	if s, ok := b.Base.Store.(*sqlite.Store); ok {
		if err := s.Check(ctx); err != nil {
			return done, err
		}
	}
	if !u.app.witness.awaited { // else the captures are for the restored brain
		if err := u.drain(ctx, b); err != nil {
			return done, err
		}
	}
	release, err := u.holdMaintenance(ctx, b.Base.Store)
	if err != nil {
		return done, err
	}
	defer release()
	if owner := notesOwner(l); owner != "" {
		u.warn(fmt.Sprintf("the notes in %s belong to the brain %s: they and MEMORY.md are left as they are; to restore those of the backup, name another folder with `brainbridge --brain %s init --notes DIR`", l.Paths.NotesDir, owner, l.Config.Brain))
	}
	return u.restore(ctx, b, from, done)
}

func restoreMarker(l config.Loaded) string { return filepath.Join(l.Paths.State, "restore.json") }

// restore carries out a restore, or what is left of it. The owner file keeps the id of the
// notes directory, which the graph refers to, and names this brain.
func (u *UseCases) restore(ctx context.Context, b *services.Services, from backups.Verified, done backups.Restored) (backups.Restored, error) {
	l := u.app.Settings
	o := backups.RestoreOptions{Options: u.backupOptions(b), From: from, Marker: restoreMarker(l)}
	if done.KeepFiles {
		o.Contents = onlyMissing(o.Contents)
	}
	if s, ok := b.Base.Store.(*sqlite.Store); ok {
		o.KeepRaw = func(ctx context.Context) (string, error) { return s.KeepCopy(ctx, u.app.Now()) }
	}
	owner, err := notes.ReadOwner(filepath.Join(from.Path, notesInBackup))
	var text []byte
	if err == nil {
		owner.Brain = l.Config.Brain
		text, err = owner.Text()
		o.Instead = map[string][]byte{path.Join(notesInBackup, notes.OwnerFile): text}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, brain.ErrInvalid) { // without an owner they stay as they were
		return done, err
	}
	return backups.Restore(ctx, o, done)
}

// mustFinishRestore reports whether a restore was begun and not ended.
func (u *UseCases) mustFinishRestore() bool {
	_, found, err := backups.Unfinished(restoreMarker(u.app.Settings))
	return found && err == nil
}

// finishRestore finishes a restore that a process began and did not end. If that is
// impossible, it warns and returns nil, because the graph is that of before or that of
// the backup, never a mix: a load is one transaction on SQLite, and on Neo4j it is
// completed when the brain is opened. An unfinished restore of the graph is then given up, so
// that it cannot later replace what is captured from now on.
func (u *UseCases) finishRestore(ctx context.Context, s brain.Store) error {
	marker := restoreMarker(u.app.Settings)
	if _, err := os.Lstat(marker); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	unlock, err := backups.LockRestore(ctx, u.app.Settings.Paths.State, u.app.Settings.Config.Brain)
	if errors.Is(err, brain.ErrBusy) || ctx.Err() != nil {
		return err
	}
	if err != nil {
		u.warn(fmt.Sprintf("an interrupted restore cannot be finished now: %v", err))
		return nil
	}
	defer unlock()
	unfinished, found, err := backups.Unfinished(marker)
	if err == nil && !found { // the holder of the lock has finished it
		return nil
	}
	if u.caller.DryRun {
		u.caller.Notices.Info(fmt.Sprintf("the restore of %s was interrupted; the next command without --dry-run finishes it", cmp.Or(unfinished.Restored, "a backup")))
		return nil
	}
	if err == nil {
		unfinished, err = u.finish(ctx, s, unfinished)
	}
	half := s.Info().Kind == config.KindNeo4j && errors.Is(err, brain.ErrUnavailable)
	if err == nil || half || errors.Is(err, brain.ErrHeld) || ctx.Err() != nil {
		return err
	}
	what := "the notes and other files are not restored yet"
	if !unfinished.Graph {
		what = "it was given up"
		err = errors.Join(err, backups.Unmark(marker))
	}
	saved := ""
	if unfinished.Saved != "" {
		saved = "; the state before it is in " + unfinished.Saved
	}
	u.warn(fmt.Sprintf("the restore of %s was interrupted and cannot be finished (%v): %s; `brainbridge backup restore newest` restores a backup anew%s",
		cmp.Or(unfinished.Restored, "a backup"), err, what, saved))
	return nil
}

// finish carries out what is left of a restore.
func (u *UseCases) finish(ctx context.Context, s brain.Store, unfinished backups.Restored) (backups.Restored, error) {
	release, err := u.holdMaintenance(ctx, s)
	if errors.Is(err, brain.ErrBusy) {
		if unfinished.Graph { // the next command tries again
			return unfinished, nil
		}
		return unfinished, brain.Errorf(brain.ErrHeld, "wait for it to end and try again", "the restore of %s was interrupted, and cannot be finished yet: %v", unfinished.Restored, err)
	}
	if err != nil {
		return unfinished, err
	}
	defer release()
	options, err := u.options()
	if err != nil {
		return unfinished, err
	}
	from, err := u.VerifyBackup(ctx, unfinished.Restored)
	if err == nil && !from.OK {
		err = errors.New(from.Problems[0])
	}
	if err != nil {
		return unfinished, err
	}
	done, err := u.restore(ctx, services.New(s, options), from, unfinished)
	if err == nil {
		u.caller.Notices.Info(fmt.Sprintf("finished the restore of %s that was interrupted", unfinished.Restored))
		u.forgetDecrypted(ctx)
	}
	return done, err
}
