package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/notes"
)

// RestoreAnswer is the answer to a restore.
type RestoreAnswer struct {
	Restored string  `json:"restored"`
	Saved    *string `json:"savedPresentStateAs"` // null in a dry run
}

// Restorable verifies the backup of that name, or path, and returns it if it can
// be restored.
func (u *UseCases) Restorable(ctx context.Context, name string) (backups.Verified, error) {
	v, err := u.VerifyBackup(ctx, name)
	if err == nil && !v.OK {
		err = invalid("choose another; `brainbridge backup list` shows them", "%s cannot be restored, nothing was changed: %s", v.Path, v.Problems[0])
	}
	return v, err
}

// Restore puts a backup in the place of the brain and of the files around it. No
// daemon, run or other restore works on the brain meanwhile.
func (u *UseCases) Restore(ctx context.Context, from backups.Verified) (RestoreAnswer, error) {
	if u.caller.DryRun {
		return RestoreAnswer{Restored: from.Path}, nil
	}
	l := u.app.o.Settings
	unlock, err := lockRestore(ctx, l)
	if err != nil {
		return RestoreAnswer{}, err
	}
	defer unlock()
	release, err := u.app.lockDaemon(ctx) // none starts meanwhile
	if err != nil {
		return RestoreAnswer{}, err
	}
	defer release()
	u.app.mu.Lock()
	u.app.restoring = true
	u.app.mu.Unlock()
	done, err := u.restoreOver(ctx, from)
	if errors.Is(err, sqlite.ErrDamaged) && isDefaultFile(l) { // nothing but this brain can be in it
		if err := u.setDatabaseAside(err); err != nil {
			return RestoreAnswer{}, err
		}
		done, err = u.restoreOver(ctx, from)
	}
	if err != nil {
		return RestoreAnswer{}, err
	}
	return RestoreAnswer{Restored: done.Restored, Saved: &done.Saved}, nil
}

// setDatabaseAside renames a damaged database and the files beside it.
func (u *UseCases) setDatabaseAside(damage error) error {
	_ = u.app.Close() // it is damaged
	database := u.app.o.Settings.Paths.Database
	aside := database + ".damaged-" + u.app.o.Now().UTC().Format("20060102_150405")
	for _, part := range []string{"", "-wal", "-shm"} {
		err := os.Rename(database+part, aside+part)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("set the damaged database aside: %w", err)
		}
	}
	u.warn(fmt.Sprintf("%v; it was kept as %s, and its memories are not in what is saved of the present state", damage, aside))
	return nil
}

// restoreOver restores over what the store holds. A database that was set aside
// is created again.
func (u *UseCases) restoreOver(ctx context.Context, from backups.Verified) (backups.Restored, error) {
	l := u.app.o.Settings
	_, err := os.Stat(l.Paths.Data)
	b, err := u.openServices(ctx, err == nil && isDefaultFile(l))
	if err != nil {
		return backups.Restored{}, err
	}
	if _, err := u.drain(ctx, b); err != nil {
		return backups.Restored{}, err
	}
	release, err := u.holdMaintenance(ctx, b.Base.Store)
	if err != nil {
		return backups.Restored{}, err
	}
	defer release()
	if owner := notesOwner(l); owner != "" {
		u.warn(fmt.Sprintf("the notes in %s belong to the brain %s: they and MEMORY.md are left as they are; set notes.dir to restore those of the backup", l.Paths.NotesDir, owner))
	}
	o, err := u.restoreOptions(b, from.Path)
	if err != nil {
		return backups.Restored{}, err
	}
	o.Verified = from
	return backups.Restore(ctx, o)
}

// lockRestore lets one restore of a brain run at a time on this machine.
func lockRestore(ctx context.Context, l config.Loaded) (unlock func(), err error) {
	if err := durable.MakeDir(l.Paths.State, durable.PrivateDir); err != nil {
		return nil, unwritable("make the folder", l.Paths.State, err)
	}
	busy := brain.Errorf(brain.ErrHeld, "wait for it to end and try again", "the brain %s is being restored", l.Config.Brain)
	return durable.Lock{Path: filepath.Join(l.Paths.State, "restore.lock"), Busy: busy}.Acquire(ctx)
}

// restoreMarker is there while a restore is under way.
func restoreMarker(l config.Loaded) string { return filepath.Join(l.Paths.State, "restore.json") }

// restoreOptions say what goes where. The owner file keeps the id of the notes
// directory, by which the graph knows them, and names this brain.
func (u *UseCases) restoreOptions(b *services.Services, from string) (backups.RestoreOptions, error) {
	l := u.app.o.Settings
	r := backups.RestoreOptions{Options: u.backupOptions(b), Path: from, Marker: restoreMarker(l)}
	owner, err := notes.ReadOwner(filepath.Join(from, notesInBackup))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, brain.ErrInvalid) { // as it was
		return r, nil
	}
	if err != nil {
		return r, err
	}
	owner.Brain = l.Config.Brain
	text, err := owner.Text()
	r.Instead = map[string][]byte{path.Join(notesInBackup, notes.OwnerFile): text}
	return r, err
}

// finishRestore finishes a restore that a process began and did not end, before
// anything else is done with the brain.
func (u *UseCases) finishRestore(ctx context.Context, s brain.Store) error {
	l := u.app.o.Settings
	if _, found, err := backups.Unfinished(restoreMarker(l)); err != nil || !found {
		return err
	}
	unlock, err := lockRestore(ctx, l)
	if err != nil {
		return err
	}
	defer unlock()
	under, found, err := backups.Unfinished(restoreMarker(l)) // who held the lock may have ended it
	if err != nil || !found {
		return err
	}
	if u.caller.DryRun {
		return brain.Errorf(brain.ErrBusy, "any command without --dry-run finishes it", "the restore of %s was interrupted", under.Restored)
	}
	release, err := u.holdMaintenance(ctx, s)
	if errors.Is(err, brain.ErrBusy) {
		return brain.Errorf(brain.ErrHeld, "wait for it to end and try again", "the restore of %s was interrupted, and cannot be finished yet: %v", under.Restored, err)
	}
	if err != nil {
		return err
	}
	defer release()
	options, err := u.options()
	if err != nil {
		return err
	}
	o, err := u.restoreOptions(services.New(s, options), under.Restored)
	if err == nil {
		err = backups.Resume(ctx, o, under)
	}
	if err != nil {
		return fmt.Errorf("the restore of %s was interrupted and cannot be finished (the state before it is in %s, `brainbridge backup restore` goes on with any backup): %w",
			under.Restored, under.Saved, err)
	}
	u.caller.Notices.Info(fmt.Sprintf("finished the restore of %s that was interrupted", under.Restored))
	return nil
}
