package app

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/redact"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/corememory"
)

// Brain opens the store, takes in what was spooled, and returns the service. A
// brain that does not exist is [brain.ErrNotFound], but for the default brain,
// which is created.
func (u *UseCases) Brain(ctx context.Context) (*services.Services, error) {
	b, err := u.opened(ctx, false)
	if err != nil || u.caller.DryRun {
		return b, err
	}
	_, err = u.drain(ctx, b)
	return b, err
}

// Open opens the store. It is [brain.ErrUnavailable] while the store is away.
func (u *UseCases) Open(ctx context.Context) error {
	_, err := u.opened(ctx, false)
	return err
}

// opened is the service on the open store, with the spool as it is.
func (u *UseCases) opened(ctx context.Context, create bool) (*services.Services, error) {
	o, err := u.options()
	if err != nil {
		return nil, err
	}
	s, err := u.open(ctx, create)
	if err != nil {
		return nil, err
	}
	if u.caller.DryRun {
		s = dryStore{s}
	}
	return services.New(s, o), nil
}

// brainOrAway is Brain for captures, which the spool keeps while the store is away.
// Then it returns the services on a store of which every read and write fails.
func (u *UseCases) brainOrAway(ctx context.Context) (*services.Services, error) {
	b, err := u.Brain(ctx)
	if u.caller.DryRun || !brain.Away(err) {
		return b, err
	}
	o, optionsErr := u.options()
	return services.New(awayStore{err: err}, o), optionsErr
}

// options of the service for this caller.
func (u *UseCases) options() (services.Options, error) {
	session := u.app.o.Env("BRAINBRIDGE_SESSION")
	if !brain.IsWord(session, brain.MaxName) {
		return services.Options{}, invalid("set it to the id of the session, or unset it", "BRAINBRIDGE_SESSION is %.40q, which is not a valid id", session)
	}
	host, err := os.Hostname()
	if err != nil {
		return services.Options{}, err
	}
	paths := u.app.o.Settings.Paths
	archive := backups.NewArchive(paths.Archive)
	archive.Warn = u.warn
	o := services.Options{
		Now: u.app.o.Now, Session: cmp.Or(session, u.caller.Session), Agent: u.caller.Agent, Archive: archive, Journal: archive,
		Overrides: corememory.Overrides(host, paths.CoreFile, u.warn),
		Redact:    redact.Text, Redacted: u.caller.Notices.Redacted, Spool: u.app.spool(),
	}
	if u.app.o.Settings.Test {
		o.IDPrefix = brain.TestPrefix
	}
	if u.caller.DryRun {
		o.Archive, o.Spool = dryArchive{archive}, nil
	}
	return o, nil
}

// open returns the store, opened once for all callers. An interrupted restore is
// finished first.
func (u *UseCases) open(ctx context.Context, create bool) (brain.Store, error) {
	a := u.app
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.store != nil {
		return a.store, nil
	}
	s, err := openStore(ctx, a.o, create)
	if err != nil {
		return nil, err
	}
	if !a.restoring {
		if err := u.finishRestore(ctx, s); err != nil {
			return nil, errors.Join(err, s.Close()) // the next call tries again
		}
	}
	a.store = s
	return s, nil
}

// openStore opens the store that the settings name. Unless create is set, a
// brain other than the default one has to exist.
func openStore(ctx context.Context, o Options, create bool) (brain.Store, error) {
	c := o.Settings.Config
	where, err := config.ParseStore(c.Store)
	if err != nil {
		return nil, err
	}
	required := ""
	if !create && c.Brain != config.Default().Brain {
		required = c.Brain
	}
	if where.Kind == config.SQLite {
		return openFile(ctx, where.Path, o, required, create)
	}
	password, err := config.Password(c, o.Env)
	if err != nil {
		return nil, err
	}
	server := neo4j.Config{URI: where.URI, Password: password, Database: c.Neo4j.Database, Brain: o.Settings.StoredBrain(), Requires: required}
	if password != "" {
		server.User = c.Neo4j.User
	}
	s, err := neo4j.Open(ctx, server)
	if errors.Is(err, neo4j.ErrCredentials) && password == "" {
		return nil, brain.Errorf(brain.ErrRefused, "set BRAINBRIDGE_NEO4J_PASSWORD, or name a file with neo4j.password_file", "%v; no password is set", err)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

func openFile(ctx context.Context, path string, o Options, required string, create bool) (brain.Store, error) {
	var options []sqlite.Option
	if o.Frugal {
		options = append(options, sqlite.Frugal())
	}
	if required != "" {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && ownFile(o.Settings) {
			return nil, brain.UnknownBrain(required, brainsInHome(o.Settings))
		}
		options = append(options, sqlite.Requires(required))
	}
	if !create && !ownFile(o.Settings) {
		options = append(options, sqlite.Lazy()) // the path may be mistyped
	}
	s, err := sqlite.Open(ctx, path, o.Settings.StoredBrain(), options...)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// ownFile reports whether the store is the brain's own file in the data folder.
func ownFile(l config.Loaded) bool { return l.Config.Store == config.SQLite+":"+l.Paths.Database }

// brainsInHome are the brains that have a file of their own in the data folder.
func brainsInHome(l config.Loaded) []string {
	files, err := filepath.Glob(filepath.Join(filepath.Dir(filepath.Dir(l.Paths.Database)), "*", filepath.Base(l.Paths.Database)))
	if err != nil {
		return nil // nothing is known then
	}
	var names []string
	for _, f := range files {
		names = append(names, filepath.Base(filepath.Dir(f)))
	}
	slices.Sort(names)
	return names
}

// Create creates the brain unless it exists.
func (u *UseCases) Create(ctx context.Context) error {
	_, err := u.opened(ctx, true)
	return err
}
