package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
)

// The page in a real browser, on both stores. scripts/test.sh brings the browser and the packages.
func TestPageInABrowser(t *testing.T) {
	needBrowser(t)
	t.Run("sqlite", func(t *testing.T) { pageInABrowser(t) })
	t.Run("neo4j", func(t *testing.T) {
		uri, name := neo4jtest.Server(t), "page-"+brain.NewID()
		t.Cleanup(func() { dropBrains(t, uri, name) })
		createBrain(t, uri, name)
		pageInABrowser(t, "--store", uri, "--brain", name)
	})
}

func needBrowser(t *testing.T) {
	t.Helper()
	if os.Getenv("BRAINBRIDGE_TEST_BROWSER") == "" {
		if os.Getenv("CI") == "true" {
			t.Fatal("there is no browser: BRAINBRIDGE_TEST_BROWSER is not set")
		}
		t.Skip("set BRAINBRIDGE_TEST_BROWSER to a Chromium, or run make test")
	}
}

func pageInABrowser(t *testing.T, where ...string) {
	home := t.TempDir()
	run := func(args ...string) string { return succeed(t, home, append(where, args...)...) }
	for _, text := range []string{
		"Staging listens on port 5433", "Staging moves to port 5500 in spring", "The lorry comes at noon", "The lorry is red",
		"Invoices are kept for ten years", "Invoices are kept for six years",
	} {
		run("-q", "remember", text, "--type", "decision", "--project", "shop")
	}
	run("-q", "remind", "renew the certificate", "--due", "2031-03-01")
	ids := strings.Fields(run("-q", "list", "--type", "decision"))
	run("relate", ids[0], "applies_to", ids[1])
	run("boost", ids[2], "2")
	run("boost", ids[3], "2")
	run("consolidate")
	stop, _ := serving(t, home, where...)
	defer stop()
	lookAt(t, "test/page.test.mjs", pageEnv(t, home, where...))
}

// lookAt runs a file of browser tests.
func lookAt(t *testing.T, file string, env []string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "node", "--test", "--test-reporter=spec", file)
	c.Dir, c.Env, c.Stdout, c.Stderr = pageSources, env, t.Output(), t.Output()
	if err := c.Run(); err != nil {
		t.Error(err)
	}
}

// pageSources is the folder of the page.
const pageSources = "../../integration/web/ui"

// pageEnv is the environment of a script that looks at the page of a daemon that runs.
func pageEnv(t *testing.T, home string, where ...string) []string {
	t.Helper()
	base, _, _ := strings.Cut(succeed(t, home, append(where, "-q", "open")...), "/login")
	token, err := filepath.Glob(filepath.Join(home, "state", "*", "token"))
	if err != nil || len(token) != 1 {
		t.Fatalf("tokens: %v, %v", token, err)
	}
	secret, err := os.ReadFile(token[0])
	if err != nil {
		t.Fatal(err)
	}
	return append(os.Environ(), "BASE="+base, "TOKEN="+strings.TrimSpace(string(secret)), "BROWSER="+os.Getenv("BRAINBRIDGE_TEST_BROWSER"))
}
