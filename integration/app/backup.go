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

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/redact"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/notes"
)

// BackupAnswer is a backup that was made.
type BackupAnswer struct {
	Path brain.OrNull `json:"path"` // null in a dry run; takes the place of that of the backup
	backups.Backup
}

// CreateBackup backs the brain up into a folder; "": backup.dir. A dry run creates the
// backup elsewhere and removes it.
func (u *UseCases) CreateBackup(ctx context.Context, dir string) (BackupAnswer, error) {
	b, err := u.Brain(ctx)
	if err != nil {
		return BackupAnswer{}, err
	}
	o := u.backupOptions(b)
	if o.Dir, err = u.outsideNotes(cmp.Or(dir, o.Dir), "backup"); err != nil {
		return BackupAnswer{}, err
	}
	if u.caller.DryRun {
		if o.Dir, err = os.MkdirTemp("", "brainbridge-dry-"); err != nil {
			return BackupAnswer{}, err
		}
		defer os.RemoveAll(o.Dir) //nolint:errcheck // it is in the folder for temporary files
	}
	if b.Base.Store.Info().Kind == config.KindNeo4j && writable(b.Base.Store) == nil { // which reads without a snapshot
		release, err := u.holdMaintenance(ctx, b.Base.Store)
		if err != nil {
			return BackupAnswer{}, err
		}
		defer release()
	}
	made, err := backups.Create(ctx, o)
	return BackupAnswer{u.unlessDry(made.Path), made}, err
}

// BackupsAnswer is a list of backups.
type BackupsAnswer struct {
	Backups []backups.Backup `json:"backups"`
}

// Backups returns the existing backups, newest first.
func (u *UseCases) Backups(context.Context) (BackupsAnswer, error) {
	found, err := backups.List(u.app.Settings.Paths.Backups, u.warn)
	return BackupsAnswer{append([]backups.Backup{}, found...)}, err
}

// VerifyBackup reads the backup with a name or path, and compares it with its manifest.
func (u *UseCases) VerifyBackup(ctx context.Context, name string) (backups.Verified, error) {
	path, err := backups.Resolve(u.app.Settings.Paths.Backups, name)
	if err != nil {
		return backups.Verified{}, err
	}
	return backups.Verify(ctx, path, backups.Options{Progress: u.caller.Notices.Progress})
}

func (u *UseCases) backupOptions(b *services.Services) backups.Options {
	self, err := os.Executable()
	if err != nil {
		self = "brainbridge"
	}
	l := u.app.Settings
	return backups.Options{
		Brain: b, Dir: l.Paths.Backups, Contents: backedUp(l),
		Version: u.app.Version, Executable: self, Warn: u.warn, Progress: u.caller.Notices.Progress,
	}
}

// backedUp returns the files of the brain besides its graph. Notes that belong to another
// brain, and the MEMORY.md next to them, are excluded.
func backedUp(l config.Loaded) []backups.Content {
	withoutSecrets := func(text []byte) []byte {
		clean, _ := redact.Text(string(text))
		return []byte(clean)
	}
	all := []backups.Content{
		{Name: "core-memory.json", Path: l.Paths.CoreFile},
		{Name: "archive", Path: l.Paths.Archive},
		{Name: "config.toml", Path: l.Paths.ConfigFile, Once: true, Text: withoutSecrets},
		{Name: "consolidation.log", Path: l.Paths.RunLog, Once: true},
	}
	if notesOwner(l) != "" {
		return all
	}
	return append(all, backups.Content{Name: notesInBackup, Path: l.Paths.NotesDir},
		backups.Content{Name: "MEMORY.md", Path: l.Paths.MemoryMD})
}

const notesInBackup = "notes"

// notesOwner returns the brain that the notes belong to, if it is another one.
func notesOwner(l config.Loaded) string {
	owner, err := notes.ReadOwner(l.Paths.NotesDir)
	if err != nil || owner.Brain == l.Config.Brain {
		return ""
	}
	return owner.Brain
}

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
	return v, err
}

// Restore replaces the brain and its files by a backup. Nothing else uses the brain meanwhile.
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
	done, err := u.restoreOver(ctx, from)
	if errors.Is(err, sqlite.ErrDamaged) && l.UsesDefaultFile() { // nothing but this brain can be in it
		if err := u.setDatabaseAside(err); err != nil {
			return RestoreAnswer{}, err
		}
		done, err = u.restoreOver(ctx, from)
	}
	return RestoreAnswer{Restored: done.Restored, Saved: brain.OrNull(done.Saved)}, err
}

func (u *UseCases) setDatabaseAside(damage error) error {
	_ = u.app.Close() // it is damaged
	aside, err := sqlite.SetAside(u.app.Settings.Paths.Database, "damaged", u.app.Now())
	if err != nil {
		return err
	}
	u.warn(fmt.Sprintf("%v; it was kept as %s, and its memories are not in what is saved of the present state", damage, aside))
	return nil
}

// restoreOver replaces the content of the store, also of one that was set aside.
func (u *UseCases) restoreOver(ctx context.Context, from backups.Verified) (backups.Restored, error) {
	l := u.app.Settings
	_, err := os.Stat(l.Paths.Data)
	b, err := u.openServices(ctx, err == nil && l.UsesDefaultFile())
	if err != nil {
		return backups.Restored{}, err
	}
	if !u.app.witness.awaited { // else the captures are for the restored brain
		if err := u.drain(ctx, b); err != nil {
			return backups.Restored{}, err
		}
	}
	release, err := u.holdMaintenance(ctx, b.Base.Store)
	if err != nil {
		return backups.Restored{}, err
	}
	defer release()
	if owner := notesOwner(l); owner != "" {
		u.warn(fmt.Sprintf("the notes in %s belong to the brain %s: they and MEMORY.md are left as they are; to restore those of the backup, name another folder with `brainbridge --brain %s init --notes DIR`", l.Paths.NotesDir, owner, l.Config.Brain))
	}
	return u.restore(ctx, b, from, backups.Restored{})
}

func restoreMarker(l config.Loaded) string { return filepath.Join(l.Paths.State, "restore.json") }

// restore carries out a restore, or what is left of it. The owner file keeps the id of the
// notes directory, which the graph refers to, and names this brain.
func (u *UseCases) restore(ctx context.Context, b *services.Services, from backups.Verified, done backups.Restored) (backups.Restored, error) {
	l := u.app.Settings
	o := backups.RestoreOptions{Options: u.backupOptions(b), From: from, Marker: restoreMarker(l)}
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

// finishRestore finishes a restore that a process began and did not end.
func (u *UseCases) finishRestore(ctx context.Context, s brain.Store) error {
	l := u.app.Settings
	if _, found, err := backups.Unfinished(restoreMarker(l)); err != nil || !found {
		return err
	}
	unlock, err := backups.LockRestore(ctx, l.Paths.State, l.Config.Brain)
	if err != nil {
		return err
	}
	defer unlock()
	unfinished, found, err := backups.Unfinished(restoreMarker(l)) // the holder of the lock may have finished it
	if err != nil || !found {
		return err
	}
	if u.caller.DryRun {
		return brain.Errorf(brain.ErrBusy, "any command without --dry-run finishes it", "the restore of %s was interrupted", unfinished.Restored)
	}
	release, err := u.holdMaintenance(ctx, s)
	if errors.Is(err, brain.ErrBusy) {
		return brain.Errorf(brain.ErrHeld, "wait for it to end and try again", "the restore of %s was interrupted, and cannot be finished yet: %v", unfinished.Restored, err)
	}
	if err != nil {
		return err
	}
	defer release()
	options, err := u.options()
	if err != nil {
		return err
	}
	from, err := u.VerifyBackup(ctx, unfinished.Restored)
	const hint = "choose another; `brainbridge backup list` shows them"
	switch {
	case errors.Is(err, brain.ErrNotFound): // the brain is there, and so may be what the command is about
		err = invalid(hint, "%v", err)
	case err == nil && !from.OK:
		err = invalid(hint, "%s", from.Problems[0])
	case err == nil:
		_, err = u.restore(ctx, services.New(s, options), from, unfinished)
	}
	if err != nil {
		return fmt.Errorf("the restore of %s was interrupted and cannot be finished (the state before it is in %s, `brainbridge backup restore` goes on with any backup): %w",
			unfinished.Restored, unfinished.Saved, err)
	}
	u.caller.Notices.Info(fmt.Sprintf("finished the restore of %s that was interrupted", unfinished.Restored))
	return nil
}
