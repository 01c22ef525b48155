// Package bench measures the speed and size of the program on a machine: whole
// processes, the functions of a process that has the store open, the daemon and the
// MCP server, on generated memories in a temporary folder.
package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/brainbridge/brainbridge/brain/embedding"
	"github.com/brainbridge/brainbridge/config"
)

// seed makes every run measure the same texts.
const seed = 20260205

// Plan says how much is measured.
type Plan struct {
	Sizes      []int // memories in the store, one after the other
	Small      int   // memories in the store that whole processes are measured on
	Processes  int   // for each figure of whole processes
	Recalls    int   // recalls in process
	Sweeps     int   // runs with nothing due
	Repeats    int   // of what takes long: runs with something to do, scans without changes
	Promotions int   // in one run
	Notes      int   // daily notes, with five outcomes each
	Transcript int64 // bytes of one
	Saves      int   // of a note, while the daemon watches
	Calls      int   // of each tool over MCP that writes
	Detached   int   // runs of each hook that leaves a process behind
	Steady     int   // readings of the daemon's memory that must agree
}

// Full returns the plan of the command, for stores of these sizes.
func Full(sizes []int) Plan {
	return Plan{
		Sizes: sizes, Small: 10_000, Processes: 30, Recalls: 200, Sweeps: 20, Repeats: 3,
		Promotions: 1000, Notes: 10_000, Transcript: 100 << 20, Saves: 20, Calls: 100, Detached: 10, Steady: 12,
	}
}

// Options of a benchmark.
type Options struct {
	Plan
	Program  string                             // path of the binary whose processes are measured
	Version  string                             // of the program
	Settings config.Config                      // the store to measure, and how to sign in
	Folder   string                             // in which the temporary folder is made; "": the system's
	Env      func(name string) string           // of the caller
	Progress func(part string, done, total int) // nil: nobody looks
	Done     func(step string, err error)       // called after each step
	Embedder embedding.Embedder                 // nil: recall without vectors
}

// bench is one measurement of everything.
type bench struct {
	Options
	dir      string            // everything that it makes is below
	env      map[string]string // of every home: which store, and how to sign in
	homes    map[string]*home
	now      func() time.Time // clock of every home
	progress progress
	report   Report
}

// step measures some figures.
type step struct {
	name string
	run  func(context.Context) error
}

// Run measures everything and removes the files and brains that it created. A step that
// cannot be measured is reported to Done; the error then says how many there were.
func Run(ctx context.Context, o Options) (r Report, err error) {
	b, err := begin(o, time.Now)
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	if err := b.reach(ctx); err != nil {
		return Report{}, err
	}
	missed, steps := 0, b.steps()
	for _, s := range steps {
		err := s.run(ctx)
		if ctx.Err() != nil {
			return Report{}, context.Cause(ctx)
		}
		o.Done(s.name, err)
		if err != nil {
			missed++
		}
	}
	b.report.sort()
	if missed > 0 {
		return b.report, fmt.Errorf("%d of %d steps could not be measured", missed, len(steps))
	}
	return b.report, nil
}

// begin returns a benchmark with a temporary folder.
func begin(o Options, now func() time.Time) (*bench, error) {
	where, err := config.ParseStore(o.Settings.Store)
	if err != nil {
		return nil, err
	}
	b := &bench{Options: o, env: map[string]string{}, homes: map[string]*home{}, now: now, progress: progress{show: o.Progress}}
	b.report.Store, b.report.Figures = where.Kind, []Figure{}
	if where.Kind != config.KindSQLite {
		if b.env, err = serverEnv(o.Settings, where, o.Env); err != nil {
			return nil, err
		}
	}
	if b.dir, err = os.MkdirTemp(o.Folder, "brainbridge-bench-"); err != nil {
		return nil, fmt.Errorf("make a temporary folder: %w", err)
	}
	b.report.Folder = b.dir
	return b, nil
}

// steps are all measurements, in order.
func (b *bench) steps() []step {
	steps := []step{
		{"floor", b.floors},
		{"whole processes, empty", b.emptyProcesses},
		{"whole processes, loaded", b.smallProcesses},
		{"agents over MCP, empty", b.mcpEmpty},
		{"agents over MCP, loaded", b.mcpCalls},
		{"hooks", b.hooks},
		{"daily notes", b.scans},
		{"transcripts", b.extraction},
		{"daemon", b.daemon},
	}
	for _, n := range b.Sizes {
		at := func(what string, run func(context.Context, int) error) step {
			return step{fmt.Sprintf("%s at %d", what, n), func(ctx context.Context) error { return run(ctx, n) }}
		}
		steps = append(steps, at("the store", b.inProcess), at("agents over MCP", b.mcpLarge), at("SessionStart", b.sessionStart), at("the daemon", b.loadedDaemon), at("duplicates", b.duplicates))
	}
	return steps
}

// reach opens the store once. A store that is away is reported at once, and no
// capture that only went to the spool is measured.
func (b *bench) reach(ctx context.Context) error {
	const name = "reach"
	h, err := b.home(ctx, name)
	if err != nil {
		delete(b.homes, name) // nothing to remove
		return err
	}
	_, err = h.use.Brain(ctx)
	return err
}

// serverEnv is the environment of a process that works on a Neo4j server.
func serverEnv(c config.Config, where config.Store, env func(string) string) (map[string]string, error) {
	password, err := config.Password(c, env)
	if err != nil {
		return nil, err
	}
	return map[string]string{
		"BRAINBRIDGE_STORE":          where.URI,
		"BRAINBRIDGE_NEO4J_USER":     c.Neo4j.User,
		"BRAINBRIDGE_NEO4J_PASSWORD": password,
		"BRAINBRIDGE_NEO4J_DATABASE": c.Neo4j.Database,
	}, nil
}

// close removes everything that was created.
func (b *bench) close() error {
	var err error
	for _, h := range b.homes {
		err = errors.Join(err, h.remove())
	}
	return errors.Join(err, os.RemoveAll(b.dir))
}
