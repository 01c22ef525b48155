package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/integration/agents"
	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/integration/hooks"
)

// silent is a server that takes calls and never says a word.
func silent(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		var calls []net.Conn
		for {
			c, err := l.Accept()
			if err != nil {
				break
			}
			calls = append(calls, c)
		}
		for _, c := range calls {
			_ = c.Close() // nothing was said
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
	})
	return "bolt://" + l.Addr().String()
}

// writing is a store that another process is writing to until the test ends.
func writing(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "brain.db")
	s, err := sqlite.Open(t.Context(), path, "default")
	if err != nil {
		t.Fatal(err)
	}
	begun, end, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		ended <- s.Update(context.Background(), func(brain.Tx) error {
			close(begun)
			<-end
			return nil
		})
	}()
	<-begun
	t.Cleanup(func() {
		close(end)
		if err := errors.Join(<-ended, s.Close()); err != nil {
			t.Error(err)
		}
	})
	return "sqlite:" + path
}

// Whatever is wrong, a hook ends by itself, and a line of the log says why.
func TestHooksLetTheAgentGoOn(t *testing.T) {
	hanging := silent(t)
	broken := filepath.Join(t.TempDir(), "brain.db")
	if err := os.WriteFile(broken, bytes.Repeat([]byte("# no database\n"), 500), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		event, said, answer, logged string
		patience                    time.Duration
		store                       string // "": the one that hangs
	}{
		"a store that is none": {
			"SessionStart", `{"session_id":"s"}`, "); `brainbridge doctor --fix` keeps the file", "not a SQLite database", 2 * time.Second, "sqlite:" + broken,
		},
		"a start while the server hangs": {"SessionStart", `{"session_id":"s"}`, "memory cannot be reached", "", 50 * time.Millisecond, ""},
		"a start while another process writes": {
			"SessionStart", `{"session_id":"s"}`, "What brainbridge remembers", "deadline exceeded", 2 * time.Second, writing(t),
		},
		"a prompt while the server hangs": {"UserPromptSubmit", `{"session_id":"s","prompt":"where is the deploy key"}`, "", "", 50 * time.Millisecond, ""},
		"more than anybody says":          {"UserPromptSubmit", `{"prompt":"` + strings.Repeat("x", hooks.MaxInput) + `"}`, "", "is larger than", 2 * time.Second, ""},
		"what is no JSON":                 {"SessionStart", "\x00\xff{", "", "is not a JSON object", 2 * time.Second, ""},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			env := map[string]string{"BRAINBRIDGE_HOME": home, "BRAINBRIDGE_STORE": cmp.Or(c.store, hanging), "BRAINBRIDGE_HOOKS_RECALL": "true"}
			var out, said bytes.Buffer
			a := &cli{in: strings.NewReader(c.said), stdout: &out, err: &said, env: func(k string) string { return env[k] }}
			a.runHook(t.Context(), hooks.Hook{Event: c.event, Agent: agents.ClaudeCode, Hint: app.Hint, Detach: a.detach}, c.patience)
			if !strings.Contains(out.String(), c.answer) || (c.answer == "") != (out.Len() == 0) {
				t.Errorf("the agent is told %q", &out)
			}
			log, err := os.ReadFile(filepath.Join(home, "state", "default", "hooks.log"))
			if lines := strings.Count(string(log), "\n"); err != nil || lines != 1 || !strings.Contains(string(log), c.logged) {
				t.Errorf("the log has %q, %v; %q was said", log, err, &said)
			}
		})
	}
}
