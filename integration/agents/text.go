package agents

import (
	"regexp"
	"strings"
)

// TextFor returns a text of ours as an agent can follow it: its commands have the flags
// of a setup, and for Codex they are calls of MCP tools, because Codex's sandbox keeps
// commands from writing to the store.
func TextFor(agent, text string, flags []string) string {
	if agent == Codex {
		text = withTools(text)
	}
	if len(flags) == 0 {
		return text
	}
	name := "brainbridge" + shellWords(flags) + " "
	return strings.NewReplacer("`brainbridge ", "`"+name, ": brainbridge ", ": "+name).Replace(text)
}

// toolNote explains a text with calls of tools, and what commands that have none need.
const toolNote = `
A name with braces is a call of a tool of brainbridge's MCP server. A command of ` + "`brainbridge`" + ` cannot reach the memory from Codex's sandbox: run it outside, with ` + "`sandbox_permissions`" + ` set to ` + "`require_escalated`" + ` and a ` + "`justification`" + `, so that the person is asked. The session itself is recorded without a command when it ends.
`

// withTools replaces the commands in a text by the calls of tools that do the same.
func withTools(text string) string {
	text = strings.Replace(text, "run the command", "call the tool of brainbridge's MCP server", 1)
	for _, r := range [][2]string{
		{`remember --type (\w+) ("[^"]*")`, `remember {"type": "$1", "content": $2}`},
		{`learn ("[^"]*") ("[^"]*")`, `capture {"kind": "learning", "concept": $1, "learned": $2}`},
		{`crystallize ("[^"]*") ("[^"]*")`, `capture {"kind": "crystallization", "trigger": $1, "insight": $2}`},
		{`remind ("[^"]*") --due ([\w-]+)`, `capture {"kind": "reminder", "text": $1, "due": "$2"}`},
		{`recall ("[^"]*")`, `recall {"query": $1}`},
		{`correct ID ("[^"]*")`, `correct {"id": "ID", "content": $1}`},
		{`used ID --helpful`, `mark_used {"id": "ID", "verdict": "helpful"}`},
		{`used ID --not-helpful`, `mark_used {"id": "ID", "verdict": "not_helpful"}`},
		{`show ID`, `open_memory {"id": "ID"}`},
		{`done ID`, `done {"id": "ID"}`},
		{"consolidate --dry-run`", "consolidate {}`"},
		{"consolidate`", "consolidate {\"apply\": true}`"},
		{`consolidate \$ARGUMENTS` + "`", "consolidate {\"apply\": true}`, or for `--dry-run` `consolidate {}` and for `--health` `health {}`; for `--merge-only` run `brainbridge consolidate --merge-only`;"},
		{"learn` or `brainbridge crystallize`", "capture` (kind `learning` or `crystallization`)"},
		{"heartbeat`", "brainbridge heartbeat --agent codex`"},
		{"health`", "health {}`"},
	} {
		text = regexp.MustCompile("brainbridge "+r[0]).ReplaceAllString(text, r[1])
	}
	return text
}
