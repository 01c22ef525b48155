package e2e

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
)

// patience is how long a test waits for what must come, on a machine that has
// other things to do. Nothing is expected to take that long.
const patience = 90 * time.Second

// home is a BRAINBRIDGE_HOME with one brain, in one store.
type home struct {
	t     *testing.T
	dir   string
	brain string
	env   []string             // in addition
	as    *syscall.SysProcAttr // how its processes run
	waits time.Duration        // for each; 0 means patience
}

// onBoth runs a test in a home of its own for each store.
func onBoth(t *testing.T, test func(t *testing.T, h *home)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, newHome(t))
	})
	t.Run("neo4j", func(t *testing.T) {
		uri := neo4jtest.Server(t)
		t.Parallel()
		test(t, newHome(t).on(t, uri, ""))
	})
}

// newHome makes a home on the embedded store.
func newHome(t *testing.T) *home {
	t.Helper()
	dir, err := os.MkdirTemp("", "bb-")
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(dir)) })
	return &home{t: t, dir: dir, brain: "default"}
}

// on creates the brain on a Neo4j server, under a name that no other test has.
func (h *home) on(t *testing.T, uri, password string) *home {
	t.Helper()
	h.brain = "e2e-" + brain.NewID()
	h.env = append(h.env, "BRAINBRIDGE_STORE="+uri)
	// Its notes are where those of the default brain are on the embedded store.
	settings := fmt.Sprintf("[brains.%s]\nnotes = \"memory\"\nmemory_md = \"MEMORY.md\"\n", h.brain)
	must(t, os.WriteFile(h.path("config.toml"), []byte(settings), 0o600))
	createBrain(t, uri, password, h.brain)
	if password != "" {
		h.env = append(h.env, "BRAINBRIDGE_NEO4J_PASSWORD="+password)
		return h // a server of the test's own, which takes its data with it
	}
	t.Cleanup(func() { dropBrain(t, uri, h.brain) })
	return h
}

func (h *home) embedded() bool {
	return !slices.ContainsFunc(h.env, func(v string) bool { return strings.HasPrefix(v, "BRAINBRIDGE_STORE=") })
}

func (h *home) storeName() string {
	if h.embedded() {
		return "SQLite"
	}
	return "Neo4j"
}

// sibling is another brain in the same home and store.
func (h *home) sibling(name string) *home {
	other := *h
	other.brain = h.brain + "-" + name
	return &other
}

// createBrain creates a brain on a server.
func createBrain(t *testing.T, uri, password, name string) {
	t.Helper()
	c := neo4j.Config{URI: uri, Password: password, Brain: name}
	if password != "" {
		c.User = "neo4j"
	}
	s, err := neo4j.Open(t.Context(), c)
	must(t, err)
	must(t, s.Close())
}

// dropBrain takes a brain, and those next to it, out of a server that all share.
func dropBrain(t *testing.T, uri, name string) {
	cypher(t, uri, "", "MATCH (n) WHERE n.brain STARTS WITH $name DETACH DELETE n", map[string]any{"name": name})
}

// cypher asks a server behind the program's back.
func cypher(t *testing.T, uri, password, query string, params map[string]any) []*driver.Record {
	t.Helper()
	auth := driver.NoAuth()
	if password != "" {
		auth = driver.BasicAuth("neo4j", password, "")
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	d, err := driver.NewDriverWithContext(uri, auth)
	must(t, err)
	defer func() { must(t, d.Close(ctx)) }()
	answer, err := driver.ExecuteQuery(ctx, d, query, params, driver.EagerResultTransformer)
	must(t, err)
	return answer.Records
}

func (h *home) path(parts ...string) string {
	return filepath.Join(append([]string{h.dir}, parts...)...)
}

func (h *home) state(name string) string { return h.path("state", h.brain, name) }
func (h *home) notes() string            { return h.path("memory") }

// environ is that of the home's processes. Nothing of the machine's own
// settings gets in.
func (h *home) environ() []string {
	return append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + h.path("user"), "TZ=UTC",
		"BRAINBRIDGE_HOME=" + h.dir, "BRAINBRIDGE_BRAIN=" + h.brain,
	}, h.env...)
}

// command is a process of this home, not yet started.
func (h *home) command(ctx context.Context, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, binary, args...)
	c.Env, c.Dir, c.SysProcAttr = h.environ(), h.dir, h.as
	c.WaitDelay = patience
	return c
}

// answer is what a process said, and how it ended.
type answer struct {
	args     []string
	code     int // -1: by a signal
	out, err string
}

func (a answer) String() string {
	return fmt.Sprintf("brainbridge %s: exit code %d\n%s%s", strings.Join(a.args, " "), a.code, a.out, a.err)
}

// run runs the program to its end. One that hangs fails the test.
func (h *home) run(args ...string) answer {
	h.t.Helper()
	a, err := h.try(args...)
	if err != nil {
		h.t.Fatal(err)
	}
	return a
}

// try is run for goroutines, which must not fail a test.
func (h *home) try(args ...string) (answer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(h.waits, patience))
	defer cancel()
	return finish(ctx, h.command(ctx, args...))
}

func finish(ctx context.Context, c *exec.Cmd) (answer, error) {
	var out, said bytes.Buffer
	c.Stdout, c.Stderr = &out, &said
	err := c.Run()
	a := answer{c.Args[1:], 0, out.String(), said.String()}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return a, fmt.Errorf("it did not end: %s", a)
	case errors.As(err, &exit):
		a.code = exit.ExitCode()
	case err != nil:
		return a, fmt.Errorf("run %s: %w", c, err)
	}
	return a, nil
}

// ok runs what must succeed.
func (h *home) ok(args ...string) answer { h.t.Helper(); return h.exits(0, args...) }

// exits runs what must end with a code.
func (h *home) exits(code int, args ...string) answer {
	h.t.Helper()
	a := h.run(args...)
	if a.code != code {
		h.t.Fatalf("want exit code %d: %s", code, a)
	}
	return a
}

// ask runs what must succeed and reads its one JSON document.
func ask[T any](h *home, args ...string) T {
	h.t.Helper()
	a := h.ok(append([]string{"--json"}, args...)...)
	v, err := decode[T](a.out)
	if err != nil {
		h.t.Fatalf("%v: %s", err, a)
	}
	return v
}

func decode[T any](text string) (v T, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	if err := d.Decode(&v); err != nil {
		return v, fmt.Errorf("not JSON: %w", err)
	}
	if d.More() {
		return v, errors.New("more than one JSON document")
	}
	return v, nil
}

// What the answers hold of what these tests look at.
type (
	captured struct {
		SourceID string
		MemoryID string
		Spooled  bool
	}
	memory struct {
		ID, Name, Content, MemoryType, Tier string
		Source                              struct{ File string }
	}
	recalled struct {
		Results []struct{ Memory memory }
	}
	listed struct{ Memories []memory }
	status struct {
		Brain, Store   string
		Total, Spooled int
		Tiers          map[string]int
		Watching       bool
	}
	problem struct {
		File    string
		Line    int
		Message string
	}
	notesStatus struct {
		Dir      string
		Watching bool
		Files    int
		LastScan *time.Time
		Problems []problem
	}
	synced struct {
		Files, New, Changed, Unchanged, Gone int
		Problems                             []problem
	}
	failure struct {
		Error struct {
			Code          int
			Message, Hint string
		}
	}
)

// recall is what words find.
func (h *home) recall(words string) []memory {
	h.t.Helper()
	var found []memory
	for _, r := range ask[recalled](h, "recall", words, "--no-touch").Results {
		found = append(found, r.Memory)
	}
	return found
}

func (h *home) status() status { h.t.Helper(); return ask[status](h, "status") }

// all is every memory of the brain, whatever became of it.
func (h *home) all() []memory {
	h.t.Helper()
	return ask[listed](h, "list", "--all", "--limit", "1000000").Memories
}

// contents counts what is stored, by content.
func (h *home) contents() map[string]int {
	h.t.Helper()
	n := map[string]int{}
	for _, m := range h.all() {
		n[m.Content]++
	}
	return n
}

// failed reads the error of a program's answer, the last line of what it said.
func (a answer) failed(t *testing.T) failure {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(a.err), "\n")
	f, err := decode[failure](lines[len(lines)-1])
	if err != nil || f.Error.Message == "" {
		t.Fatalf("no error in JSON on the last line (%v): %s", err, a)
	}
	return f
}

// eventually waits until a condition holds.
func eventually(t *testing.T, holds func() error) {
	t.Helper()
	deadline := time.After(patience)
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for {
		err := holds()
		if err == nil {
			return
		}
		select {
		case <-again.C:
		case <-deadline:
			t.Fatalf("not within %s: %v", patience, err)
		}
	}
}

// once waits until words find one memory, and it alone.
func (h *home) once(words string) memory {
	h.t.Helper()
	var found []memory
	eventually(h.t, func() error {
		if found = h.recall(words); len(found) != 1 {
			return fmt.Errorf("%q finds %d memories: %+v", words, len(found), found)
		}
		return nil
	})
	return found[0]
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// want compares two values.
func want[T comparable](t *testing.T, what string, got, wanted T) {
	t.Helper()
	if got != wanted {
		t.Errorf("%s is %v, want %v", what, got, wanted)
	}
}

// says wants words in a text.
func says(t *testing.T, text string, words ...string) {
	t.Helper()
	if i := slices.IndexFunc(words, func(w string) bool { return !strings.Contains(text, w) }); i >= 0 {
		t.Errorf("it does not say %q:\n%s", words[i], text)
	}
}
