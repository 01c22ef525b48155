package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
	"github.com/brainbridge/brainbridge/integration/model/embedtest"
)

// built is the folder of the binary that the scripts run.
var built string

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

// testMain builds the real binary once for all scripts.
func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "brainbridge-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	built = dir
	build := exec.Command("go", "build", "-o", filepath.Join(dir, binaryName()), ".")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the binary for the scripts: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

func binaryName() string {
	if runtime.GOOS == "windows" {
		return "brainbridge.exe"
	}
	return "brainbridge"
}

// noon is the clock of every script, unless it sets another.
const noon = "2026-03-01T12:00:00Z"

// The same scripts give the same answers on both stores.
func TestScripts(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { runScripts(t, "testdata/script", "") })
	t.Run("neo4j", func(t *testing.T) { runScripts(t, "testdata/script", neo4jtest.Server(t)) })
}

// What is read, written and said about text, files and arguments does not depend on the store.
func TestTextScripts(t *testing.T) { runScripts(t, "testdata/text", "") }

// The sentence model is installed, used and removed. Other scripts recall by words.
func TestModelScripts(t *testing.T) {
	model := embedtest.ModelFile(t)
	t.Run("sqlite", func(t *testing.T) { runScripts(t, "testdata/model", "", "MODEL="+model) })
	t.Run("neo4j", func(t *testing.T) { runScripts(t, "testdata/model", neo4jtest.Server(t), "MODEL="+model) })
}

// runScripts runs the scripts of a folder on one store, with further variables; an empty uri is
// the embedded one.
func runScripts(t *testing.T, dir, uri string, env ...string) {
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, env...)
			return setUpScript(e, uri)
		},
		Condition: func(c string) (bool, error) { return storeCondition(c, uri) },
		Cmds:      scriptCommands(),
	})
}

func setUpScript(e *testscript.Env, uri string) error {
	name := "default"
	if uri != "" {
		name = "script-" + brain.NewID()
		createBrain(e.T(), uri, name)
		e.Defer(func() { dropBrains(e.T(), uri, name) })
		if err := recordNotes(filepath.Join(e.WorkDir, "home"), name); err != nil {
			return err
		}
		if err := addProxy(e, uri); err != nil {
			return err
		}
	}
	e.Values[embeddingsKey{}] = &scriptEmbeddings{}
	e.Setenv("BRAINBRIDGE_HOME", filepath.Join(e.WorkDir, "home"))
	e.Setenv("BRAINBRIDGE_BRAIN", name)
	e.Setenv("BRAIN", name)
	e.Setenv("BRAIN2", name+"-2")
	e.Setenv("BRAINBRIDGE_NOW", noon)
	e.Setenv("TZ", "UTC")
	e.Setenv("BRAINBRIDGE", filepath.Join(built, binaryName()))
	e.Setenv("PATH", built+string(os.PathListSeparator)+e.Getenv("PATH"))
	return nil
}

// recordNotes writes to the settings that a brain has its notes where the default brain has
// them, so that a script finds them in one place on both stores.
func recordNotes(home, name string) error {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	text := fmt.Sprintf("[brains.%s]\nnotes = \"memory\"\nmemory_md = \"MEMORY.md\"\n", name)
	return os.WriteFile(filepath.Join(home, "config.toml"), []byte(text), 0o600)
}

func storeCondition(name, uri string) (bool, error) {
	switch name {
	case "sqlite":
		return uri == "", nil
	case "neo4j":
		return uri != "", nil
	}
	return false, fmt.Errorf("there is no condition %s", name)
}

// createBrain creates the brain of a script, which has a name of its own on a
// server that others use too.
func createBrain(t interface{ Fatal(args ...any) }, uri, name string) {
	s, err := neo4j.Open(context.Background(), neo4j.Config{URI: uri, Brain: name})
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// dropBrains takes what a script left out of a server that others use too.
func dropBrains(t interface{ Fatal(args ...any) }, uri, name string) {
	ctx := context.Background()
	d, err := driver.NewDriverWithContext(uri, driver.NoAuth())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close(ctx)
	s := d.NewSession(ctx, driver.SessionConfig{})
	defer s.Close(ctx)
	// In parts: a server with little memory does not survive the whole of a large brain.
	done, err := s.Run(ctx, `MATCH (n) WHERE n.brain STARTS WITH $name OR n:BrainbridgeBrain AND n.name STARTS WITH $name
		CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 1000 ROWS`, map[string]any{"name": name})
	if err == nil {
		_, err = done.Consume(ctx)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func scriptCommands() map[string]func(*testscript.TestScript, bool, []string) {
	all := map[string]func(*testscript.TestScript, bool, []string){
		"exits": exits, "json": checkJSON, "keep": keepJSON, "snapshot": snapshot, "parallel": parallel,
		"same": same, "big": big, "store": storeIs, "flag": flag,
		"embeddings": embeddings, "damage": damage,
	}
	maps.Copy(all, fileCommands())
	return all
}
