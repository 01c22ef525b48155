package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/config"
)

// Health says whether the brain is in order, and what to do if not.
func (u *UseCases) Health(ctx context.Context) (health.Report, error) {
	f, err := u.HealthFacts(ctx, u.services(ctx))
	if err != nil {
		return health.Report{}, err
	}
	return health.Check(f), nil
}

// HealthFacts returns the inputs of a health check, from the store and this machine.
func (u *UseCases) HealthFacts(ctx context.Context, b *services.Services) (health.Facts, error) {
	f, err := health.Read(ctx, b)
	if err != nil {
		return f, err
	}
	return u.localHealth(f)
}

// localHealth adds what this machine knows.
func (u *UseCases) localHealth(f health.Facts) (health.Facts, error) {
	l := u.app.o.Settings
	f.SilenceDays, f.Watching = l.Config.Health.SilenceDays, u.app.daemon().State().Watching()
	s := u.app.spool()
	var err error
	if f.Spooled, _, err = s.Waiting(); err != nil {
		return f, err
	}
	if f.Rejected, _, err = s.Rejected(); err != nil {
		return f, err
	}
	if f.StoreBytes, err = storeBytes(l); err != nil {
		return f, err
	}
	f.LastBackup, err = lastBackup(l)
	return f, err
}

// storeBytes is the size of the file of an embedded store, its log included; nil
// for a server.
func storeBytes(l config.Loaded) (*int64, error) {
	where, err := config.ParseStore(l.Config.Store)
	if err != nil || where.Kind != config.SQLite {
		return nil, err
	}
	var sum int64
	for _, file := range []string{where.Path, where.Path + "-wal"} {
		info, err := os.Stat(file)
		switch {
		case err == nil:
			sum += info.Size()
		case !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("look how large the store is: %w", err)
		}
	}
	return &sum, nil
}

// lastBackup is when the newest backup of the brain was made, apart from those
// that restores made of what they replaced; zero for never.
func lastBackup(l config.Loaded) (time.Time, error) {
	all, err := backups.List(l.Paths.Backups, nil)
	for _, b := range all {
		if b.Brain == l.Config.Brain && strings.HasPrefix(filepath.Base(b.Path), backups.Made+"-") {
			return b.Created, err
		}
	}
	return time.Time{}, err
}

// Audit says how clean the memory is, with at most so many of the latest
// rejections.
func (u *UseCases) Audit(ctx context.Context, rejections int) (AuditAnswer, error) {
	return health.ReadAudit(ctx, u.services(ctx), rejections)
}
