package corememory

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

// lockWait is how long to wait for another process that writes the file.
const lockWait = 30 * time.Second

// locked runs fn under the lock of processes that write the file.
func (k *Keeper) locked(ctx context.Context, fn func() error) error {
	return durable.Lock{Path: k.s.Lock, Wait: lockWait, Busy: brain.Busy("another process is writing %s", k.s.Path)}.Do(ctx, fn)
}

// replace writes text over the file unless it changed since it was read.
func (k *Keeper) replace(was durable.Snapshot, text []byte) error {
	if err := durable.MakeDir(filepath.Dir(k.s.Path), durable.PrivateDir); err != nil {
		return fmt.Errorf("make the folder of %s: %w", k.s.Path, err)
	}
	err := was.Replace(text, durable.Options{KeepMode: true}, k.beforeRename)
	if errors.Is(err, durable.ErrUnsynced) {
		return nil
	}
	return err
}
