package bench

import (
	"bytes"
	"context"
	"errors"
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
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/app"
)

// home is one brain of a benchmark with a home folder of its own. Its processes
// and the functions called here share the environment.
type home struct {
	program  string
	dir      string
	env      map[string]string
	settings config.Loaded
	core     *app.App
	use      *app.UseCases
	close    func() error       // closes the store in this process
	brain    *services.Services // nil unless the store is open
	text     *textMaker
}

// home returns the home with a name and creates it on the first call.
func (b *bench) home(ctx context.Context, name string) (*home, error) {
	if h := b.homes[name]; h != nil {
		return h, nil
	}
	dir := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Join(dir, "tmp"), 0o700); err != nil {
		return nil, fmt.Errorf("create the folder %s: %w", dir, err)
	}
	env := maps.Clone(b.env)
	env["BRAINBRIDGE_HOME"] = dir
	env["CLAUDE_ENV_FILE"] = ""                                                                             // hooks must not write to that of an agent that runs the benchmark
	env["BRAINBRIDGE_TRANSCRIPTS_SOURCES"] = fmt.Sprintf("[%q]", filepath.Join(dir, "sessions", "*.jsonl")) // not those of the user
	env["BRAINBRIDGE_BRAIN"] = fmt.Sprintf("bench-%016x", rand.Uint64())
	getenv := func(k string) string { return env[k] }
	settings, err := config.Load(config.Input{Env: getenv})
	if err != nil {
		return nil, err
	}
	core := app.New(app.Options{Settings: settings, Env: getenv, Now: b.now, Version: b.Version})
	h := &home{
		program: b.Program, dir: dir, env: env, settings: settings, core: core, use: core.As(app.Caller{}), close: core.Close, text: newTextMaker(seed),
	}
	b.homes[name] = h
	return h, errors.Join(h.use.Create(ctx), h.shut())
}

// loaded returns an open home whose brain has about n generated memories. It stores them
// on the first call.
func (b *bench) loaded(ctx context.Context, n int) (*home, error) {
	name := fmt.Sprintf("memories-%d", n)
	if h := b.homes[name]; h != nil {
		err := h.open(ctx)
		return h, err
	}
	h, err := b.home(ctx, name)
	if err != nil {
		return nil, err
	}
	if err := h.open(ctx); err != nil {
		return nil, err
	}
	b.progress.start("storing memories", n)
	return h, load(ctx, h.brain, h.text, n, b.progress.add)
}

// open opens the brain in this process.
func (h *home) open(ctx context.Context) (err error) {
	if h.brain == nil {
		h.brain, err = h.use.Brain(ctx)
	}
	return err
}

// shut closes the brain in this process.
func (h *home) shut() error {
	h.brain = nil
	return h.close()
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
func (h *home) timed(ctx context.Context, args ...string) (time.Duration, error) {
	return h.timedOn(ctx, nil, args...)
}

// timedOn is timed with standard input. Standard input and standard error are files,
// because the goroutine of a pipe would take part in the measurement.
func (h *home) timedOn(ctx context.Context, input []byte, args ...string) (time.Duration, error) {
	path := filepath.Join(h.dir, "tmp", "stdin")
	if err := os.WriteFile(path, input, 0o600); err != nil {
		return 0, fmt.Errorf("write the input of a process: %w", err)
	}
	stdin, err := os.Open(path)
	if err != nil {
		return 0, fmt.Errorf("open the input of a process: %w", err)
	}
	defer stdin.Close() //nolint:errcheck // only read
	stderr, err := os.Create(filepath.Join(h.dir, "tmp", "stderr"))
	if err != nil {
		return 0, fmt.Errorf("create a file for the errors of a process: %w", err)
	}
	defer stderr.Close() //nolint:errcheck // only read by a person after a failure
	c := h.command(ctx, args...)
	c.Stdin, c.Stderr = stdin, stderr
	start := time.Now()
	err = c.Run()
	took := time.Since(start)
	if err != nil {
		text, _ := os.ReadFile(stderr.Name())
		return 0, fmt.Errorf("run %s: %w: %s", args[0], err, bytes.TrimSpace(text))
	}
	return took, nil
}

// deleteBatch is how many nodes a transaction removes.
const deleteBatch = 1000

// cleanupTimeout is how long cleaning up may take.
const cleanupTimeout = 10 * time.Minute

// remove removes the brain from a server. The files of a brain on SQLite are removed with
// their folder.
func (h *home) remove() error {
	if h.env["BRAINBRIDGE_STORE"] == "" {
		return h.shut()
	}
	ctx, cancel := context.WithTimeout(context.Background(), cleanupTimeout)
	defer cancel()
	err := h.open(ctx)
	if err == nil {
		if s, ok := h.brain.Base.Store.(*neo4j.Store); ok {
			err = forgetBrain(ctx, s)
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

// forgetBrain removes every node of the brain that a store was opened for.
func forgetBrain(ctx context.Context, s *neo4j.Store) error {
	for _, label := range []string{"Memory", "Source", "Section", "Record", "Lease"} {
		cypher := fmt.Sprintf("MATCH (n:%s {brain: $brain}) WITH n LIMIT %d DETACH DELETE n RETURN count(*)", label, deleteBatch)
		for {
			t, err := s.Query(ctx, cypher, nil, true)
			if err != nil {
				return err
			}
			if len(t.Rows) == 0 || t.Rows[0][0] == int64(0) {
				break
			}
		}
	}
	_, err := s.Query(ctx, "MATCH (b:BrainbridgeBrain {name: $brain}) DELETE b", nil, true)
	return err
}
