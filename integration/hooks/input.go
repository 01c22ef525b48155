package hooks

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/brainbridge/brainbridge/integration/app"
)

// Event is the name of an agent session event, as in Claude Code.
type Event string

// The supported events.
const (
	SessionStart     Event = "SessionStart"
	UserPromptSubmit Event = "UserPromptSubmit"
	PostToolUse      Event = "PostToolUse"
	PreCompact       Event = "PreCompact"
	Stop             Event = "Stop"
	SessionEnd       Event = "SessionEnd"
)

// ParseEvent returns the event with the given name in Claude Code or Gemini CLI.
func ParseEvent(name string) (Event, error) {
	switch e := Event(name); e {
	case SessionStart, UserPromptSubmit, PostToolUse, PreCompact, Stop, SessionEnd:
		return e, nil
	}
	gemini := map[string]Event{"BeforeAgent": UserPromptSubmit, "AfterTool": PostToolUse, "PreCompress": PreCompact, "AfterAgent": Stop}
	if e, ok := gemini[name]; ok {
		return e, nil
	}
	return "", fmt.Errorf("unknown event %.40q; use SessionStart, UserPromptSubmit, PostToolUse, PreCompact, Stop or SessionEnd", name)
}

// MaxInput is the largest input that is read, in bytes (16 MiB): a prompt may have a file.
const MaxInput = 16 << 20

// Read reads the input of a hook until EOF or until ctx is done. If the agent leaves
// the pipe open, the reading goroutine lives until the process exits.
func Read(ctx context.Context, r io.Reader) (app.AgentEvent, error) {
	var data []byte
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		data, err = io.ReadAll(io.LimitReader(r, MaxInput+1))
	}()
	select {
	case <-done:
	case <-ctx.Done():
		return app.AgentEvent{}, fmt.Errorf("read the hook input, which the agent has not closed: %w", ctx.Err())
	}
	if err != nil {
		return app.AgentEvent{}, fmt.Errorf("read the hook input: %w", err)
	}
	if len(data) > MaxInput {
		return app.AgentEvent{}, fmt.Errorf("the hook input is larger than %d bytes", MaxInput)
	}
	return Parse(data)
}

// Parse reads an input. Empty input and null yield an event without fields; other
// input that is not a JSON object is an error. A field of another type than expected
// counts as missing. NUL characters are removed.
func Parse(data []byte) (app.AgentEvent, error) {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	if len(data) == 0 {
		return app.AgentEvent{}, nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return app.AgentEvent{}, fmt.Errorf("the hook input is not a JSON object: %w", err)
	}
	text := func(name string) string {
		var s string
		if json.Unmarshal(fields[name], &s) != nil {
			return ""
		}
		return strings.ReplaceAll(s, "\x00", "")
	}
	source := text("source")
	return app.AgentEvent{
		SessionID: text("session_id"), Transcript: text("transcript_path"), CWD: text("cwd"),
		Prompt: withoutContext(text("prompt")), Resumed: source == "resume",
		Again: source == "compact" || source == "clear" || source == "fork",
	}, nil
}

// withoutContext returns a prompt without the tagged texts of hooks that Gemini CLI adds.
func withoutContext(prompt string) string {
	const begin, end = "<hook_context>", "</hook_context>"
	for {
		before, rest, found := strings.Cut(prompt, begin)
		_, after, closed := strings.Cut(rest, end)
		if !found || !closed {
			return prompt
		}
		prompt = strings.TrimSpace(before + after)
	}
}

// Encode returns an event, without its prompt, as hook input for a background process.
func Encode(e app.AgentEvent) []byte {
	input, _ := json.Marshal(map[string]string{"session_id": e.SessionID, "transcript_path": e.Transcript, "cwd": e.CWD}) // texts always encode
	return input
}
