package neo4jtest

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// attempt runs f as a test would and tells how it ended.
func attempt(t *testing.T, f func(tb testing.TB)) (skipped, failed bool) {
	t.Helper()
	probe := &probe{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(probe)
	}()
	<-done
	return probe.skipped, probe.failed
}

// probe is a test of which the end is looked at, not counted.
type probe struct {
	testing.TB
	skipped, failed bool
}

func (p *probe) Skip(args ...any)                  { p.Skipf("%v", args...) }
func (p *probe) Skipf(format string, args ...any)  { p.skipped = true; p.end(format, args...) }
func (p *probe) Fatalf(format string, args ...any) { p.failed = true; p.end(format, args...) }

// end leaves the goroutine, as the methods it stands for do.
func (p *probe) end(format string, args ...any) {
	p.Logf(format, args...)
	runtime.Goexit()
}

func TestWithoutAServer(t *testing.T) {
	if testing.Short() {
		t.Skip("-short decides by itself")
	}
	for _, c := range []struct {
		name, ci, uri           string
		wantSkipped, wantFailed bool
	}{
		{name: "a developer's machine skips", wantSkipped: true},
		{name: "CI fails", ci: "true", wantFailed: true},
		{name: "a server that is named and away fails", uri: "bolt://127.0.0.1:1", wantFailed: true},
		{name: "a URI that is none fails", uri: "nonsense", wantFailed: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("CI", c.ci)
			t.Setenv(EnvURI, c.uri)
			skipped, failed := attempt(t, func(tb testing.TB) { Server(tb) })
			if skipped != c.wantSkipped || failed != c.wantFailed {
				t.Errorf("skipped %t, failed %t; want %t, %t", skipped, failed, c.wantSkipped, c.wantFailed)
			}
		})
	}
}

func TestServerAnswers(t *testing.T) {
	uri := Server(t)
	if err := answers(t.Context(), uri, neo4j.NoAuth()); err != nil {
		t.Error(err)
	}
}

func TestInstanceKeepsPasswordPortAndDataOverKillAndStop(t *testing.T) {
	server := Start(t, Options{
		Password: "a-secret-word",
		Settings: map[string]string{"db.shutdown_transaction_end_timeout": "0s"},
	})
	auth := neo4j.BasicAuth("neo4j", server.Password(), "")
	driver, err := neo4j.NewDriverWithContext(server.URI(), auth)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = driver.Close(t.Context()) }()
	write(t, driver)

	server.Kill()
	if err := answers(t.Context(), server.URI(), auth); err == nil {
		t.Error("a killed server still answers")
	}
	uri := server.URI()
	server.Restart()
	if server.URI() != uri {
		t.Errorf("URI after a restart is %s, before it was %s", server.URI(), uri)
	}
	if got := count(t, driver); got != 1 {
		t.Errorf("%d nodes after the restart, want the one that was written", got)
	}
	if err := answers(t.Context(), uri, neo4j.BasicAuth("neo4j", "another-word", "")); err == nil {
		t.Error("a wrong password was accepted")
	}
	server.Stop()
	server.Stop()
	if err := answers(t.Context(), uri, auth); err == nil {
		t.Error("a stopped server still answers")
	}
}

func write(t *testing.T, driver neo4j.DriverWithContext) {
	t.Helper()
	_, err := neo4j.ExecuteQuery(t.Context(), driver, "CREATE (:Probe)", nil, neo4j.EagerResultTransformer)
	if err != nil {
		t.Fatalf("write: %v", err)
	}
}

func count(t *testing.T, driver neo4j.DriverWithContext) int64 {
	t.Helper()
	result, err := neo4j.ExecuteQuery(t.Context(), driver, "MATCH (n:Probe) RETURN count(n) AS n", nil,
		neo4j.EagerResultTransformer)
	if err != nil {
		t.Fatalf("count: %v", err)
	}
	n, _ := result.Records[0].Get("n")
	return n.(int64)
}

func TestRootAbove(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "brain", "neo4j")
	scripts := filepath.Join(root, "scripts", "neo4j")
	for _, folder := range []string{deep, scripts} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := rootAbove(deep); err == nil {
		t.Errorf("found %s where there are no scripts", got)
	}
	if err := os.WriteFile(filepath.Join(scripts, "up.sh"), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if got, err := rootAbove(deep); err != nil || got != root {
		t.Errorf("rootAbove = %q, %v; want %q", got, err, root)
	}
	if _, err := rootAbove("github.com/brainbridge/brainbridge"); err == nil {
		t.Error("a path without its beginning, as -trimpath leaves it, was taken for a folder")
	}
}
