package hooks

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/integration/agents"
)

// MaxAnswer is the most that a hook adds to a session, in characters. Agents cut
// off longer text.
const MaxAnswer = 10_000

// Heartbeat reminds an agent to capture what is worth keeping.
const Heartbeat = `brainbridge heartbeat: what is not captured is gone when this session ends. If one of these holds since the last reminder, run the command; if none does, go on.
- An insight solidified: brainbridge crystallize "TRIGGER" "INSIGHT"
- Something was learned: brainbridge learn "CONCEPT" "WHAT WAS LEARNED"
- Something is left to do: brainbridge remind "TEXT" --due YYYY-MM-DD
- Something was done: brainbridge activity TYPE "DESCRIPTION"
`

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
