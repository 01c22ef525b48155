package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"filippo.io/age"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/redact"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/notes"
)

// BackupAnswer is a backup that was made.
type BackupAnswer struct {
	Path brain.OrNull `json:"path"` // null in a dry run; hides the path of the Backup in the JSON
	backups.Backup
	// LeftOut is what is not in the backup because it cannot be read.
	LeftOut []backups.LeftOut `json:"leftOut"`
}

// CreateBackup backs the brain up into a folder; "": backup.dir. If a recipient of age is
// given, the backup is encrypted. A dry run creates the backup elsewhere and removes it.
func (u *UseCases) CreateBackup(ctx context.Context, dir, recipient string) (BackupAnswer, error) {
	var to []age.Recipient
	var err error
	if recipient != "" {
		if to, err = backups.ParseRecipient(recipient); err != nil {
			return BackupAnswer{}, err
		}
	}
	b, err := u.Brain(ctx)
	if err != nil {
		return BackupAnswer{}, err
	}
	o := u.backupOptions(b)
	o.Recipients, o.Scratch = to, o.Dir
	if o.Dir, err = u.outsideNotes(cmp.Or(dir, o.Dir), "backup"); err != nil {
		return BackupAnswer{}, err
	}
	if u.caller.DryRun {
		if o.Dir, err = os.MkdirTemp("", "brainbridge-dry-"); err != nil {
			return BackupAnswer{}, err
		}
		defer os.RemoveAll(o.Dir) //nolint:errcheck // it is in the folder for temporary files
	}
	if b.Base.Store.Info().Kind == config.KindNeo4j && writable(b.Base.Store) == nil { // Neo4j has no snapshot, so no run may change it during the backup
		release, err := u.holdMaintenance(ctx, b.Base.Store)
		switch {
		case err == nil:
			defer release()
		case !errors.Is(err, brain.ErrReadOnly): // otherwise nothing changes it
			return BackupAnswer{}, err
		}
	}
	made, err := backups.Create(ctx, o)
	if err == nil {
		if err := u.noteLeftOut(made); err != nil { // the backup is made
			u.caller.Notices.Warn(err)
		}
	}
	return BackupAnswer{u.unlessDry(made.Path), made, append([]backups.LeftOut{}, made.LeftOut...)}, err
}

// BackupsAnswer is a list of backups, and what the daemon does about them.
type BackupsAnswer struct {
	Backups []backups.Backup `json:"backups"`
	BackupState
	Next *time.Time `json:"next"` // when the daemon makes the next one; null if it makes none
}

// Backups returns the existing backups, newest first.
func (u *UseCases) Backups(context.Context) (BackupsAnswer, error) {
	found, err := backups.List(u.app.Settings.Paths.Backups, u.warn)
	a := BackupsAnswer{Backups: append([]backups.Backup{}, found...)}
	var newest time.Time
	if len(found) > 0 {
		newest = found[0].Created
	}
	var stateErr error
	a.BackupState, stateErr = u.app.backupState(newest)
	if b := u.app.Settings.Config.Backup; err == nil && b.Scheduled() {
		var next time.Time
		next, err = Cron(b.Schedule, time.Local)(u.app.Now())
		a.Next = lifecycle.Optional(next.UTC())
	}
	return a, errors.Join(err, stateErr)
}

// PruneAnswer says which backups of the brain were removed, and which were kept.
type PruneAnswer struct {
	Removed []string `json:"removed"`
	Kept    []string `json:"kept"`
}

// PruneBackups removes the backups of the brain that backup.keep does not keep.
func (u *UseCases) PruneBackups(ctx context.Context) (PruneAnswer, error) {
	l := u.app.Settings
	unlock, err := backups.LockRestore(ctx, l.Paths.State, l.Config.Brain) // which needs two of them
	if err != nil {
		return PruneAnswer{}, err
	}
	defer unlock()
	if u.mustFinishRestore() {
		return PruneAnswer{}, brain.Busy("a restore of the brain %s was interrupted; the next command finishes it", l.Config.Brain)
	}
	done, err := backups.Prune(ctx, l.Paths.Backups, l.Config.Brain, backups.Retention(l.Config.Backup.Kept()), u.app.Now().In(time.Local), u.caller.DryRun)
	path := func(b backups.Backup) string { return b.Path }
	return PruneAnswer{append([]string{}, brain.Map(done.Removed, path)...), append([]string{}, brain.Map(done.Kept, path)...)}, err
}

// VerifyBackup reads the backup with a name or path, and compares it with its manifest.
func (u *UseCases) VerifyBackup(ctx context.Context, name string) (backups.Verified, error) {
	l := u.app.Settings
	path, err := backups.Resolve(l.Paths.Backups, name, l.StoredBrain(), u.warn)
	if err != nil {
		return backups.Verified{}, err
	}
	o := backups.Options{Progress: u.caller.Notices.Progress}
	v, err := backups.Verify(ctx, path, o)
	if err == nil && !v.OK && name == backups.NewestName {
		var failed error
		if v.Intact, failed = backups.NewestIntact(ctx, l.Paths.Backups, l.StoredBrain(), o); failed != nil {
			u.caller.Notices.Warn(fmt.Errorf("look for an older backup that is intact: %w", failed))
		}
	}
	return v, err
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
		{Name: settingsInBackup, Path: l.Paths.ConfigFile, Once: true, Text: withoutSecrets},
		{Name: "consolidation.log", Path: l.Paths.RunLog, Once: true},
	}
	if notesOwner(l) != "" {
		return all
	}
	return append(all, backups.Content{Name: notesInBackup, Path: l.Paths.NotesDir},
		backups.Content{Name: "MEMORY.md", Path: l.Paths.MemoryMD})
}

// Names in a backup.
const notesInBackup, settingsInBackup = "notes", "config.toml"

// notesOwner returns the brain that the notes belong to, if it is another one. An owner file that
// cannot be read counts as this brain's, since its folder is: a restore mends the file.
func notesOwner(l config.Loaded) string {
	owner, err := notes.ReadOwner(l.Paths.NotesDir)
	if err != nil || owner.Brain == l.Config.Brain {
		return ""
	}
	return owner.Brain
}
