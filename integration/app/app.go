// Package app holds the use cases of the program: what a command, an MCP tool, a hook or the
// daemon can ask of a brain. A use case takes a typed request and returns a typed answer;
// the answers are the JSON documents of docs/json.md.
package app

import (
	"errors"
	"os"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/embedding/minilm"
	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/config"
)

// Options are the options of an [App]. All fields except the last two are required.
type Options struct {
	Settings config.Loaded
	Env      func(name string) string
	Now      func() time.Time
	Version  string // of the program
	// BrokenSettings is why the config file cannot be read: Settings are those without it.
	BrokenSettings error
	// Frugal saves memory at the expense of speed, for many processes in parallel.
	Frugal bool
}

// App has the settings and the store, and is safe for concurrent use.
type App struct {
	Options

	mu      sync.Mutex
	store   brain.Store
	opened  time.Time // the store
	warning string    // that it gave last
	witness *witness  // of store
	leftOut leftOut   // by store

	model     *minilm.Model // open sentence model, nil for none
	modelPath string        // its file
}

// New returns an App. It opens nothing.
func New(o Options) *App { return &App{Options: o} }

// Close closes the store, after a warning of what could not be read in it. The next use opens it again.
func (a *App) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.leftOut.report(a.Settings)
	if a.store == nil {
		return nil
	}
	defer func() { a.store = nil }()
	return a.store.Close()
}

// Check returns an error if the environment cannot be used.
func (a *App) Check() error {
	_, err := a.As(Caller{}).options()
	return err
}

// Fresh reports whether this user has no settings and no store yet.
func (a *App) Fresh() bool {
	l := a.Settings
	_, noConfig := os.Stat(l.Paths.ConfigFile)
	_, noStore := os.Stat(l.Paths.Database)
	_, noBrain := os.Stat(seenFile(l, config.Store{Kind: config.KindSQLite, Path: l.Paths.Database}))
	return noConfig != nil && noStore != nil && noBrain != nil && l.UsesDefaultFile()
}

// Caller identifies the caller of a use case and how the request is carried out.
type Caller struct {
	Session string // id of the agent's session, "" for none
	Agent   string // name that the agent reports, "" for none
	Project string // default for captures and contexts
	DryRun  bool   // nothing is changed
	// Undoable makes boosts and verdicts runs that can be undone, for a person who looks on.
	Undoable bool
	// Background is set if nobody asks for the use case: the daemon, or a hook, runs it.
	Background bool
	// Notices receives warnings and information besides the answer; nil: they are dropped.
	Notices Notices
}

// Notices receives warnings and information besides an answer. It must be safe for
// concurrent use.
type Notices interface {
	// Warn reports an error that did not stop the use case.
	Warn(err error)
	// Info reports something else that was done.
	Info(text string)
	// Redacted reports the number of secrets that were redacted in stored texts.
	Redacted(secrets int)
	// Progress reports the progress of a step; a total of 0 is unknown.
	Progress(step string, done, total int)
}

// UseCases are the use cases for one caller.
type UseCases struct {
	app    *App
	caller Caller
	log    zerolog.Logger // of the daemon; the zero value logs nothing

	patience  neo4j.Patience // with a server that is starting
	restoring bool           // the store gets another backup than the one of an unfinished restore
	moving    bool           // the brain is moved by this one
	keepFiles bool           // a restore writes only the files that are missing
	fresh     bool           // the brain is new, even if others were in its file
	aside     string         // where a restore has kept a damaged database, "" for nowhere
}

// As returns the use cases for a caller.
func (a *App) As(c Caller) *UseCases {
	if c.Notices == nil {
		c.Notices = silence{}
	}
	return &UseCases{app: a, caller: c, patience: neo4j.Patience{Ready: 10 * time.Second}}
}

// Dry returns the use cases of a dry run for the same caller.
func (u *UseCases) Dry() *UseCases {
	c := u.caller
	c.DryRun = true
	return u.app.As(c)
}

// inBackground returns the use cases for work that nobody asked for, for the same caller.
func (u *UseCases) inBackground() *UseCases {
	c := u.caller
	c.Background = true
	return u.app.As(c)
}

type silence struct{}

func (silence) Warn(error)                {}
func (silence) Info(string)               {}
func (silence) Redacted(int)              {}
func (silence) Progress(string, int, int) {}

// localNow returns the current time in the time zone of the notes.
func (u *UseCases) localNow() time.Time { return u.app.Now().In(u.app.Settings.Zone) }

// parseMoment parses a field of a request as a time. An empty field is the zero time.
func parseMoment(field, text string, now time.Time, d moment.Direction) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	t, _, err := moment.Parse(text, now, d)
	if err != nil {
		err = BadTime(field, d, err)
	}
	return t, err
}

// BadTime returns the error for a field that cannot be read as a time.
func BadTime(field string, d moment.Direction, err error) error {
	return invalid("write "+d.Examples(), "%s: %v", field, err)
}

// parseRange parses both ends of a range. A date as its end includes the whole day. An end
// before the start is an error.
func parseRange(since, until string, now time.Time) (from, to time.Time, err error) {
	if from, err = parseMoment("since", since, now, moment.Past); err != nil || until == "" {
		return from, to, err
	}
	if to, err = moment.ParseEnd(until, now, 0); err != nil {
		return from, to, BadTime("until", moment.Past, err)
	}
	if !from.IsZero() && to.Before(from) {
		err = invalid("swap them", "until %q is before since %q", until, since)
	}
	return from, to, err
}

// parseDay parses a date, today or yesterday and returns it as YYYY-MM-DD.
func (u *UseCases) parseDay(text string) (string, error) {
	day, err := moment.ParseDay(text, u.localNow())
	if err != nil {
		err = invalid("write it as 2026-02-05, or today or yesterday", "%v", err)
	}
	return day, err
}

func (u *UseCases) today() string { return u.localNow().Format(time.DateOnly) }

func invalid(hint, format string, args ...any) error {
	return brain.Errorf(brain.ErrInvalid, hint, format, args...)
}

func unwritable(doing, dir string, err error) error {
	return brain.Errorf(brain.ErrUnavailable, "check the path, and that you may write there", "%s %s: %v", doing, dir, err)
}

// unlessDry returns the id or the path of something new: null in a dry run, which does not keep it.
func (u *UseCases) unlessDry(id string) brain.OrNull {
	if u.caller.DryRun {
		return ""
	}
	return brain.OrNull(id)
}

// journaled returns the id of a run, null if it is not in the journal.
func (u *UseCases) journaled(run brain.Run) brain.OrNull {
	if run.Actions == 0 {
		return ""
	}
	return u.unlessDry(run.ID)
}

func (u *UseCases) warn(message string) { u.caller.Notices.Warn(errors.New(message)) }
