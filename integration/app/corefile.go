package app

import (
	"context"
	"os"
	"path/filepath"

	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/integration/corememory"
)

// coreKeeper keeps core-memory.json in step with a brain.
func (u *UseCases) coreKeeper(b *services.Services) *corememory.Keeper {
	paths := u.app.o.Settings.Paths
	return corememory.New(corememory.Settings{
		Brain: b, Host: hostName(), Path: paths.CoreFile, Lock: filepath.Join(paths.State, "core-memory.lock"), Warn: u.warn,
	})
}

// writeCore brings core-memory.json in step after a change of core memory. A
// file that is in the way is a warning: the next run tries again.
func (u *UseCases) writeCore(ctx context.Context, b *services.Services) {
	if u.caller.DryRun {
		return
	}
	if err := u.coreKeeper(b).Write(ctx, b.Base.Now(), false); err != nil {
		u.caller.Notices.Warn(err)
	}
}

// adoptCore is writeCore, and keeps what another core-memory.json has beside
// core memory.
func (u *UseCases) adoptCore(ctx context.Context, b *services.Services, path string) {
	if u.caller.DryRun {
		return
	}
	other, err := os.ReadFile(path)
	if err == nil {
		err = u.coreKeeper(b).Adopt(ctx, b.Base.Now(), other)
	}
	if err != nil {
		u.caller.Notices.Warn(err)
	}
}
