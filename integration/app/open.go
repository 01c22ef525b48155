package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/redact"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/spool"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/corememory"
)

// Brain opens the store, drains the spool and returns the services. The default brain is
// created on first use; any other missing brain is [brain.ErrNotFound]. A store that can
// only be read and a spool that cannot be drained are warnings. It is exported for the
// benchmark and for tests: adapters call use cases.
func (u *UseCases) Brain(ctx context.Context) (*services.Services, error) {
	b, err := u.openServices(ctx, false)
	if err != nil || u.caller.DryRun || outdated(b.Base.Store) {
		return b, err
	}
	if err = writable(b.Base.Store); err == nil {
		err = u.drain(ctx, b)
	}
	if err != nil && ctx.Err() == nil && !u.app.told(err) {
		u.caller.Notices.Warn(err)
	}
	return b, ctx.Err()
}

// told reports whether the open store gave the same warning before.
func (a *App) told(err error) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	before := a.warning
	a.warning = err.Error()
	return before == a.warning
}

// brainForCapture is Brain without these warnings, which the capture has.
func (u *UseCases) brainForCapture(ctx context.Context) (*services.Services, error) {
	b, err := u.openServices(ctx, false)
	if err != nil || u.caller.DryRun || writable(b.Base.Store) != nil {
		return b, err
	}
	return b, u.drain(ctx, b)
}

// openServices is Brain without draining the spool.
func (u *UseCases) openServices(ctx context.Context, create bool) (*services.Services, error) {
	o, err := u.options()
	var s brain.Store
	if err == nil {
		s, err = u.open(ctx, create)
	}
	if err != nil {
		return nil, err
	}
	if u.caller.DryRun {
		return services.Dry(s, o), nil
	}
	return services.New(s, o), nil
}

// services is Brain, except that without a store each read and write fails with the error.
func (u *UseCases) services(ctx context.Context) *services.Services {
	b, err := u.Brain(ctx)
	if err != nil {
		return u.failing(err)
	}
	return b
}

func (u *UseCases) failing(err error) *services.Services {
	o, _ := u.options() // if they are wrong, err says so
	return services.Failing(err, o)
}

func (u *UseCases) options() (services.Options, error) {
	session := u.app.Env("BRAINBRIDGE_SESSION")
	if !brain.IsWord(session, brain.MaxName) {
		return services.Options{}, invalid("set it to the id of the session, or unset it", "BRAINBRIDGE_SESSION is %.40q, which is not a valid id", session)
	}
	session = cmp.Or(session, u.caller.Session)
	if session == "" && u.app.Env("GEMINI_CLI") != "" { // it does not pass the session to commands
		agent := AgentProcess()
		if s, err := u.app.sessions().Current(agent, u.app.Now()); err == nil && s.Agent == agent {
			session = s.ID
		}
	}
	paths := u.app.Settings.Paths
	archive := backups.NewArchive(paths.Archive, u.warn)
	o := services.Options{
		Now: u.app.Now, Zone: u.app.Settings.Zone, Session: session, Agent: u.caller.Agent, Background: u.caller.Background, Archive: archive, Journal: archive,
		Overrides: sync.OnceValue(corememory.Overrides(paths.CoreFile, u.warn)), // the same for all of a use case
		Redact:    redact.Text, ReportRedacted: u.caller.Notices.Redacted,
	}
	if u.app.Settings.Test {
		o.IDPrefix = brain.TestPrefix
	}
	if !u.caller.DryRun { // in which nothing waits for the store
		o.Spool = u.app.spool()
	}
	return o, nil
}

// outdatedCopy reports whether the store is a copy of one that has changed since or can be written
// now. It looks every ten seconds.
func (a *App) outdatedCopy(ctx context.Context) bool {
	c, ok := a.store.(interface{ CopyOutdated(context.Context) bool })
	if !ok || time.Since(a.opened) < 10*time.Second {
		return false
	}
	a.opened = time.Now()
	return c.CopyOutdated(ctx)
}

// open returns the store. It upgrades one of an earlier format, and finishes an interrupted
// restore, unless another one replaces it.
func (u *UseCases) open(ctx context.Context, create bool) (brain.Store, error) {
	a := u.app
	a.mu.Lock()
	defer a.mu.Unlock()
	gone := a.store != nil && (replaced(a.store) != nil || a.outdatedCopy(ctx)) // a server of tools lives on with the present brain
	if a.store != nil && !gone && (u.caller.DryRun || !outdated(a.store)) {
		return a.store, nil
	}
	if a.store != nil { // or it could not be upgraded: try again
		if err := a.store.Close(); err != nil {
			return nil, err
		}
		a.store = nil
	}
	s, w, err := u.openStore(ctx, create, u.restoring)
	if errors.Is(err, errLost) && !u.caller.DryRun && u.mustFinishRestore() {
		s, w, err = u.openStore(ctx, create, true)
	}
	if err == nil {
		s, w, err = u.upgrade(ctx, s, w, create)
	}
	if errors.Is(err, brain.ErrNotFound) {
		err = u.unknownBrain(ctx)
	}
	if err != nil {
		return nil, err
	}
	if !u.restoring && writable(s) == nil {
		err := u.finishRestore(ctx, s)
		if err == nil && w.awaited { // it was given up before it brought the brain back
			err = w.lost
		}
		if err != nil {
			return nil, errors.Join(err, s.Close()) // the next call tries again
		}
	}
	a.store, a.witness, a.opened, a.warning = s, w, time.Now(), ""
	u.reportUnseen(ctx, s, w)
	return s, nil
}

// RequireBrain returns an error if the brain does not exist and would not be created on
// first use. It returns nil while the store is unreachable.
func (u *UseCases) RequireBrain(ctx context.Context) error {
	if u.app.Settings.Config.Brain == config.DefaultBrain {
		return nil
	}
	if _, err := u.open(ctx, false); errors.Is(err, brain.ErrNotFound) {
		return err
	}
	return nil
}

// openStore opens the store of the settings. create allows for a new brain of any name.
// restore allows for one in the place of a brain that is lost.
func (u *UseCases) openStore(ctx context.Context, create, restore bool) (brain.Store, *witness, error) {
	o := u.app.Options
	where, err := config.ParseStore(o.Settings.Config.Store)
	if err != nil {
		return nil, nil, err
	}
	w := newWitness(o.Settings, where, u.fresh, restore)
	if restore && w.before != nil {
		create = true
		if where.Kind == config.KindSQLite && sqlite.IsEmpty(where.Path) { // its log is kept, and not shared with the new file
			if _, err := sqlite.SetAside(where.Path, "lost", o.Now()); err != nil {
				return nil, nil, err
			}
		}
	}
	required := ""
	if w.lost != nil && !restore || !create && o.Settings.Config.Brain != config.DefaultBrain {
		required = o.Settings.Config.Brain
	}
	watch := w.watch(o.Settings.Test)
	if !u.moving && !o.Settings.Test {
		watch.Writable = u.app.mayWrite
	}
	if !restore { // which mends it
		watch.LeftOut = u.app.leftOut.add(u.caller.Notices)
	}
	s, err := openAt(ctx, o, where, required, u.waiting(), watch)
	return s, w, err
}

// openAt opens a store. If the brain required is not in it, the error is [brain.ErrNotFound];
// "" requires none.
func openAt(ctx context.Context, o Options, where config.Store, required string, p neo4j.Patience, watch brain.Watch) (brain.Store, error) {
	if where.Kind == config.KindSQLite {
		options := []sqlite.Option{sqlite.Program(o.Version), sqlite.Watch(watch)}
		if o.Frugal {
			options = append(options, sqlite.Frugal())
		}
		if required != "" {
			options = append(options, sqlite.Requires(required))
		}
		return sqlite.Open(ctx, where.Path, o.Settings.StoredBrain(), options...)
	}
	server, err := serverOf(o.Settings, o.Env)
	if err != nil {
		return nil, err
	}
	server.Requires, server.Program, server.Patience, server.Watch = required, o.Version, p, watch
	s, err := neo4j.Open(ctx, server)
	return s, withPasswordHint(err, server)
}

func withPasswordHint(err error, server neo4j.Config) error {
	if errors.Is(err, neo4j.ErrCredentials) && server.Password == "" {
		return brain.Errorf(brain.ErrRefused, "set BRAINBRIDGE_NEO4J_PASSWORD, or name a file with neo4j.password_file", "%v; no password is set", err)
	}
	return err
}

// serverOf returns how the Neo4j server of settings is opened.
func serverOf(l config.Loaded, env func(string) string) (neo4j.Config, error) {
	c := l.Config
	password, err := config.Password(c, env)
	server := neo4j.Config{URI: c.Store, Password: password, Database: c.Neo4j.Database, Brain: l.StoredBrain()}
	if password != "" {
		server.User = c.Neo4j.User
	}
	return server, err
}

// Create creates the brain unless it exists. It waits for a server that is starting.
func (u *UseCases) Create(ctx context.Context) error {
	patient := *u
	patient.patience = neo4j.Patience{Up: 15 * time.Second, Ready: time.Minute}
	b, err := patient.openServices(ctx, false)
	if errors.Is(err, brain.ErrNotFound) {
		if err := config.CheckNewBrain(u.app.Settings.Config.Brain); err != nil {
			return err
		}
		b, err = patient.openServices(ctx, true)
	}
	if err == nil {
		err = writable(b.Base.Store)
	}
	if err == nil {
		_, err = b.Base.StoreNumbers(ctx)
	}
	return err
}

// waiting returns the patience with a server that is starting. The caller hears of it.
func (u *UseCases) waiting() neo4j.Patience {
	p := u.patience
	p.Waiting = func(most time.Duration) {
		u.caller.Notices.Info(fmt.Sprintf("waiting for Neo4j at %s (up to %.0f s) …", u.app.Settings.Config.Store, most.Seconds()))
	}
	return p
}

func (a *App) spool() *spool.Spool {
	l := a.Settings
	s := spool.New(l.Paths.Spool, l.Config.Brain, l.Config.Store)
	if m := a.readMove(); m.Done && m.To == l.Config.Store {
		return s.From(m.From)
	}
	return s
}

// drain stores the captures of the spool. It returns an error if the store becomes
// unreachable again, so that later captures are spooled behind these.
func (u *UseCases) drain(ctx context.Context, b *services.Services) error {
	d, err := u.app.spool().Drain(ctx, func(ctx context.Context, c brain.Capture) error {
		note, err := b.Capture.CaptureSpooled(ctx, c)
		if note != "" {
			u.warn(note)
		}
		return err
	})
	if d.Cut {
		u.warn("captures that waited for the store are lost: their file in " + u.app.Settings.Paths.Spool + " was cut or deleted")
	}
	if d.Stored > 0 {
		u.caller.Notices.Info(fmt.Sprintf("stored %s that had waited for the store", english.Plural(d.Stored, "capture", "")))
	}
	if d.Rejected > 0 {
		u.warn(fmt.Sprintf("the store does not accept %s; see %s", english.Plural(d.Rejected, "capture", ""), d.RejectedFile))
	}
	if err != nil && !errors.Is(err, brain.ErrUnavailable) && ctx.Err() == nil {
		u.caller.Notices.Warn(err)
		return nil
	}
	return err
}
