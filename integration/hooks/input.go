package hooks

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Event is something that happens in a session of an agent, as Claude Code
// names it.
type Event string

// The events that are answered.
const (
	SessionStart     Event = "SessionStart"
	UserPromptSubmit Event = "UserPromptSubmit"
	PostToolUse      Event = "PostToolUse"
	PreCompact       Event = "PreCompact"
	Stop             Event = "Stop"
	SessionEnd       Event = "SessionEnd"
)

// ParseEvent reads the name of an event; those of Gemini CLI are understood
// too.
func ParseEvent(name string) (Event, error) {
	switch name {
	case "SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "Stop", "SessionEnd":
		return Event(name), nil
	case "BeforeAgent":
		return UserPromptSubmit, nil
	case "AfterTool":
		return PostToolUse, nil
	case "PreCompress":
		return PreCompact, nil
	case "AfterAgent":
		return Stop, nil
	}
	return "", fmt.Errorf("there is no event %.40q", name)
}

// MaxInput is the most that is read of what an agent says, in bytes (16 MiB): a
// prompt may have a whole file in it.
const MaxInput = 16 << 20

// Input is what an agent says about an event, as far as it is of use here.
// Fields that an agent leaves out are empty.
type Input struct {
	SessionID      string
	TranscriptPath string
	CWD            string
	Prompt         string // of UserPromptSubmit
	Source         string // of SessionStart: startup, resume, clear or compact
}

// Read reads what an agent says, for as long as ctx lasts: an agent may leave
// its end open, and then the reading ends with the process. Nothing at all is an
// empty Input. What is no JSON object is an error; a field of another type than
// expected counts as left out.
func Read(ctx context.Context, r io.Reader) (Input, error) {
	var data []byte
	var err error
	said := make(chan struct{})
	go func() {
		defer close(said)
		data, err = io.ReadAll(io.LimitReader(r, MaxInput+1))
	}()
	select {
	case <-said:
	case <-ctx.Done():
		return Input{}, fmt.Errorf("the agent does not end what it says: %w", ctx.Err())
	}
	if err != nil {
		return Input{}, fmt.Errorf("read what the agent says: %w", err)
	}
	if len(data) > MaxInput {
		return Input{}, fmt.Errorf("what the agent says is over %d bytes", MaxInput)
	}
	return Parse(data)
}

// Parse reads what an agent says, as Read does.
func Parse(data []byte) (Input, error) {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	if len(data) == 0 {
		return Input{}, nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return Input{}, fmt.Errorf("what the agent says is no JSON object: %w", err)
	}
	text := func(name string) string {
		var s string
		if json.Unmarshal(fields[name], &s) != nil {
			return ""
		}
		return strings.ReplaceAll(s, "\x00", "")
	}
	return Input{
		SessionID: text("session_id"), TranscriptPath: text("transcript_path"), CWD: text("cwd"),
		Prompt: text("prompt"), Source: text("source"),
	}, nil
}

// Marshal is the input as an agent would say it, without the prompt, for the
// process that an event is handed to.
func (i Input) Marshal() ([]byte, error) {
	return json.Marshal(map[string]string{
		"session_id": i.SessionID, "transcript_path": i.TranscriptPath, "cwd": i.CWD, "source": i.Source,
	})
}
