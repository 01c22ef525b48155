package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
	"github.com/brainbridge/brainbridge/cmd/benchmark/generate"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/app"
)

// The figures of the page with so many memories, for make figures. It reports them; it fails
// only if something cannot be measured.
func TestPageFigures(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("BRAINBRIDGE_PAGE_FIGURES"))
	if err != nil {
		t.Skip("make figures runs this")
	}
	t.Run("sqlite", func(t *testing.T) { pageFigures(t, n, "") })
	t.Run("neo4j", func(t *testing.T) { pageFigures(t, n, neo4jtest.Server(t)) })
}

func pageFigures(t *testing.T, n int, server string) {
	home := t.TempDir()
	var where []string
	if server != "" {
		name := "figures-" + brain.NewID()
		t.Cleanup(func() { dropBrains(t, server, name) })
		createBrain(t, server, name)
		where = []string{"--store", server, "--brain", name}
	}
	if err := fill(t.Context(), home, n, where...); err != nil {
		t.Fatal(err)
	}
	stop, _ := serving(t, home, where...)
	defer stop()
	c := exec.CommandContext(t.Context(), "node", "bench/figures.mjs")
	c.Env = pageEnv(t, home, where...)
	c.Dir, c.Stdout, c.Stderr = pageSources, os.Stdout, os.Stderr
	if err := c.Run(); err != nil {
		t.Error(err)
	}
}

// fill stores n generated memories in a brain, without a process.
func fill(ctx context.Context, home string, n int, where ...string) error {
	env := map[string]string{"BRAINBRIDGE_HOME": home}
	get := func(key string) string { return env[key] }
	flags := map[string]string{}
	for i := 0; i+1 < len(where); i += 2 {
		flags[where[i]] = where[i+1]
	}
	env["BRAINBRIDGE_STORE"], env["BRAINBRIDGE_BRAIN"] = flags["--store"], flags["--brain"]
	l, err := config.Load(config.Input{Env: get})
	if err != nil {
		return err
	}
	a := app.New(app.Options{Settings: l, Env: get})
	services, err := a.As(app.Caller{}).Brain(ctx)
	if err == nil {
		err = generate.Load(ctx, services, generate.New(1), n)
	}
	return errors.Join(err, a.Close())
}
