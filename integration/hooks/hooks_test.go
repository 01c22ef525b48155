package hooks_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/integration/agents"
	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/integration/hooks"
)

func TestParse(t *testing.T) {
	for name, test := range map[string]struct {
		said string
		want app.AgentEvent
		bad  bool
	}{
		"nothing":       {said: " \n", want: app.AgentEvent{}},
		"null":          {said: "null", want: app.AgentEvent{}},
		"a prompt":      {said: `{"session_id":"s","prompt":"why?","cwd":"/w","more":[1]}`, want: app.AgentEvent{SessionID: "s", Prompt: "why?", CWD: "/w"}},
		"another type":  {said: `{"session_id":7,"cwd":"/w"}`, want: app.AgentEvent{CWD: "/w"}},
		"a mark ahead":  {said: "\ufeff{\"session_id\":\"s\"}", want: app.AgentEvent{SessionID: "s"}},
		"a NUL":         {said: `{"prompt":"a\u0000b"}`, want: app.AgentEvent{Prompt: "ab"}},
		"not an object": {said: `["session_id"]`, bad: true},
		"cut off":       {said: `{"session_id":"s"`, bad: true},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := hooks.Parse([]byte(test.said))
			if got != test.want || (err != nil) != test.bad {
				t.Errorf("Parse() = %+v, %v", got, err)
			}
		})
	}
}

// An agent that leaves its end open holds nothing up.
func TestReadEndsWithItsTime(t *testing.T) {
	r, w := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := hooks.Read(ctx, r); !errors.Is(err, context.Canceled) {
		t.Errorf("Read() = %v", err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// The session of an input and its places are read back from what is handed over.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"session_id":"s","transcript_path":"/t.jsonl","cwd":"/w"}`))
	f.Add([]byte(`{"prompt":"\ud800","source":"fork"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		in, err := hooks.Parse(data)
		if err != nil {
			return
		}
		again, err := hooks.Parse(hooks.Encode(in))
		if in = (app.AgentEvent{SessionID: in.SessionID, Transcript: in.Transcript, CWD: in.CWD}); err != nil || again != in {
			t.Errorf("%+v was handed over as %+v, %v", in, again, err)
		}
	})
}

func TestEvents(t *testing.T) {
	for name, want := range map[string]hooks.Event{"SessionStart": hooks.SessionStart, "BeforeAgent": hooks.UserPromptSubmit, "PreCompress": hooks.PreCompact} {
		if got, err := hooks.ParseEvent(name); got != want || err != nil {
			t.Errorf("ParseEvent(%s) = %s, %v", name, got, err)
		}
	}
	if _, err := hooks.ParseEvent("PreToolUse"); err == nil {
		t.Error("an event that is not answered was understood")
	}
}

func TestAnswerFitsAndTakesTheFormOfTheAgent(t *testing.T) {
	long := strings.Repeat("a line of the context\n", 1000)
	text := hooks.Answer(agents.ClaudeCode, "SessionStart", long)
	if n := utf8.RuneCountInString(text); n > hooks.MaxAnswer || n < hooks.MaxAnswer-30 || !strings.HasSuffix(text, "context\n") {
		t.Errorf("the answer has %d characters and ends with %q", n, text[len(text)-10:])
	}
	said := hooks.Answer(agents.Gemini, "SessionStart", "a fact\n")
	var v struct {
		Out struct{ HookEventName, AdditionalContext string } `json:"hookSpecificOutput"`
	}
	if json.Unmarshal([]byte(said), &v) != nil || v.Out.AdditionalContext != "a fact\n" || v.Out.HookEventName != "SessionStart" {
		t.Errorf("Gemini CLI is told %q", said)
	}
}
