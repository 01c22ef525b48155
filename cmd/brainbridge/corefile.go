package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/integration/corememory"
)

// coreKeeper keeps core-memory.json for the brain that this process has opened.
func (a *app) coreKeeper(b *brain.Brain, warn func(error)) (*corememory.Keeper, error) {
	l, err := a.settings()
	if err != nil {
		return nil, err
	}
	host, err := os.Hostname()
	if err != nil {
		return nil, err
	}
	return corememory.New(corememory.Settings{
		Brain: b, Host: host, Path: l.Paths.CoreFile, Lock: filepath.Join(l.Paths.State, "core-memory.lock"),
		Warn: func(s string) { warn(errors.New(s)) },
	}), nil
}

// coreStep is the part of a run that keeps core memory. Tests are in no file.
func (a *app) coreStep(b *brain.Brain, warn func(error)) (consolidate.Step, error) {
	if a.testOnly || a.empty() {
		return consolidate.NewCore(b, nil), nil
	}
	k, err := a.coreKeeper(b, warn)
	if err != nil {
		return nil, err
	}
	return consolidate.NewCore(b, k), nil
}

// showCore brings core-memory.json in step after a change of core memory. A
// file that is in the way is a warning: the next run tries again.
func (a *app) showCore(ctx context.Context, b *brain.Brain) {
	if a.dryRun || a.testOnly || a.empty() {
		return
	}
	k, err := a.coreKeeper(b, func(err error) { a.warn(err.Error()) })
	if err == nil {
		err = k.Write(ctx, b.Now(), false)
	}
	if err != nil {
		a.warn(err.Error())
	}
}
