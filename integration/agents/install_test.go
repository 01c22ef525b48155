package agents

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/config"
)

func setup(agent, home string) Setup {
	return Setup{
		Agent: agent, Scope: UserScope, Home: home, Project: home, Program: "brainbridge",
		Env: func(string) string { return "" },
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func install(s Setup) (Plan, error)   { return s.plan(true) }
func uninstall(s Setup) (Plan, error) { return s.plan(false) }

func apply(t *testing.T, plan func(Setup) (Plan, error), s Setup) Plan {
	t.Helper()
	p, err := plan(s)
	if err == nil {
		err = p.apply()
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Every agent is set up, a second time there is nothing to do, and at the end
// nothing of it is left.
func TestInstallAndBack(t *testing.T) {
	for _, agent := range All() {
		t.Run(agent, func(t *testing.T) {
			home := t.TempDir()
			s := setup(agent, home)
			if p := apply(t, install, s); len(p.Changes) == 0 || len(p.Notes) > 0 {
				t.Errorf("it changed %d files and said %v", len(p.Changes), p.Notes)
			}
			if p := apply(t, install, s); len(p.Changes) > 0 {
				t.Errorf("a second time it changed %s", p.Changes[0].Path)
			}
			s.Program = "/opt/new place/brainbridge"
			if p := apply(t, install, s); agent != OpenClaw && len(p.Changes) == 0 {
				t.Error("a program that moved was not followed")
			}
			s.Flags = []string{"--brain=work", "--store=sqlite:/a b/c.db"}
			checkFlags(t, apply(t, install, s))
			s.Variables = map[string]string{"BRAINBRIDGE_BRAIN": `wo"rk`, "TZ": "UTC"}
			if p := apply(t, install, s); len(p.Changes) > 0 != (agent == Codex || agent == OpenClaw) {
				t.Errorf("for variables of the server it changed %d files", len(p.Changes))
			}
			if p := apply(t, install, s); len(p.Changes) > 0 {
				t.Errorf("with flags it changed %s a second time", p.Changes[0].Path)
			}
			s.Flags = nil
			apply(t, uninstall, s)
			left, err := os.ReadDir(home)
			if err != nil || len(left) > 0 {
				t.Errorf("there is still %v, %v", left, err)
			}
		})
	}
}

// A file of ours that a person edited stays, and uninstalling says so.
func TestAnEditedFileStays(t *testing.T) {
	home := t.TempDir()
	s := setup(ClaudeCode, home)
	apply(t, install, s)
	edited := filepath.Join(home, ".claude", "commands", "reflect.md")
	text := read(t, edited) + "And be brief.\n"
	put(t, edited, text)
	p := apply(t, uninstall, s)
	if read(t, edited) != text || !slices.Contains(p.Notes, edited+" was edited and stays") {
		t.Errorf("it said %v", p.Notes)
	}
}

// Settings are where the agent's own variable says.
func TestTheFolderOfAVariable(t *testing.T) {
	for agent, variable := range map[string]string{ClaudeCode: "CLAUDE_CONFIG_DIR", Codex: "CODEX_HOME", Gemini: "GEMINI_CLI_HOME", OpenClaw: "OPENCLAW_STATE_DIR"} {
		home, folder := t.TempDir(), t.TempDir()
		s := setup(agent, home)
		s.Env = func(name string) string { return map[string]string{variable: folder}[name] }
		if p := apply(t, install, s); !strings.HasPrefix(p.Changes[0].Path, folder) {
			t.Errorf("%s has its settings in %s", agent, p.Changes[0].Path)
		}
		if found := Found(home, s.Env); !slices.Contains(found, agent) {
			t.Errorf("found %v, not %s", found, agent)
		}
		apply(t, uninstall, s)
	}
}

// Settings are byte for byte as they were after an installation and its end,
// also what is empty in them, where there are none, and where nothing was
// installed; what changed meanwhile stays.
func TestSettingsAreAsTheyWere(t *testing.T) {
	const edit = "\"edited\": 1"
	for _, was := range []string{"", "{}", "{\n}\n", `{"hooks":{}}`, "{\"hooks\": {\r\n\"SessionEnd\": [ ]}, \"mcpServers\": { }\r\n}", "none"} {
		home := t.TempDir()
		s, path := setup(Gemini, home), filepath.Join(home, ".gemini", "settings.json")
		if was != "none" {
			put(t, path, was)
		}
		if p := apply(t, uninstall, s); len(p.Changes) > 0 {
			t.Errorf("%q: what was not installed was taken away", was)
		}
		apply(t, install, s)
		installed := read(t, path)
		apply(t, uninstall, s)
		if data, err := os.ReadFile(path); was == "none" && !os.IsNotExist(err) || was != "none" && string(data) != was {
			t.Errorf("%q is %q afterwards (%v)", was, data, err)
		}
		apply(t, install, s)
		put(t, path, strings.Replace(installed, "{", "{"+edit+",", 1))
		apply(t, uninstall, s)
		if after := read(t, path); !strings.Contains(after, edit) {
			t.Errorf("%q: an edit is gone: %q", was, after)
		}
	}
}

// What stands ahead of commands, skills and styles is YAML, which agents read.
func TestFrontMatterIsYAML(t *testing.T) {
	home := t.TempDir()
	for _, c := range apply(t, install, setup(ClaudeCode, home)).Changes {
		text, marked := strings.CutPrefix(read(t, c.Path), "---\n")
		if !marked {
			continue
		}
		head, _, _ := strings.Cut(text, "\n---\n")
		var v struct{ Description string }
		if err := yaml.Unmarshal([]byte(head), &v); err != nil || v.Description == "" {
			t.Errorf("%s: %v in\n%s", c.Path, err, head)
		}
	}
}

// checkFlags looks for the flags wherever this program is called.
func checkFlags(t *testing.T, p Plan) {
	t.Helper()
	for _, c := range p.Changes {
		for line := range strings.Lines(read(t, c.Path)) {
			calls := strings.Contains(line, " hook ") || strings.Contains(line, "`brainbridge ") || strings.Contains(line, `["mcp"`)
			if calls && (!strings.Contains(line, "--brain=work") || !strings.Contains(line, "--store=sqlite:/a b/c.db")) {
				t.Errorf("%s calls it without its flags: %s", c.Path, line)
			}
		}
	}
}

// Settings that are a link stay one, and what they lead to is changed.
func TestLinkedSettingsStayALink(t *testing.T) {
	home := t.TempDir()
	target, link := filepath.Join(home, "dotfiles", "settings.json"), filepath.Join(home, ".claude", "settings.json")
	const before = "{\n\t\"zebra\": 1, \"ant\": [1,2] \r\n}"
	put(t, target, before)
	put(t, filepath.Join(home, ".claude", "keep"), "")
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	apply(t, install, setup(ClaudeCode, home))
	if got, err := os.Readlink(link); err != nil || got != target {
		t.Fatalf("the link leads to %q, %v", got, err)
	}
	if got := read(t, target); !strings.Contains(got, "hook SessionStart") || !strings.HasPrefix(got, before[:25]) || !strings.HasSuffix(got, " \r\n}") {
		t.Errorf("the settings became:\n%s", got)
	}
	if got := read(t, link+BackupSuffix); got != before {
		t.Errorf("the backup is:\n%s", got)
	}
	apply(t, uninstall, setup(ClaudeCode, home))
	if got := read(t, target); got != before {
		t.Errorf("afterwards the settings are:\n%s", got)
	}
}

// A link to settings that are not there yet stays one too; one into nowhere is
// refused.
func TestSettingsLinkedToNothing(t *testing.T) {
	home := t.TempDir()
	target, link := filepath.Join(home, "dotfiles", "settings.json"), filepath.Join(home, ".claude", "settings.json")
	put(t, filepath.Join(home, ".claude", "keep"), "")
	if err := os.Symlink("../dotfiles/settings.json", link); err != nil {
		t.Fatal(err)
	}
	if _, err := install(setup(ClaudeCode, home)); err == nil || !strings.Contains(err.Error(), target+", whose folder does not exist") {
		t.Errorf("a link into nowhere: %v", err)
	}
	put(t, filepath.Join(home, "dotfiles", "keep"), "")
	apply(t, install, setup(ClaudeCode, home))
	if got, err := os.Readlink(link); err != nil || got != "../dotfiles/settings.json" {
		t.Errorf("the link leads to %q, %v", got, err)
	}
	if got := read(t, target); !strings.Contains(got, "hook SessionStart") {
		t.Errorf("the settings became:\n%s", got)
	}
}

// A skill has the name of its folder, wherever it had to go.
func TestASkillHasTheNameOfItsFolder(t *testing.T) {
	for _, agent := range []string{ClaudeCode, Codex, OpenClaw} {
		home := t.TempDir()
		l, err := setup(agent, home).layout()
		if err != nil {
			t.Fatal(err)
		}
		skills := slices.DeleteFunc(l.files, func(f ownFile) bool { return filepath.Base(f.places[0].path) != skillFile })
		if want := map[string]int{ClaudeCode: 1}[agent]; len(skills) != cmp.Or(want, 1+5) {
			t.Errorf("%s has %d skills", agent, len(skills))
		}
		apply(t, install, setup(agent, home))
		for _, skill := range skills {
			checkSkill(t, skill.places[0].path)
			put(t, skill.places[0].path, "---\nname: mine\n---\nmine\n")
		}
		apply(t, install, setup(agent, home))
		for _, skill := range skills {
			checkSkill(t, skill.places[1].path)
		}
		apply(t, uninstall, setup(agent, home))
		for _, skill := range skills {
			if _, err := os.Stat(filepath.Dir(skill.places[1].path)); !os.IsNotExist(err) {
				t.Errorf("%s: the skill in %s stays: %v", agent, skill.places[1].path, err)
			}
		}
	}
}

func checkSkill(t *testing.T, path string) {
	t.Helper()
	head, body, found := strings.Cut(strings.TrimPrefix(read(t, path), "---\n"), "\n---\n")
	var front struct{ Name, Description string }
	if err := yaml.Unmarshal([]byte(head), &front); err != nil || !found || front.Description == "" || front.Name != filepath.Base(filepath.Dir(path)) {
		t.Errorf("the skill in %s begins %q: %v", path, head, err)
	}
	if !strings.Contains(body, "`brainbridge ") && !strings.Contains(body, "`consolidate {}`") || strings.Contains(body, "$ARGUMENTS") {
		t.Errorf("the skill in %s says %q", path, body)
	}
}

// The tools come first, because commands cannot write to the store from Codex's sandbox. An
// example has a sentence, and stands once in a text.
func TestTextsNameToolsBeforeCommands(t *testing.T) {
	example := regexp.MustCompile(`"[A-Z][a-z]+ [^"]*"`)
	for _, name := range []string{"skill", "goodbye", "consolidate", "memory-health", "style"} {
		text := setup(ClaudeCode, t.TempDir()).text(name)
		tool, command := strings.Index(text, "remember"), strings.Index(text, "`brainbridge remember")
		if name == "consolidate" || name == "memory-health" {
			tool, command = strings.Index(text, "`consolidate {"), strings.Index(text, "`brainbridge ")
		}
		if tool < 0 || command < tool {
			t.Errorf("%s names the command before the tool:\n%s", name, text)
		}
		seen := map[string]bool{}
		for _, said := range example.FindAllString(text, -1) {
			if seen[said] {
				t.Errorf("%s has the example %s twice", name, said)
			}
			seen[said] = true
		}
	}
}

// What may not be written, or is no object, is refused before anything changes.
func TestSettingsThatCannotBeChangedStopAll(t *testing.T) {
	for name, text := range map[string]string{"read-only": "{}", "a list": "[]", "a text": `"x"`, "of another shape": `{"hooks": []}`} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			path := filepath.Join(home, ".claude", "settings.json")
			put(t, path, text)
			if name == "read-only" {
				if err := os.Chmod(path, 0o400); err != nil {
					t.Fatal(err)
				}
			}
			if p, err := install(setup(ClaudeCode, home)); !errors.Is(err, brain.ErrInvalid) || len(p.Changes) > 0 {
				t.Errorf("%d changes are planned, %v", len(p.Changes), err)
			}
		})
	}
}

func TestAServerOfSomebodyElseStays(t *testing.T) {
	for agent, file := range map[string][2]string{
		ClaudeCode: {".claude.json", `{"mcpServers": {"memory": {"command": "npx", "args": ["-y", "server-memory"]}}, "n": 1}`},
		OpenClaw:   {".openclaw/openclaw.json", "{\n  \"mcp\": {\"servers\": {\"memory\": {\"command\": \"npx\", \"args\": []}}}\n}\n"},
		Codex:      {".codex/config.toml", "# mine\nmodel = \"o\"\n\n[mcp_servers.memory]\ncommand = \"npx\""},
	} {
		t.Run(agent, func(t *testing.T) {
			home := t.TempDir()
			path := filepath.Join(home, file[0])
			put(t, path, file[1])
			p := apply(t, install, setup(agent, home))
			if len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "is another server and stays") {
				t.Errorf("it said %v", p.Notes)
			}
			if next := strings.Join(p.Next, " "); agent == ClaudeCode && !strings.Contains(next, `"mcp__brainbridge-memory"`) {
				t.Errorf("what is left to do is %q", next)
			}
			if got := read(t, path); !strings.Contains(got, "npx") || !strings.Contains(got, "brainbridge-memory") || strings.Contains(got, `"all"`) != (agent == ClaudeCode) {
				t.Errorf("the settings became:\n%s", got)
			}
			apply(t, uninstall, setup(agent, home))
			if got := read(t, path); strings.TrimRight(got, "\n") != strings.TrimRight(file[1], "\n") {
				t.Errorf("afterwards the settings are:\n%s", got)
			}
		})
	}
}

// Who had the reference memory server keeps the graph tools when ours takes its name.
func TestTheGraphToolsStayAfterTheReferenceServer(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, ".claude.json")
	put(t, path, `{"mcpServers": {"memory": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"]}}}`)
	apply(t, install, setup(ClaudeCode, home))
	put(t, path, strings.Replace(read(t, path), `"memory": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"]}`, `"other": {"command": "x"}`, 1))
	apply(t, install, setup(ClaudeCode, home))
	var v struct{ McpServers map[string]server }
	if err := json.Unmarshal([]byte(read(t, path)), &v); err != nil {
		t.Fatal(err)
	}
	if got := v.McpServers["memory"]; len(v.McpServers) != 2 || !slices.Equal(got.Args, []string{"mcp", "--tools", "all"}) {
		t.Errorf("the servers are %+v", v.McpServers)
	}
}

func TestTOMLStaysWhole(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, ".codex", "config.toml")
	put(t, path, "model = \"o\" # dear\n[tui]\n")
	apply(t, install, setup(Codex, home))
	var v map[string]any
	if err := toml.Unmarshal([]byte(read(t, path)), &v); err != nil || v["mcp_servers"] == nil {
		t.Errorf("%v in\n%s", err, read(t, path))
	}
	put(t, path, "mcp_servers = {a = {command = \"a\"}}\n")
	if p, err := install(setup(Codex, home)); err != nil || len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "[mcp_servers.memory]\ncommand = ") {
		t.Errorf("for a table in braces it said %v, %v", p.Notes, err)
	}
}

// A file that cannot be edited stays as it is, and the person is told what to paste.
func TestJSONWithCommentsIsLeftToThePerson(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, ".openclaw", "openclaw.json")
	const mine = "{\n  // mine\n  mcp: {servers: {}},\n}\n"
	put(t, path, mine)
	p := apply(t, install, setup(OpenClaw, home))
	if len(p.Changes) == 0 || len(p.Notes) != 1 || !strings.Contains(p.Notes[0], path+" stays as it is (line 2: ") {
		t.Errorf("%d changes, and it said %q", len(p.Changes), p.Notes)
	}
	_, snippet, _ := strings.Cut(p.Notes[0], "\n")
	if p := apply(t, uninstall, setup(OpenClaw, home)); read(t, path) != mine || len(p.Notes) > 0 {
		t.Errorf("it said %q of\n%s", p.Notes, read(t, path))
	}
	put(t, path, "// mine\n"+snippet)
	if p := apply(t, install, setup(OpenClaw, home)); len(p.Notes) > 0 {
		t.Errorf("with what was pasted it said %q", p.Notes)
	}
	if p := apply(t, uninstall, setup(OpenClaw, home)); len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "by hand") {
		t.Errorf("at the end it said %q", p.Notes)
	}
}

// What a person added to our server in Codex's settings stays with it when it
// is set up anew, and goes with it.
func TestOurTOMLTableIsChangedInPlace(t *testing.T) {
	const head, tail = "model = \"o\"\n\n[features]\nhooks = true\n", "\n# the rest\n[tui]\nx = 1\n"
	for name, table := range map[string]string{
		"keys":      "[mcp_servers.memory]\ncommand = \"/old/brainbridge\" # mine\nargs = [\"mcp\"]\nstartup_timeout_sec = 20\n",
		"tables":    "[mcp_servers.memory]\ncommand = \"/old/brainbridge\"\nargs = [\"mcp\"]\n\n[mcp_servers.memory.env]\nA = \"b\"\n",
		"order":     "[ mcp_servers . \"memory\" ]\nargs=[ # list\n 'mcp', # ]\n]\n# note\ncommand='brainbridge'\n",
		"CRLF":      "[mcp_servers.memory]\r\ncommand = \"brainbridge\"\r\nargs = [\"mcp\"]\r\n",
		"no quotes": "[mcp_servers]\nmemory.command = \"brainbridge\"\nmemory.args = [\"mcp\"]\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := setup(Codex, "/h")
			s.Flags = []string{"--brain=work"}
			after, e, err := s.edit(settingsFile{path: "config.toml", servers: "mcp_servers"}, []byte(head+"\n"+table+tail), true)
			if err != nil || len(e.notes) > 0 {
				t.Fatal(err, e.notes)
			}
			for _, line := range strings.Split(table, "\n") {
				if !strings.Contains(line, "command") && !strings.Contains(line, "args") && !strings.Contains(line, "mcp") && !strings.Contains(string(after), line) {
					t.Errorf("%q is gone from\n%s", line, after)
				}
			}
			var v struct {
				Servers map[string]server `toml:"mcp_servers"`
			}
			err = toml.Unmarshal(after, &v)
			if got := v.Servers["memory"]; err != nil || got.Command != s.Program || !slices.Equal(got.Args, []string{"mcp", "--tools", "memory", "--brain=work"}) || len(v.Servers) != 1 {
				t.Errorf("%v, %+v in\n%s", err, v, after)
			}
			left, _, err := s.edit(settingsFile{path: "config.toml", servers: "mcp_servers"}, after, false)
			if got := strings.Replace(string(left), "\n[mcp_servers]\n", "", 1); err != nil || got != head+tail {
				t.Errorf("%v; afterwards the settings are\n%s", err, left)
			}
		})
	}
	_, _, err := setup(Codex, "/h").edit(settingsFile{path: "config.toml", servers: "mcp_servers"}, []byte("a = 1\n\nb = \n"), true)
	if err == nil || !strings.Contains(err.Error(), "line 3: ") {
		t.Errorf("the error names no line: %v", err)
	}
}

// A file whose lines end as on Windows gets no others.
func TestLineEndsStay(t *testing.T) {
	s := setup(Gemini, "/h")
	after, _, err := s.edit(settingsFile{hooks: hookEvents(10, "SessionStart")}, []byte("{\r\n  \"a\": 1\r\n}\r\n"), true)
	if plain := strings.ReplaceAll(string(after), "\r\n", ""); err != nil || strings.Contains(plain, "\n") {
		t.Errorf("%v: %q", err, after)
	}
}

// Whatever settings a person has, what is installed is found in them, they stay
// JSON, and afterwards they are as they were.
func TestInstallLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		indent := rapid.SampledFrom([]string{"", "  ", "\t"}).Draw(t, "indent")
		doc := map[string]any{}
		for range rapid.IntRange(0, 3).Draw(t, "keys") {
			doc[rapid.StringMatching(`[a-z]{1,4}`).Draw(t, "key")] = rapid.SampledFrom([]any{1, "a, b", []any{}, map[string]any{}, map[string]any{"x": []any{1, "}"}}}).Draw(t, "value")
		}
		if rapid.Bool().Draw(t, "hooks") {
			doc["hooks"] = map[string]any{"Stop": []any{map[string]any{"hooks": []any{map[string]any{"type": "command", "command": "x"}}}}}
		}
		var before []byte
		var err error
		if before, err = json.MarshalIndent(doc, "", indent); indent == "" {
			before, err = json.Marshal(doc)
		}
		if err != nil {
			t.Fatal(err)
		}
		s := setup(Gemini, "/h")
		f := settingsFile{hooks: hookEvents(10, "SessionStart", "Stop"), servers: "mcpServers"}
		after, _, err := s.edit(f, before, true)
		if err != nil || !json.Valid(after) || strings.Count(string(after), "brainbridge hook") != 2 {
			t.Fatalf("%v:\n%s", err, after)
		}
		again, _, err := s.edit(f, after, true)
		if err != nil || string(again) != string(after) {
			t.Fatalf("a second time, %v:\n%s", err, again)
		}
		back, _, err := s.edit(f, after, false)
		if err != nil || string(back) != string(before) {
			t.Fatalf("afterwards, %v:\n%s\nit was\n%s", err, back, before)
		}
	})
}

// Whatever a file holds, an edit gives an error or a file that can be read.
func FuzzSettings(f *testing.F) {
	for _, s := range []string{"{}", "", "{a:1,}", "{// c\n}", `{"hooks":{"SessionStart":[{"hooks":[{"command":"brainbridge hook SessionStart"},]}]}}`, "{/*", `{"mcpServers":[]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s := setup(ClaudeCode, "/h")
		f := settingsFile{hooks: hookEvents(10, "SessionStart"), servers: "mcpServers"}
		for _, install := range []bool{true, false} {
			after, _, err := s.edit(f, data, install)
			if err != nil || !install && len(data) == 0 {
				continue
			}
			if _, err := config.ParseJSON(after); err != nil {
				t.Fatal(fmt.Errorf("install %v: %w: %q", install, err, after))
			}
		}
	})
}

// A folder that is a link stays when nothing of ours is in it any more.
func TestLinkedFoldersStay(t *testing.T) {
	home, dotfiles := t.TempDir(), t.TempDir()
	link := filepath.Join(home, ".claude")
	if err := os.Symlink(dotfiles, link); err != nil {
		t.Fatal(err)
	}
	apply(t, install, setup(ClaudeCode, home))
	apply(t, uninstall, setup(ClaudeCode, home))
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info, err)
	}
	if left, err := os.ReadDir(dotfiles); err != nil || len(left) > 0 {
		t.Errorf("there is still %v, %v", left, err)
	}
}

// Variables that a person gave to our server stay, whatever they are.
func TestVariablesOfAPersonStay(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, ".openclaw", "openclaw.json")
	put(t, path, `{"mcp": {"servers": {"memory": {"command": "brainbridge", "args": ["mcp"], "env": {"PORT": 1, "BRAINBRIDGE_BRAIN": "old", "XDG_DATA_HOME": "/old"}}}}}`)
	s := setup(OpenClaw, home)
	s.Variables = map[string]string{"TZ": "UTC", "BRAINBRIDGE_STORE": "sqlite:/a.db"}
	apply(t, install, s)
	got := read(t, path)
	for text, want := range map[string]bool{`"PORT": 1`: true, `"TZ": "UTC"`: true, `"BRAINBRIDGE_STORE": "sqlite:/a.db"`: true, "old": false} {
		if strings.Contains(got, text) != want {
			t.Errorf("%s is there: %v:\n%s", text, !want, got)
		}
	}
	if p := apply(t, install, s); len(p.Changes) > 0 {
		t.Errorf("a second time it changed %s", p.Changes[0].Path)
	}
}

// Variables of our server that are a table of their own are changed too.
func TestVariablesInATable(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, ".codex", "config.toml")
	put(t, path, "[mcp_servers.memory]\ncommand = \"brainbridge\"\nargs = [\"mcp\"]\n\n[mcp_servers.memory.env]\nBRAINBRIDGE_BRAIN = \"old\"\n\n[other]\nx = 1\n")
	s := setup(Codex, home)
	s.Variables = map[string]string{"BRAINBRIDGE_BRAIN": "new"}
	apply(t, install, s)
	var got struct {
		Servers map[string]server `toml:"mcp_servers"`
		Other   struct{ X int }   `toml:"other"`
	}
	if err := toml.Unmarshal([]byte(read(t, path)), &got); err != nil || got.Servers["memory"].Env["BRAINBRIDGE_BRAIN"] != "new" || got.Other.X != 1 {
		t.Errorf("%v:\n%s", err, read(t, path))
	}
}

// A binary of another name finds its own hooks again.
func TestHooksOfARenamedBinary(t *testing.T) {
	s := Setup{Agent: ClaudeCode, Program: "/opt/my tools/brainbridge-linux-amd64"}
	j, err := config.ParseJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.installHook(j, hookEvent{name: "Stop", timeout: 5}); err != nil || len(j.At("hooks", "Stop").Array()) != 1 {
			t.Errorf("%v\n%s", err, j.Bytes())
		}
	}
	if err := s.removeHook(j, "Stop"); err != nil || j.At("hooks").Exists() {
		t.Errorf("%v\n%s", err, j.Bytes())
	}
}
