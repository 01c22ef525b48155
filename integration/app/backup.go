package app

import (
	"context"
	"os"
	"path/filepath"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain/redact"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/notes"
)

// BackupAnswer is a backup that was made.
type BackupAnswer struct {
	Path *string `json:"path"` // null in a dry run; takes the place of that of the backup
	backups.Backup
}

// CreateBackup backs the brain up into a folder; "": backup.dir. A dry run makes
// it elsewhere and removes it.
func (u *UseCases) CreateBackup(ctx context.Context, dir string) (BackupAnswer, error) {
	b, err := u.Brain(ctx)
	if err != nil {
		return BackupAnswer{}, err
	}
	o := u.backupOptions(b)
	if dir != "" {
		if o.Dir, err = filepath.Abs(dir); err != nil {
			return BackupAnswer{}, err
		}
	}
	if within(u.app.o.Settings.Paths.NotesDir, o.Dir) {
		return BackupAnswer{}, invalid("name a folder elsewhere", "%s is in the notes directory, so the backup would be ingested as notes", o.Dir)
	}
	if u.caller.DryRun {
		if o.Dir, err = os.MkdirTemp("", "brainbridge-dry-"); err != nil {
			return BackupAnswer{}, err
		}
		defer os.RemoveAll(o.Dir) //nolint:errcheck // it is in the folder for temporary files
	}
	if b.Base.Store.Info().Kind == config.Neo4jURI { // which reads without a snapshot
		release, err := u.holdMaintenance(ctx, b.Base.Store)
		if err != nil {
			return BackupAnswer{}, err
		}
		defer release()
	}
	made, err := backups.Create(ctx, o)
	a := BackupAnswer{Backup: made}
	if !u.caller.DryRun {
		a.Path = &a.Backup.Path
	}
	return a, err
}

// BackupsAnswer is a list of backups.
type BackupsAnswer struct {
	Backups []backups.Backup `json:"backups"`
}

// Backups returns the backups that there are, newest first.
func (u *UseCases) Backups(context.Context) (BackupsAnswer, error) {
	found, err := backups.List(u.app.o.Settings.Paths.Backups, u.warn)
	return BackupsAnswer{append([]backups.Backup{}, found...)}, err
}

// VerifyBackup reads the backup of that name, or path, and compares it with its
// manifest.
func (u *UseCases) VerifyBackup(ctx context.Context, name string) (backups.Verified, error) {
	path, err := backups.Resolve(u.app.o.Settings.Paths.Backups, name)
	if err != nil {
		return backups.Verified{}, err
	}
	return backups.Verify(ctx, path, backups.Options{Progress: u.caller.Notices.Progress})
}

// backupOptions are those of every backup of this brain.
func (u *UseCases) backupOptions(b *services.Services) backups.Options {
	self, err := os.Executable()
	if err != nil {
		self = "brainbridge"
	}
	l := u.app.o.Settings
	return backups.Options{
		Brain: b, Dir: l.Paths.Backups, Contents: backedUp(l),
		Version: u.app.o.Version, Executable: self, Warn: u.warn, Progress: u.caller.Notices.Progress,
	}
}

// backedUp is what belongs to the brain beside its graph. Notes that belong to
// another brain, and the MEMORY.md beside them, do not.
func backedUp(l config.Loaded) []backups.Content {
	all := []backups.Content{
		{Name: "core-memory.json", Path: l.Paths.CoreFile},
		{Name: "archive", Path: l.Paths.Archive},
		{Name: "config.toml", Path: l.Paths.ConfigFile, Once: true, Text: settingsWithoutSecrets},
		{Name: "consolidation.log", Path: l.Paths.RunLog, Once: true},
	}
	if notesOwner(l) != "" {
		return all
	}
	return append(all, backups.Content{Name: notesInBackup, Path: l.Paths.NotesDir},
		backups.Content{Name: "MEMORY.md", Path: l.Paths.MemoryMD})
}

// notesInBackup is the folder of the notes directory in a backup.
const notesInBackup = "notes"

func settingsWithoutSecrets(text []byte) []byte {
	clean, _ := redact.Text(string(text))
	return []byte(clean)
}

// notesOwner is the brain that the notes belong to, if it is another one.
func notesOwner(l config.Loaded) string {
	owner, err := notes.ReadOwner(l.Paths.NotesDir)
	if err != nil || owner.Brain == l.Config.Brain {
		return ""
	}
	return owner.Brain
}
