package hooks

// The agents that can be told.
const (
	ClaudeCode = "claude-code"
	Codex      = "codex"
	Gemini     = "gemini"
	OpenClaw   = "openclaw"
)

// Agents are all of them.
func Agents() []string { return []string{ClaudeCode, Codex, Gemini, OpenClaw} }
