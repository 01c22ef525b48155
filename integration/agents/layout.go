package agents

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// The agents that can be set up.
const (
	ClaudeCode = "claude-code"
	Codex      = "codex"
	Gemini     = "gemini"
	OpenClaw   = "openclaw"
)

// All returns the agents that can be set up.
func All() []string { return []string{ClaudeCode, Codex, Gemini, OpenClaw} }

type layout struct {
	settings []settingsFile
	files    []ownFile
	next     []string // what is left for the person to do after an installation
}

// layout returns the files of the agent as its documentation has them.
func (s Setup) layout() (layout, error) {
	if s.Scope != UserScope && s.Scope != ProjectScope {
		return layout{}, brain.Errorf(brain.ErrInvalid, "use --scope user or --scope project", "there is no scope %q", s.Scope)
	}
	switch s.Agent {
	case ClaudeCode:
		return s.claudeCode(), nil
	case Codex:
		return s.codex(), nil
	case Gemini:
		return s.gemini(), nil
	case OpenClaw:
		if s.Scope == ProjectScope {
			return layout{}, brain.Errorf(brain.ErrInvalid, "use --scope user", "OpenClaw has the same settings for all projects")
		}
		return s.openClaw(), nil
	}
	hint := "use " + strings.Join(All(), ", ")
	if near := plaintext.Nearest(s.Agent, All()); len(near) > 0 {
		hint = "did you mean " + near[0] + "?"
	}
	return layout{}, brain.Errorf(brain.ErrInvalid, hint, "there is no agent %q", s.Agent)
}

// place says where an agent is.
type place struct {
	folder   string // in the project or the home folder
	variable string // names another folder; for Gemini CLI, another home folder
	program  string
}

func (s Setup) place() place {
	return map[string]place{
		ClaudeCode: {".claude", "CLAUDE_CONFIG_DIR", "claude"},
		Codex:      {".codex", "CODEX_HOME", "codex"},
		Gemini:     {".gemini", "GEMINI_CLI_HOME", "gemini"},
		OpenClaw:   {".openclaw", "OPENCLAW_STATE_DIR", "openclaw"},
	}[s.Agent]
}

func (s Setup) dir() string {
	p := s.place()
	named := s.Env(p.variable)
	switch {
	case s.Scope == ProjectScope:
		return filepath.Join(s.Project, p.folder)
	case s.Agent == Gemini:
		return filepath.Join(cmp.Or(named, s.Home), p.folder)
	}
	return cmp.Or(named, filepath.Join(s.Home, p.folder))
}

func commands(dir string, file func(dir, name string) ownFile) []ownFile {
	return brain.Map([]string{"goodbye", "consolidate", "reflect", "attention", "memory-health"}, func(name string) ownFile { return file(dir, name) })
}

func (s Setup) claudeCode() layout {
	dir := s.dir()
	servers := filepath.Join(s.Project, ".mcp.json")
	if s.Scope == UserScope {
		servers = filepath.Join(cmp.Or(s.Env("CLAUDE_CONFIG_DIR"), s.Home), ".claude.json")
	}
	next := []string{`Claude Code asks before it uses the memory; to allow that for good, which claude -p needs, add "mcp__memory" and "Bash(brainbridge:*)" to permissions.allow in ` + filepath.Join(dir, "settings.json")}
	if s.Scope == ProjectScope {
		next = append(next, "Claude Code starts the MCP server of a project only when you approve it: start claude in this folder, trust it, and choose to use the server of .mcp.json")
	}
	events := hookEvents(20, "SessionStart", "UserPromptSubmit", "PreCompact", "SessionEnd")
	styles, style := filepath.Join(dir, "output-styles"), s.text("style")
	return layout{
		settings: []settingsFile{
			{path: filepath.Join(dir, "settings.json"), hooks: events},
			{path: servers, servers: "mcpServers"},
		},
		files: append(commands(filepath.Join(dir, "commands"), s.commandFile), s.skill(filepath.Join(dir, "skills")), ownFile{"output style", []ownPath{
			{path: filepath.Join(styles, "cognitive-heartbeat.md"), text: style},
			{path: filepath.Join(styles, prefix+"heartbeat.md"), text: style},
		}}),
		next: next,
	}
}

// codex has skills instead of slash commands, in a folder that no other agent reads:
// in .agents/skills they would replace those of Gemini CLI and OpenClaw.
func (s Setup) codex() layout {
	dir := s.dir()
	skills := filepath.Join(dir, "skills")
	const endTimeout = 3 // seconds; Codex warns if the end of a session may take longer
	events := append(hookEvents(20, "SessionStart", "UserPromptSubmit", "PreCompact"), hookEvent{"SessionEnd", endTimeout})
	return layout{
		settings: []settingsFile{
			{path: filepath.Join(dir, "hooks.json"), hooks: events},
			{path: filepath.Join(dir, "config.toml"), servers: "mcp_servers", variables: s.Variables},
		},
		files: append(commands(skills, s.commandSkill), s.skill(skills)),
		next:  []string{"Codex runs new hooks only when you trust them: start codex, type /hooks, and review them"},
	}
}

// gemini gets its context with the first prompt, so it has no hook at the start of a
// session. None before a compression: Gemini CLI calls that before each call of the model.
func (s Setup) gemini() layout {
	dir := s.dir()
	events := hookEvents(20_000, "BeforeAgent", "SessionEnd")
	return layout{
		settings: []settingsFile{{path: filepath.Join(dir, "settings.json"), hooks: events, servers: "mcpServers"}},
		files:    append(commands(filepath.Join(dir, "commands"), s.commandFile), s.skill(filepath.Join(dir, "skills"))),
		next:     []string{"Gemini CLI runs hooks and MCP servers only in folders that you trust: type /permissions in one"},
	}
}

// openClaw supports hooks only as code. A skill replaces them, and each is a slash command.
func (s Setup) openClaw() layout {
	dir := s.dir()
	skills := filepath.Join(dir, "skills")
	return layout{
		settings: []settingsFile{{path: filepath.Join(dir, "openclaw.json"), servers: "mcp.servers", variables: s.Variables}},
		files:    append(commands(skills, s.commandSkill), s.skill(skills)),
	}
}

// Found returns the agents that this user has: their folder or their program exists.
func Found(home string, env func(string) string) (found []string) {
	for _, agent := range All() {
		s := Setup{Agent: agent, Scope: UserScope, Home: home, Env: env}
		_, noFolder := os.Stat(s.dir())
		_, noProgram := exec.LookPath(s.place().program)
		if noFolder == nil || noProgram == nil {
			found = append(found, agent)
		}
	}
	return found
}
