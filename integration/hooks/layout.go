package hooks

import (
	"cmp"
	"path/filepath"

	"github.com/brainbridge/brainbridge/brain"
)

// layout is where an agent keeps what an installation changes.
type layout struct {
	settings []settingsFile
	files    []ownFile
}

// layout of the agent that is set up. Where each keeps its settings is as their
// makers document it: Claude Code in settings.json, with the MCP servers in
// .claude.json of the user and .mcp.json of a project; Codex in hooks.json and
// config.toml; Gemini CLI in settings.json; OpenClaw in openclaw.json, which it
// has once for all.
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
			return layout{}, brain.Errorf(brain.ErrInvalid, "use --scope user", "OpenClaw keeps its settings once for all projects")
		}
		return s.openClaw(), nil
	}
	return layout{}, brain.Errorf(brain.ErrInvalid, "use claude-code, codex, gemini or openclaw", "there is no agent %q", s.Agent)
}

// dir is the agent's own folder: of the user, where a variable may name
// another, or of the project.
func (s Setup) dir(variable, name string) string {
	if s.Scope == ProjectScope {
		return filepath.Join(s.Project, name)
	}
	return cmp.Or(s.Env(variable), filepath.Join(s.Home, name))
}

// commands are the slash commands that this version has.
func (s Setup) commands(dir string) []ownFile {
	var all []ownFile
	for _, c := range slashCommands() {
		if s.Has(c[1]) {
			all = append(all, s.commandFile(dir, c[0]))
		}
	}
	return all
}

// server is the settings file with the MCP server, if this version is one.
func (s Setup) server(path string, keys ...string) []settingsFile {
	if !s.Has("mcp") {
		return nil
	}
	return []settingsFile{{path, "MCP server " + keys[len(keys)-1], jsonServer(s, keys)}}
}

func (s Setup) claudeCode() layout {
	dir := s.dir("CLAUDE_CONFIG_DIR", ".claude")
	servers := filepath.Join(s.Project, ".mcp.json")
	if s.Scope == UserScope {
		servers = filepath.Join(cmp.Or(s.Env("CLAUDE_CONFIG_DIR"), s.Home), ".claude.json")
	}
	events := []Event{SessionStart, UserPromptSubmit, PreCompact, SessionEnd}
	l := layout{
		settings: []settingsFile{{filepath.Join(dir, "settings.json"), "hooks", jsonHooks(s, names(events), 20)}},
		files:    append(s.commands(filepath.Join(dir, "commands")), s.skill(filepath.Join(dir, "skills"))),
	}
	l.settings = append(l.settings, s.server(servers, "mcpServers", "memory")...)
	l.files = append(l.files, ownFile{
		path: filepath.Join(dir, "output-styles", "cognitive-heartbeat.md"), other: filepath.Join(dir, "output-styles", prefix+"heartbeat.md"),
		what: "output style", text: s.text("style"), mark: markdownMark,
	})
	return l
}

// codex has no event for the end of a session: /goodbye is its end. Prompts, as
// its slash commands are called, are the user's alone.
func (s Setup) codex() layout {
	dir := s.dir("CODEX_HOME", ".codex")
	skills := filepath.Join(s.Home, ".agents", "skills")
	if s.Scope == ProjectScope {
		skills = filepath.Join(s.Project, ".agents", "skills")
	}
	events := []Event{SessionStart, UserPromptSubmit, PreCompact}
	l := layout{
		settings: []settingsFile{{filepath.Join(dir, "hooks.json"), "hooks", jsonHooks(s, names(events), 20)}},
		files:    []ownFile{s.skill(skills)},
	}
	if s.Scope == UserScope {
		l.files = append(l.files, s.commands(filepath.Join(dir, "prompts"))...)
	}
	if s.Has("mcp") {
		l.settings = append(l.settings, settingsFile{filepath.Join(dir, "config.toml"), "MCP server memory", tomlServer(s)})
	}
	return l
}

func (s Setup) gemini() layout {
	dir := s.dir("", ".gemini")
	path := filepath.Join(dir, "settings.json")
	hooks := jsonHooks(s, []string{"SessionStart", "BeforeAgent", "PreCompress", "SessionEnd"}, 20_000)
	apply := hooks
	if s.Has("mcp") {
		apply = both(hooks, jsonServer(s, []string{"mcpServers", "memory"}))
	}
	return layout{
		settings: []settingsFile{{path, "hooks and MCP server", apply}},
		files:    s.commands(filepath.Join(dir, "commands")),
	}
}

// openClaw takes hooks as code only, so it is told by its skill.
func (s Setup) openClaw() layout {
	dir := s.dir("OPENCLAW_STATE_DIR", ".openclaw")
	return layout{
		settings: s.server(filepath.Join(dir, "openclaw.json"), "mcp", "servers", "memory"),
		files:    []ownFile{s.skill(filepath.Join(dir, "skills"))},
	}
}

func names(events []Event) []string {
	var all []string
	for _, e := range events {
		all = append(all, string(e))
	}
	return all
}
