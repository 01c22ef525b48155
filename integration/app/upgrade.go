package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/config"
)

// migratable is a store that another version of the program may have made.
type migratable interface {
	brain.Store
	brain.Migrator
}

// writable returns [brain.ErrReadOnly] if this program may only read a store.
func writable(s brain.Store) error {
	if m, ok := s.(brain.Migrator); ok {
		return m.Writable()
	}
	return nil
}

// outdated reports whether a store has an earlier format.
func outdated(s brain.Store) bool {
	m, ok := s.(brain.Migrator)
	return ok && m.Format().Stored < m.Format().Known
}

// upgrade migrates an outdated store after a backup of its brains, and opens it again. If
// that fails it warns and returns the store as it is, which can be read. A dry run does not
// migrate.
func (u *UseCases) upgrade(ctx context.Context, opened brain.Store, w *witness, create bool) (brain.Store, *witness, error) {
	s, ok := opened.(migratable)
	if !ok || !outdated(s) || u.caller.DryRun {
		return opened, w, nil
	}
	if _, limited := ctx.Deadline(); limited { // a hook, which has seconds: a command upgrades it
		return opened, w, nil
	}
	f := s.Format()
	what := fmt.Sprintf("upgraded from format %d to %d", f.Stored, f.Known)
	began, made := false, ""
	var names []string
	err := s.Migrate(ctx, func() (err error) {
		began = true
		if names, err = s.Brains(ctx); err != nil {
			return err
		}
		names = slices.DeleteFunc(names, func(name string) bool { return strings.Contains(name, "/") }) // a restore loads into NAME/loading
		made, err = u.backUpAll(ctx, s, names, fmt.Sprintf("before the upgrade to format %d", f.Known))
		return err
	})
	if err != nil {
		if ctx.Err() != nil || u.restoring { // a restore sets a damaged file aside
			return nil, nil, errors.Join(err, s.Close())
		}
		hint := Hint(err)
		if hint != "" {
			hint = " (" + hint + ")"
		}
		u.caller.Notices.Warn(brain.Errorf(brain.ErrReadOnly,
			"the next command tries again; until then nothing is written, and captures wait in the spool",
			"the store was not %s: %v%s", what, err, hint))
		return s, w, nil
	}
	if began {
		u.caller.Notices.Info("the store was " + what + made)
		if err := u.applyNumbers(ctx, names); err != nil {
			u.caller.Notices.Warn(fmt.Errorf("the next run of maintenance settles the energies: %w", err))
		}
	}
	if err := s.Close(); err != nil {
		return nil, nil, err
	}
	return u.openStore(ctx, create, w.replaces)
}

// backUpAll makes a backup of each brain in a store that has something in it, and says where.
// That of the own brain is the last one, so that it is the newest in a shared folder.
func (u *UseCases) backUpAll(ctx context.Context, own brain.Store, names []string, reason string) (where string, err error) {
	var made []string
	for _, name := range names {
		if name == own.Info().Brain {
			continue
		}
		path, err := u.backUpOther(ctx, name, reason)
		if err != nil {
			return "", fmt.Errorf("back up the brain %s: %w", name, err)
		}
		made = append(made, path)
	}
	path, err := u.backUpBefore(ctx, own, reason, func(*backups.Options) {})
	made = slices.DeleteFunc(append([]string{path}, made...), func(path string) bool { return path == "" })
	if err != nil || len(made) == 0 {
		return "", err
	}
	return "; a backup of before is in " + strings.Join(made, ", "), nil
}

// openOther opens a brain of the store.
func (u *UseCases) openOther(ctx context.Context, name string) (brain.Store, error) {
	o := u.app.Options
	o.Settings.Config.Brain, o.Settings.Test = name, false
	where, err := config.ParseStore(o.Settings.Config.Store)
	if err != nil {
		return nil, err
	}
	return openAt(ctx, o, where, "", u.waiting(), brain.Watch{})
}

// applyNumbers settles the energies that an earlier version computed with lifecycle numbers of before.
func (u *UseCases) applyNumbers(ctx context.Context, brains []string) error {
	options, err := u.options()
	for _, name := range brains {
		if err != nil {
			return err
		}
		var s brain.Store
		if s, err = u.openOther(ctx, name); err == nil {
			err = errors.Join(services.New(s, options).Base.ApplyNumbers(ctx), s.Close())
		}
	}
	return err
}

// backUpOther makes a backup of another brain in the store, without the files around it.
func (u *UseCases) backUpOther(ctx context.Context, name, reason string) (path string, err error) {
	own := u.app.Settings.Paths
	s, err := u.openOther(ctx, name)
	if err != nil {
		return "", err
	}
	defer func() { _ = s.Close() }() // only read
	return u.backUpBefore(ctx, s, reason, func(b *backups.Options) {
		b.Contents = nil
		if b.Dir == filepath.Join(own.Data, "backups") { // otherwise all brains share it
			b.Dir = filepath.Join(filepath.Dir(own.Data), name, "backups")
		}
	})
}

// backUpBefore makes a backup of the brain that a store was opened for, unless it is empty.
func (u *UseCases) backUpBefore(ctx context.Context, s brain.Store, reason string, change func(*backups.Options)) (path string, err error) {
	if empty, err := isEmpty(ctx, s); err != nil || empty {
		return "", err
	}
	if s.Info().Kind == config.KindNeo4j { // which reads without a snapshot
		release, err := u.holdMaintenance(ctx, s)
		if err != nil {
			return "", err
		}
		defer release()
	}
	options, err := u.options()
	if err != nil {
		return "", err
	}
	o := u.backupOptions(services.New(s, options))
	o.Reason, o.Keep, o.KeepFirst = reason, 1, true // a try that fails leaves one; the first is of what no try has touched
	change(&o)
	made, err := backups.Create(ctx, o)
	return made.Path, err
}

// isEmpty reports whether nothing is stored in a brain.
func isEmpty(ctx context.Context, s brain.Store) (bool, error) {
	something := errors.New("not empty")
	err := s.Dump(ctx, func(p brain.Page) error {
		if p.Len() > 0 {
			return something
		}
		return nil
	})
	if errors.Is(err, something) {
		return false, nil
	}
	return err == nil, err
}
