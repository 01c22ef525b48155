package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

// Decrypted is an encrypted backup that is plain for as long as it is needed.
type Decrypted struct {
	Path   string // of the encrypted backup
	Plain  string
	Forget func() // removes the plain one
}

// DecryptBackup decrypts the backup with a name or path, with the identity in a file. One command
// at a time does so.
func (u *UseCases) DecryptBackup(ctx context.Context, name, identityFile string) (Decrypted, error) {
	l := u.app.Settings
	path, err := backups.Resolve(l.Paths.Backups, name, l.StoredBrain(), u.warn)
	if err != nil {
		return Decrypted{}, err
	}
	unlock, err := u.lockDecrypted(ctx)
	if err != nil {
		return Decrypted{}, err
	}
	u.removeDecrypted()
	d := Decrypted{Path: path, Plain: filepath.Join(u.decrypted(), brain.NewID(), filepath.Base(path))}
	d.Forget = func() { u.removeDecrypted(); unlock() }
	if err = durable.MakeDir(d.Plain, durable.PrivateDir); err == nil {
		err = backups.Decrypt(path, identityFile, d.Plain)
	}
	if err != nil {
		d.Forget()
	}
	return d, err
}

func (u *UseCases) decrypted() string { return filepath.Join(u.app.Settings.Paths.State, "decrypted") }

func (u *UseCases) lockDecrypted(ctx context.Context) (unlock func(), err error) {
	busy := brain.Busy("another command is decrypting a backup")
	return durable.Lock{Path: filepath.Join(u.app.Settings.Paths.State, "decrypted.lock"), Busy: busy}.Acquire(ctx)
}

// forgetDecrypted removes what a killed command decrypted.
func (u *UseCases) forgetDecrypted(ctx context.Context) {
	if unlock, err := u.lockDecrypted(ctx); err == nil { // else the command that has the lock does it
		u.removeDecrypted()
		unlock()
	}
}

// removeDecrypted removes the decrypted backups, but the one that an interrupted restore needs.
func (u *UseCases) removeDecrypted() {
	needed, _, _ := backups.Unfinished(restoreMarker(u.app.Settings)) // one that cannot be read cannot be finished
	all, err := os.ReadDir(u.decrypted())
	for _, e := range all {
		if path := filepath.Join(u.decrypted(), e.Name()); path != filepath.Dir(needed.Restored) {
			err = errors.Join(err, os.RemoveAll(path))
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		u.warn("a decrypted backup is still in " + u.decrypted() + ": " + err.Error())
	}
}
