package corememory

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
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

// replace writes text over the file unless it changed since it was read. keep is
// called just before.
func (k *Keeper) replace(was durable.Snapshot, text []byte, keep func() error) error {
	if err := durable.MakeDir(filepath.Dir(k.s.Path), durable.PrivateDir); err != nil {
		return fmt.Errorf("make the folder of %s: %w", k.s.Path, err)
	}
	err := was.Replace(text, durable.Options{KeepMode: true}, func() error {
		if k.beforeRename != nil {
			k.beforeRename()
		}
		return keep()
	})
	if errors.Is(err, durable.ErrUnsynced) {
		return nil
	}
	return err
}

// setAside copies a file that cannot be parsed to a free name, and makes a new one
// from core memory.
func (k *Keeper) setAside(ctx context.Context, f loaded) error {
	ext, now := filepath.Ext(k.s.Path), k.s.Brain.Base.Now()
	aside, err := "", fs.ErrExist
	for n := 1; errors.Is(err, fs.ErrExist); n++ {
		aside = fmt.Sprintf("%s-unreadable-%s-%d%s", strings.TrimSuffix(k.s.Path, ext), now.Format("20060102"), n, ext)
		err = durable.WriteNewFile(aside, f.Text)
	}
	if err != nil {
		return fmt.Errorf("set %s aside: %w", k.s.Path, err)
	}
	fresh := mustParse(emptyFile)
	if f.was.Config != "" {
		fresh.set(f.was.Config, configKey)
	}
	if err := k.replace(f.Snapshot, fresh.Bytes(), func() error { return k.remember(ctx, f.was) }); err != nil {
		return err
	}
	k.s.Warn(fmt.Sprintf("%s cannot be read (%v); it is now %s, and a new one is made from core memory, with the thresholds that a run read last. Until the next run nothing is forgotten or promoted to core automatically. Repair the file and put it back to have your edits read", k.s.Path, f.parseErr, aside))
	return k.write(ctx, now, false, mustParse("{}"))
}
