package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/brainbridge/brainbridge/brain/embedding"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/hooks"
)

const (
	seed    = 20260205 // makes every run measure the same texts
	warmups = 2        // measurements that only warm the caches of the machine
)

// plan says how much is measured.
type plan struct {
	sizes      []int         // memories in the store, one after the other
	processes  int           // for each figure of whole processes
	recalls    int           // in process
	repeats    int           // of what takes long
	promotions int           // in one run
	notes      int           // daily notes, with five outcomes each
	saves      int           // of a note, while the daemon watches
	calls      int           // of each tool over MCP that writes
	steady     time.Duration // after which the memory of an idle process is read
}

func fullPlan() plan {
	return plan{
		processes: 30, recalls: 200, repeats: 3, promotions: 1000, notes: 10_000,
		saves: 20, calls: 100, steady: 5 * time.Second,
	}
}

// options of a benchmark.
type options struct {
	plan
	program  string             // the binary whose processes are measured
	settings config.Config      // the store to measure, and how to sign in
	log      io.Writer          // names each step
	embedder embedding.Embedder // nil: recall without vectors
}

// bench is one benchmark.
type bench struct {
	options
	dir   string            // everything that it makes is below
	env   map[string]string // of every home: which store, and how to sign in
	homes map[string]*home
	now   func() time.Time // clock of every home
	figures
}

// begin returns a benchmark with a temporary folder.
func begin(o options, now func() time.Time) (*bench, error) {
	store, err := config.ParseStore(o.settings.Store)
	if err != nil {
		return nil, err
	}
	b := &bench{options: o, env: map[string]string{}, homes: map[string]*home{}, now: now, figures: figures{Store: store.Kind}}
	if store.Kind != config.KindSQLite {
		password, err := config.Password(o.settings, os.Getenv)
		if err != nil {
			return nil, err
		}
		b.env = map[string]string{
			"BRAINBRIDGE_STORE": store.URI, "BRAINBRIDGE_NEO4J_USER": o.settings.Neo4j.User,
			"BRAINBRIDGE_NEO4J_PASSWORD": password, "BRAINBRIDGE_NEO4J_DATABASE": o.settings.Neo4j.Database,
		}
	}
	if b.dir, err = os.MkdirTemp("", "brainbridge-benchmark-"); err != nil {
		return nil, fmt.Errorf("make a temporary folder: %w", err)
	}
	return b, nil
}

// close removes everything that was created.
func (b *bench) close() error {
	var err error
	for _, h := range b.homes {
		err = errors.Join(err, h.remove())
	}
	return errors.Join(err, os.RemoveAll(b.dir))
}

// measureSpeed measures each step. One that cannot be measured is part of the error, and the
// others are reported all the same.
func measureSpeed(ctx context.Context, o options) (_ report, err error) {
	b, err := begin(o, time.Now)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	var missed error
	step := func(name string, n int, measure func(context.Context, int) error) {
		if ctx.Err() != nil {
			return
		}
		fmt.Fprintf(o.log, "%s at %d\n", name, n)
		if err := measure(ctx, n); err != nil {
			missed = errors.Join(missed, fmt.Errorf("%s at %d: %w", name, n, err))
		}
	}
	for _, n := range append([]int{0}, o.sizes...) {
		step("whole processes", n, b.processFigures)
		step("agents over MCP", n, b.mcp)
		step("the daemon", n, b.daemon)
		if n == 0 {
			step("daily notes", n, b.scans)
		} else {
			step("the store", n, b.store)
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return &b.figures, missed
}

// processFigures measures commands as whole processes.
func (b *bench) processFigures(ctx context.Context, n int) error {
	h, err := b.home(ctx, n)
	if err != nil {
		return err
	}
	type command struct {
		figure string
		args   func(i int) []string
	}
	commands := []command{
		{"version, whole process", func(int) []string { return []string{"version"} }},
		{"capture, whole process", func(int) []string { return []string{"learn", h.text.Title(), h.text.Body()} }},
		{"recall, whole process", func(i int) []string { return []string{"recall", h.text.Question(2 + i%3)} }},
		{"health, whole process", func(int) []string { return []string{"health"} }},
		{"rewriting MEMORY.md, whole process", func(int) []string { return []string{"notes", "curate"} }},
		{"search for duplicates, whole process", func(int) []string { return []string{"consolidate", "--merge-only", "--dry-run"} }},
	}
	for _, event := range []hooks.Event{hooks.SessionStart, hooks.UserPromptSubmit, hooks.PostToolUse, hooks.Stop} {
		commands = append(commands, command{"hook " + string(event), func(int) []string { return []string{"hook", string(event)} }})
	}
	for _, c := range commands {
		took, err := repeat(warmups, b.processes, func(i int) (time.Duration, error) {
			input := fmt.Sprintf(`{"session_id": "benchmark-%d", "cwd": %q, "prompt": %q}`, i, h.dir, h.text.Question(4))
			return h.timed(ctx, input, c.args(i)...)
		})
		if err != nil {
			return err
		}
		b.spread(c.figure, n, took)
	}
	return nil
}
