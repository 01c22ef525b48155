package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/integration/corememory"
)

// coreKeeper keeps core-memory.json in step with a brain.
func (u *UseCases) coreKeeper(b *services.Services, warn func(error)) (*corememory.Keeper, error) {
	host, err := os.Hostname()
	if err != nil {
		return nil, err
	}
	paths := u.app.o.Settings.Paths
	return corememory.New(corememory.Settings{
		Brain: b, Host: host, Path: paths.CoreFile, Lock: filepath.Join(paths.State, "core-memory.lock"),
		Warn: func(s string) { warn(errors.New(s)) },
	}), nil
}

// writeCore brings core-memory.json in step after a change of core memory. A
// file that is in the way is a warning: the next run tries again.
func (u *UseCases) writeCore(ctx context.Context, b *services.Services) {
	u.changeCore(b, func(k *corememory.Keeper) error { return k.Write(ctx, b.Base.Now(), false) })
}

// adoptCore is writeCore, and keeps what another core-memory.json has beside
// core memory.
func (u *UseCases) adoptCore(ctx context.Context, b *services.Services, path string) {
	u.changeCore(b, func(k *corememory.Keeper) error {
		other, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return k.Adopt(ctx, b.Base.Now(), other)
	})
}

func (u *UseCases) changeCore(b *services.Services, change func(*corememory.Keeper) error) {
	if u.caller.DryRun {
		return
	}
	k, err := u.coreKeeper(b, u.caller.Notices.Warn)
	if err == nil {
		err = change(k)
	}
	if err != nil {
		u.caller.Notices.Warn(err)
	}
}
