// Package hooks is the adapter for the hooks of coding agents: it reads the events
// that an agent sends, and formats the answers for it.
//
// A hook must not hold up an agent: unknown input is ignored, slow work is handed to
// another process, and errors go to a log.
package hooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/integration/agents"
	"github.com/brainbridge/brainbridge/integration/app"
)

// Hook is one call of a hook by an agent.
type Hook struct {
	Event    string // as the agent calls it
	Agent    string // see [agents.All]
	Detached bool   // this is the process that the work was handed to
	EnvFile  string // file with the variables of the agent's commands, "" for none
	// Use returns the use cases, or the error of the settings.
	Use func() (*app.UseCases, error)
	// Hint returns what to do about an error, "" if unknown.
	Hint func(error) string
	// Detach starts this program again with an input, and does not wait for it.
	Detach func(input []byte, args ...string) error
}

// Run handles the event. The answer, as the agent expects it, is valid even with an error.
func (h Hook) Run(ctx context.Context, in io.Reader) (string, error) {
	text, err := h.answer(ctx, in)
	return Answer(h.Agent, h.Event, text), err
}

func (h Hook) answer(ctx context.Context, in io.Reader) (string, error) {
	event, err := ParseEvent(h.Event)
	if err != nil {
		return "", err
	}
	e, err := Read(ctx, in)
	if err != nil {
		return "", err
	}
	e.Late = h.Detached
	u, err := h.Use()
	switch {
	case err != nil && event == SessionStart:
		return h.unreachable(err), err
	case err != nil:
		return "", err
	}
	switch event {
	case SessionStart:
		a, err := u.StartSession(ctx, e)
		return h.start(a, u.Flags()), errors.Join(err, h.exportSession(e.SessionID))
	case UserPromptSubmit:
		return h.submitPrompt(ctx, u, e)
	case PreCompact:
		return "", h.readTranscript(ctx, u, e)
	case SessionEnd:
		args := []string{"goodbye", "--detached"}
		if e.SessionID != "" {
			args = append(args, "--session="+e.SessionID)
		}
		return "", errors.Join(u.NoteEvent(ctx, e), h.Detach(nil, args...))
	}
	return "", nil // nothing is done after a tool or a turn
}

// submitPrompt answers a prompt. Gemini CLI gets the context with the first prompt, and
// after a resume with the next one. It would put a text from the start of the session
// before the prompt, and a slash command would then not be recognised.
func (h Hook) submitPrompt(ctx context.Context, u *app.UseCases, e app.AgentEvent) (string, error) {
	e.PromptStarts = h.Agent == agents.Gemini
	a, err := u.SubmitPrompt(ctx, e)
	text := a.Memories
	if a.Start != nil {
		text = h.start(*a.Start, u.Flags()) + text
	}
	if a.Heartbeat {
		text += Heartbeat(a.Questions, h.Agent == agents.Codex, u.Flags())
	}
	return text, err
}

// readTranscript hands the transcript over, or reads it.
func (h Hook) readTranscript(ctx context.Context, u *app.UseCases, e app.AgentEvent) error {
	if e.Transcript == "" {
		return nil
	}
	if h.Detached {
		return u.ReadTranscript(ctx, e)
	}
	return h.Detach(Encode(e), "hook", string(PreCompact), "--detached")
}

// start returns the text for the start of a session. The questions at its end always fit.
func (h Hook) start(a app.StartAnswer, flags []string) string {
	if a.Unreachable != nil {
		return h.unreachable(a.Unreachable)
	}
	text := ""
	if len(a.Warnings) > 0 {
		text = fmt.Sprintf("Memory needs attention (%s); `brainbridge health` says what to do.\n", strings.Join(a.Warnings, ", "))
	}
	if a.Reflection != nil && a.Reflection.Summary() != "" {
		text += fmt.Sprintf("The last reflection found %s; `brainbridge reflect --last` shows it.\n", a.Reflection.Summary())
	}
	end := a.Questions.Text(h.Agent == agents.Codex, flags)
	if end != "" {
		end = "\n" + end
	}
	return plaintext.ClipLines(text+a.Context.Text, MaxAnswer-utf8.RuneCountInString(end)) + end
}

// unreachable tells an agent why it starts without memory, and what to do.
func (h Hook) unreachable(err error) string {
	why := plaintext.Shorten(plaintext.OneLine(err.Error()), 300)
	return fmt.Sprintf("brainbridge: memory cannot be reached (%s); %s.\n", why, cmp.Or(h.Hint(err), "`brainbridge status` says why"))
}

// exportSession passes the session to the commands of an agent that accepts variables.
func (h Hook) exportSession(id string) error {
	if h.EnvFile == "" || id == "" || strings.ContainsAny(id, "'\n\r") {
		return nil
	}
	err := durable.Append(h.EnvFile, fmt.Appendf(nil, "export BRAINBRIDGE_SESSION='%s'\n", id))
	return brain.Wrap(err, "tell the agent's commands their session")
}

// maxLog is the size at which hooks.log is started over; the one before is kept.
const maxLog = 1 << 20

// LogLine returns the line of the log for an error.
func LogLine(err error) string {
	text := strings.ReplaceAll(err.Error(), "\n", "; ")
	return time.Now().UTC().Format(time.RFC3339) + " " + plaintext.Shorten(plaintext.OneLine(text), 1000) + "\n"
}

// Log appends a line to hooks.log in a state folder.
func Log(state, line string) error {
	if err := durable.MakeDir(state, durable.PrivateDir); err != nil {
		return err
	}
	path := filepath.Join(state, "hooks.log")
	if info, err := os.Stat(path); err == nil && info.Size() > maxLog {
		_ = os.Rename(path, path+".1") // otherwise it keeps growing
	}
	return durable.Append(path, []byte(line))
}

// MaxAnswer is the longest text that a hook adds, in characters. Agents cut off longer ones.
const MaxAnswer = 10_000

// heartbeat reminds an agent to capture things worth remembering.
const heartbeat = `brainbridge heartbeat: what is not kept is gone when this session ends. If one of these came up since the last reminder, call the tool of brainbridge's MCP server; if none did, go on. Leave out what the repository already says and what was merely done.
- A decision: remember {"type": "decision", "content": "SQLite for the cache instead of Redis, because it needs no second service"}
- A preference of the person: remember {"type": "preference", "content": "Table-driven tests in this repository"}
- A lesson: remember {"type": "lesson", "content": "The upload test was flaky because the tests shared a temp folder; each needs its own"}
- Something left to do: remember {"content": "Rotate the deploy key", "due": "2026-12-01"}
- A memory that no longer holds: replace {"old": "ID", "new": "ID"}
Without these tools, in a shell: ` + "`brainbridge remember --type KIND \"TEXT\"`, `brainbridge remind \"TEXT\" --due YYYY-MM-DD`, `brainbridge replace OLD NEW`\n"

// Heartbeat returns a reminder: what to keep, how, and the questions. Its commands have the
// global flags; an agent with only tools is given none for the questions.
func Heartbeat(q app.Questions, onlyTools bool, flags []string) string {
	return agents.WithFlags(heartbeat, flags) + q.Text(onlyTools, flags)
}

// Answer returns the text of a hook as the agent expects it, as JSON for Gemini CLI, cut to
// whole lines of at most MaxAnswer characters in all.
func Answer(agent, event, text string) string {
	text = plaintext.ClipLines(plaintext.Visible(text), MaxAnswer)
	if strings.TrimSpace(text) == "" || agent != agents.Gemini {
		return text
	}
	output := map[string]string{"hookEventName": event, "additionalContext": text}
	data, _ := plaintext.JSON(map[string]any{"hookSpecificOutput": output}, "") // texts always encode
	return string(data)
}
