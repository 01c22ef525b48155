package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/config"
)

// Locate returns the settings with the store of a brain of an earlier version, which had one
// store for all brains: if the brain is not in the store of the settings but in its default
// file, where it was made before that store was set, the file is its store.
func Locate(ctx context.Context, o Options) config.Loaded {
	if !o.Settings.MayBeInDefaultFile() {
		return o.Settings
	}
	name, inFile := o.Settings.Config.Brain, o.Settings.InDefaultFile()
	names, err := brainsAt(ctx, o, o.Settings)
	if err != nil || slices.Contains(names, name) { // if the store is away, captures wait for it
		return o.Settings
	}
	if names, err := brainsAt(ctx, o, inFile); err != nil || !slices.Contains(names, name) {
		return o.Settings
	}
	return inFile
}

// brainsAt returns the names of the brains in the store of settings.
func brainsAt(ctx context.Context, o Options, l config.Loaded) ([]string, error) {
	where, err := config.ParseStore(l.Config.Store)
	if err != nil {
		return nil, err
	}
	if where.Kind == config.KindSQLite {
		memories, err := sqlite.Brains(ctx, where.Path)
		return slices.Collect(maps.Keys(memories)), err
	}
	server, err := serverOf(l, o.Env)
	if err != nil {
		return nil, err
	}
	return neo4j.Brains(ctx, server)
}

// unknownBrain returns the error for a brain that is not in its store. The names that it
// lists are those in the store, and unless a flag names that, those of the settings, of the
// data folder and in the store of the default brain.
func (u *UseCases) unknownBrain(ctx context.Context) error {
	l := u.app.Settings
	name := l.Config.Brain
	known, _ := brainsAt(ctx, u.app.Options, l) // the names are a help, and some are better than none
	if l.Origin["store"] != config.FromFlag {
		known = append(known, l.Brains()...)
		if d, ok := l.Default(); ok && d.Config.Store != l.Config.Store {
			more, _ := brainsAt(ctx, u.app.Options, d)
			known = append(known, more...)
		}
	}
	slices.Sort(known)
	known = slices.Compact(known)
	if slices.Contains(known, name) {
		return brain.Errorf(brain.ErrNotFound, "check brains."+name+".store in "+l.Paths.ConfigFile+"; `brainbridge init --brain "+name+"` makes an empty brain there",
			"the brain %s is not in its store, %s", name, l.Config.Store)
	}
	err := brain.UnknownBrain(name, known)
	var unknown *brain.Error
	place := map[config.Origin]string{config.FromFile: l.Paths.ConfigFile, config.FromEnvironment: "BRAINBRIDGE_BRAIN"}[l.Origin["brain"]]
	if place != "" && errors.As(err, &unknown) { // otherwise the name was typed
		unknown.Hint = "the name comes from " + place + "; " + unknown.Hint
	}
	return err
}

// KeepNeighbours records the store of each brain that an earlier version made in the store of
// the default brain, which is about to become another one. If it cannot list them, it says so.
func (u *UseCases) KeepNeighbours(ctx context.Context, next string) error {
	l := u.app.Settings
	was, ok := l.Default()
	if !ok || was.UsesDefaultFile() || was.Config.Store == next || u.caller.DryRun {
		return nil
	}
	names, err := brainsAt(ctx, u.app.Options, was)
	if err != nil {
		u.warn(fmt.Sprintf("%v; if there are others than %s, name their store with `brainbridge --brain NAME init --store %s`", err, config.DefaultBrain, was.Config.Store))
	}
	for _, name := range names {
		if !l.Unrecorded(name) {
			continue
		}
		if err := config.Set(l.Paths.ConfigFile, "brains."+name+".store", was.Config.Store); err != nil {
			return err
		}
	}
	return nil
}
