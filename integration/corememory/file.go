package corememory

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

const (
	lockWait = 30 * time.Second
	// tries is how often the file is planned again because somebody saved it
	// between the reading and the writing.
	tries = 3
)

// errMoved: somebody saved the file meanwhile.
var errMoved = errors.New("the file was saved meanwhile")

// locked runs fn while no other process of this program is at the file.
func (k *Keeper) locked(ctx context.Context, fn func() error) error {
	wait, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	if err := durable.MakeDir(filepath.Dir(k.s.Lock), durable.PrivateDir); err != nil {
		return fmt.Errorf("lock %s: %w", k.s.Path, err)
	}
	unlock, err := durable.Lock(wait, k.s.Lock)
	if err != nil {
		if wait.Err() != nil && ctx.Err() == nil {
			err = brain.Errorf(brain.ErrBusy, "try again", "another process is writing %s", k.s.Path)
		}
		return err
	}
	defer unlock()
	return fn()
}

// read is the text of the file, nil if there is none.
func (k *Keeper) read() ([]byte, error) {
	text, err := durable.ReadFile(k.s.Path)
	if err != nil {
		return nil, fmt.Errorf("read core memory: %w", err)
	}
	return text, nil
}

// replace puts text in the place of what was read, unless somebody saved the
// file since: then it is errMoved. keep is called just before.
func (k *Keeper) replace(was, text []byte, keep func() error) error {
	if err := durable.MakeDir(filepath.Dir(k.s.Path), durable.PrivateDir); err != nil {
		return fmt.Errorf("make the folder of %s: %w", k.s.Path, err)
	}
	tmp, err := durable.Prepare(k.s.Path, text, durable.Options{KeepMode: true})
	if err != nil {
		return fmt.Errorf("write %s: %w", k.s.Path, err)
	}
	defer tmp.Discard()
	if k.beforeRename != nil {
		k.beforeRename()
	}
	if err := k.unmoved(was); err != nil {
		return err
	}
	if err := keep(); err != nil {
		return err
	}
	if err := k.unmoved(was); err != nil { // keeping takes a moment
		return err
	}
	if err := tmp.Replace(); err != nil && !errors.Is(err, durable.ErrUnsynced) {
		return fmt.Errorf("replace %s: %w", k.s.Path, err)
	}
	return nil
}

func (k *Keeper) unmoved(was []byte) error {
	now, err := k.read()
	if err != nil {
		return err
	}
	if !bytes.Equal(now, was) || (now == nil) != (was == nil) {
		return errMoved
	}
	return nil
}

// setAside renames a file that cannot be read, to a name that is free.
func (k *Keeper) setAside(why error) error {
	ext := filepath.Ext(k.s.Path)
	base := k.s.Path[:len(k.s.Path)-len(ext)]
	for n := 1; ; n++ {
		aside := fmt.Sprintf("%s-unreadable-%s-%d%s", base, k.s.Brain.Now().Format("20060102"), n, ext)
		if _, err := os.Lstat(aside); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := os.Rename(k.s.Path, aside); err != nil {
			return fmt.Errorf("set %s aside: %w", k.s.Path, err)
		}
		k.s.Warn(fmt.Sprintf("%s cannot be read (%v); it is now %s, and a new one is made from core memory, with the thresholds that a run read last. Until the next run nothing is forgotten or taken into core by itself. Mend it and put it back to have your edits taken in", k.s.Path, why, aside))
		return durable.SyncDir(filepath.Dir(k.s.Path))
	}
}
