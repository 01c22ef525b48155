package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/cmd/benchmark/generate"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/app"
)

// home is one brain of a benchmark with a home folder of its own. Its processes and the functions
// called here share the environment.
type home struct {
	program  string
	dir      string
	env      map[string]string
	settings config.Loaded
	core     *app.App
	use      *app.UseCases
	brain    *services.Services // nil unless the store is open
	text     *generate.Text
}

// home returns the home with about n generated memories. They are stored on the first call. The
// store is not open.
func (b *bench) home(ctx context.Context, n int) (*home, error) {
	name := fmt.Sprintf("memories-%d", n)
	if h := b.homes[name]; h != nil {
		err := h.shut()
		return h, err
	}
	h, err := b.emptyHome(ctx, name)
	if err != nil || n == 0 {
		return h, err
	}
	if err := h.open(ctx); err != nil {
		return nil, err
	}
	fmt.Fprintf(b.log, "storing %d memories\n", n)
	if err := generate.Load(ctx, h.brain, h.text, n); err != nil {
		return nil, err
	}
	err = h.shut()
	return h, err
}

// emptyHome creates a home whose brain is empty.
func (b *bench) emptyHome(ctx context.Context, name string) (*home, error) {
	dir := filepath.Join(b.dir, name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create the folder %s: %w", dir, err)
	}
	env := maps.Clone(b.env)
	env["BRAINBRIDGE_HOME"] = dir
	env["CLAUDE_ENV_FILE"] = "" // hooks must not write to that of an agent that runs the benchmark
	env["BRAINBRIDGE_TRANSCRIPTS_SOURCES"] = "[]"
	env["BRAINBRIDGE_BRAIN"] = fmt.Sprintf("bench-%016x", rand.Uint64())
	getenv := func(k string) string { return env[k] }
	settings, err := config.Load(config.Input{Env: getenv})
	if err != nil {
		return nil, err
	}
	core := app.New(app.Options{Settings: settings, Env: getenv, Now: b.now, Version: "benchmark"})
	h := &home{program: b.program, dir: dir, env: env, settings: settings, core: core, use: core.As(app.Caller{}), text: generate.New(seed)}
	if err := h.use.Create(ctx); err != nil {
		return nil, err
	}
	b.homes[name] = h
	err = h.shut()
	return h, err
}

// open opens the brain in this process.
func (h *home) open(ctx context.Context) (err error) {
	if h.brain == nil {
		h.brain, err = h.use.Brain(ctx)
	}
	return err
}

// shut closes the brain in this process: one that is open would spare other processes work.
func (h *home) shut() error {
	h.brain = nil
	return h.core.Close()
}

// command returns a command of the program on this home.
func (h *home) command(ctx context.Context, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, h.program, args...)
	c.Dir = h.dir
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "BRAINBRIDGE_") {
			c.Env = append(c.Env, pair)
		}
	}
	for k, v := range h.env {
		c.Env = append(c.Env, k+"="+v)
	}
	return c
}

// timed runs a process to its end and returns how long it took.
func (h *home) timed(ctx context.Context, input string, args ...string) (time.Duration, error) {
	c := h.command(ctx, args...)
	var stderr bytes.Buffer
	c.Stdin, c.Stderr = strings.NewReader(input), &stderr
	took, err := since(c.Run)
	if err != nil {
		return 0, fmt.Errorf("run %s: %w: %s", args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return took, nil
}

// remove removes the brain from a server. The files of a brain on SQLite are removed with their
// folder.
func (h *home) remove() error {
	if h.env["BRAINBRIDGE_STORE"] == "" {
		return h.shut()
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	err := h.open(ctx)
	if err == nil {
		if s, ok := h.brain.Base.Store.(*neo4j.Store); ok {
			err = dropBrain(ctx, s)
		}
	}
	if closed := h.shut(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("remove the brain %s from the server: %w", h.env["BRAINBRIDGE_BRAIN"], err)
	}
	return nil
}

// dropBrain removes every node of the brain that a store was opened for.
func dropBrain(ctx context.Context, s *neo4j.Store) error {
	for {
		t, err := s.Query(ctx, "MATCH (n {brain: $brain}) WITH n LIMIT 10000 DETACH DELETE n RETURN count(*)", nil, true)
		if err != nil {
			return err
		}
		if len(t.Rows) == 0 || t.Rows[0][0] == int64(0) {
			break
		}
	}
	_, err := s.Query(ctx, "MATCH (b:BrainbridgeBrain {name: $brain}) DELETE b", nil, true)
	return err
}
