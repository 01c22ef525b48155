package hooks_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/agents"
	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/integration/hooks"
	"github.com/brainbridge/brainbridge/watcher/unprivileged"
)

// The files of all sessions are read only for one that continues. There are hundreds, and a
// hook holds up the agent.
func TestANewSessionReadsNoOtherSession(t *testing.T) {
	if unprivileged.Elsewhere(t) {
		return
	}
	home := t.TempDir()
	get := func(key string) string { return map[string]string{"BRAINBRIDGE_HOME": home}[key] }
	l, err := config.Load(config.Input{Env: get})
	if err != nil {
		t.Fatal(err)
	}
	a := app.New(app.Options{Settings: l, Env: get, Now: time.Now})
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	h := hooks.Hook{
		Event: string(hooks.SessionStart), Agent: agents.ClaudeCode,
		Use: func() (*app.UseCases, error) { return a.As(app.Caller{}), nil },
	}
	start := func(session, source string) error {
		in := fmt.Sprintf(`{"session_id": %q, "source": %q, "cwd": %q}`, session, source, home)
		_, err := h.Run(t.Context(), strings.NewReader(in))
		return err
	}
	if err := start("first", "startup"); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(l.Paths.State, "sessions", "*.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("sessions: %v, %v", files, err)
	}
	if err := os.Chmod(files[0], 0); err != nil {
		t.Fatal(err)
	}
	for _, source := range []string{"startup", "clear", "compact"} {
		if err := start("second", source); err != nil {
			t.Errorf("%s: %v", source, err)
		}
	}
	if start("second", "resume") == nil {
		t.Error("a session that continues has not read the others, so this test shows nothing")
	}
}
