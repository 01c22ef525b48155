package hooks

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/integration/agents"
	"github.com/brainbridge/brainbridge/integration/app"
)

// MaxAnswer is the most that a hook adds to a session, in characters. Agents cut
// off longer text.
const MaxAnswer = 10_000

// heartbeat reminds an agent to capture what is worth keeping.
const heartbeat = `brainbridge heartbeat: what is not captured is gone when this session ends. If one of these came up since the last reminder, run the command; if none did, go on. Leave out what the repository already says and what was merely done.
- A decision: brainbridge remember --type decision "SQLite for the cache instead of Redis, because it needs no second service"
- A preference of the person: brainbridge remember --type preference "Table-driven tests in this repository"
- A lesson: brainbridge learn "Flaky upload test" "The tests shared a temp folder; each needs its own"
- A rule for next time: brainbridge crystallize "Before a migration" "Take a backup; the last one could not be undone"
- Something left to do: brainbridge remind "Rotate the deploy key" --due 2026-12-01
`

// Heartbeat returns the text of a reminder: what to keep, how, and what was said since
// the last one that may be worth it, as the agent can follow it. Its commands have the
// global flags.
func Heartbeat(agent string, r app.Reminder, flags []string) string {
	text := agents.TextFor(agent, heartbeat, flags)
	if len(r.Candidates) == 0 {
		return text
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%sSaid since %s, worth keeping?\n", text, r.Candidates[0].At.Format("15:04"))
	for i, c := range r.Candidates {
		fmt.Fprintf(&b, "%d. %s: %s\n", i+1, c.Kind, c.Title)
	}
	b.WriteString(agents.TextFor(agent, "Keep with `brainbridge remember --type KIND \"TEXT\"`, in your own words; ignore the rest. You are asked once.\n", flags))
	return b.String()
}

// Answer returns the text that a hook adds to a session in the form that the agent
// expects: a JSON document for Gemini CLI, plain text for the others. It is cut to
// whole lines of at most MaxAnswer characters in all.
func Answer(agent, event, text string) (string, error) {
	text = plaintext.ClipLines(text, MaxAnswer)
	if strings.TrimSpace(text) == "" || agent != agents.Gemini {
		return text, nil
	}
	type output struct {
		Event   string `json:"hookEventName"`
		Context string `json:"additionalContext"`
	}
	data, err := json.Marshal(map[string]output{"hookSpecificOutput": {event, text}})
	if err != nil {
		return "", fmt.Errorf("encode the answer: %w", err)
	}
	return string(data) + "\n", nil
}
