package app

import (
	"context"
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
