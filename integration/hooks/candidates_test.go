package hooks_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/app"
)

// A session that ended without showing its candidates leaves them to the next one in the
// project, once; one that goes on keeps them for itself.
func TestTheNextSessionIsShownWhatTheLastOneLeft(t *testing.T) {
	home := t.TempDir()
	get := func(key string) string { return map[string]string{"BRAINBRIDGE_HOME": home}[key] }
	l, err := config.Load(config.Input{Env: get})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 2, 5, 10, 0, 0, 0, time.UTC)
	a := app.New(app.Options{Settings: l, Env: get, Now: func() time.Time { return now }})
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	u := a.As(app.Caller{})
	path := filepath.Join(home, "s.jsonl")
	line := `{"type":"user","uuid":"u1","sessionId":"one","timestamp":"2026-02-05T09:00:00Z","message":{"role":"user","content":"The staging database is on port 5433. We decided to keep the old queue."}}`
	if err := os.WriteFile(path, []byte(line+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	start := func(session string) string {
		t.Helper()
		now = now.Add(time.Minute)
		answer, err := u.StartSession(t.Context(), app.AgentEvent{SessionID: session, CWD: home, Transcript: path})
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, c := range answer.Questions.Candidates {
			all = append(all, c.Quote)
		}
		return strings.Join(all, "; ")
	}
	if got := start("one") + start("two"); got != "" {
		t.Errorf("before its end, the session has left %q", got)
	}
	now = now.Add(time.Minute)
	bye, err := u.Goodbye(t.Context(), "one")
	if err != nil || bye.Extracted != 1 {
		t.Fatalf("goodbye: %+v, %v", bye, err)
	}
	if got, again := start("three"), start("four"); got != "The staging database is on port 5433." || again != "" {
		t.Errorf("shown %q, then %q", got, again)
	}
}
