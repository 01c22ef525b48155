package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/config"
)

// FreshPlan says what a new brain takes the place of.
type FreshPlan struct {
	File     string // the database file that is set aside, "" for none
	Memories int    // of the brain in it
	Damaged  bool   // it cannot be read
}

// PlanFresh returns what [UseCases.InitFresh] would do.
func (u *UseCases) PlanFresh(ctx context.Context) (FreshPlan, error) {
	l := u.app.Settings
	where, err := config.ParseStore(l.Config.Store)
	if err == nil {
		err = l.CheckNotes()
	}
	switch {
	case err != nil:
		return FreshPlan{}, err
	case l.Test:
		return FreshPlan{}, invalid("leave --test-only out", "--fresh is not for test memories, which are in the store of the brain")
	case where.Kind != config.KindSQLite:
		return FreshPlan{}, u.checkMissing(ctx)
	}
	stored, err := sqlite.Brains(ctx, where.Path)
	if errors.Is(err, sqlite.ErrDamaged) {
		return FreshPlan{File: where.Path, Damaged: true}, nil
	}
	if err != nil {
		return FreshPlan{}, err
	}
	memories, exists := stored[l.Config.Brain]
	for name := range stored {
		switch name {
		case l.Config.Brain, l.Config.Brain + "~test":
			continue
		}
		if exists {
			return FreshPlan{}, invalid("restore this brain from a backup, or make a new one in a file of its own with --store sqlite:PATH",
				"%s cannot be set aside: the brain %s is in it too", where.Path, strings.TrimSuffix(name, "~test"))
		}
		return FreshPlan{}, nil // only the brain is missing
	}
	return FreshPlan{File: where.Path, Memories: memories}, nil
}

// checkMissing returns an error if a server has the brain, or nodes of it: nothing can be set
// aside there.
func (u *UseCases) checkMissing(ctx context.Context) error {
	l := u.app.Settings
	if u.caller.DryRun { // which creates no brain
		if names, err := brainsAt(ctx, u.app.Options, l); err != nil || !slices.Contains(names, l.Config.Brain) {
			return err
		}
	}
	s, _, err := u.openStore(ctx, true, false)
	lost := errors.Is(err, errLost)
	if lost {
		s, _, err = u.openStore(ctx, true, true)
	}
	if err != nil {
		return err
	}
	nodes, err := lifecycle.Read(ctx, lifecycle.NewBase(s, lifecycle.Options{}), func(r brain.Reader) ([]string, error) { return r.Matching(1, "") })
	err = errors.Join(err, s.Close())
	switch {
	case err != nil || len(nodes) == 0:
		return err
	case lost:
		return invalid("`"+program(l)+" backup restore newest` replaces them",
			"the brain %s is missing from %s, but nodes of it are still there", l.Config.Brain, l.Config.Store)
	}
	return invalid("`"+program(l)+" backup restore PATH` replaces it; `init --brain NAME` makes another",
		"the brain %s is in %s and has memories; on a server, --fresh makes only a missing brain anew", l.Config.Brain, l.Config.Store)
}

// InitFresh makes a new, empty brain and keeps the database file that had it under another
// name. What was seen of the old one is forgotten.
func (u *UseCases) InitFresh(ctx context.Context, p FreshPlan) (InitAnswer, error) {
	if u.caller.DryRun {
		return u.Init(ctx)
	}
	release, err := u.app.lockDaemon(ctx) // none starts meanwhile
	if err != nil {
		return InitAnswer{}, err
	}
	defer release()
	l := u.app.Settings
	where, err := config.ParseStore(l.Config.Store)
	if err != nil {
		return InitAnswer{}, err
	}
	kept := ""
	if p.File != "" {
		if kept, err = sqlite.SetAside(p.File, "old", u.app.Now()); err != nil {
			return InitAnswer{}, err
		}
		if _, err := os.Stat(kept); err != nil {
			kept = ""
		}
	}
	seen := seenFile(l, where)
	if err = os.Remove(seen); err == nil {
		err = durable.SyncDir(filepath.Dir(seen))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return InitAnswer{}, unwritable("forget what was seen in", seen, err)
	}
	if err := backups.Unmark(restoreMarker(l)); err != nil { // an unfinished restore would fill the new brain
		return InitAnswer{}, err
	}
	u.fresh = true
	a, err := u.Init(ctx)
	a.KeptAs = kept
	if err != nil && kept != "" {
		u.warn("the old database is kept as " + kept)
	}
	return a, err
}
