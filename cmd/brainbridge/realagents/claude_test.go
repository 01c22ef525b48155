package realagents

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

const (
	pushed = "What brainbridge remembers"
	// known is what the second session has to be told of the first.
	known = pushed + ".*port 5433 because the old cluster holds 5432"
	// news is what a resumed session is told.
	news = "New in what brainbridge remembers[^<]*somebody else learned this"
	// instructions begin those of the server.
	instructions = "Long-term memory. Recall before you decide"
)

func TestClaudeCode(t *testing.T) {
	r := newRig(t, "claude-code")
	r.env = append(r.env, "ANTHROPIC_BASE_URL="+r.model.url, "ANTHROPIC_API_KEY=none", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1")
	r.write(".claude/settings.json", `{
    "model": "sonnet",
    "permissions": {"allow": ["mcp__memory", "Bash(brainbridge:*)", "Bash(printenv:*)"]},
    "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}
}`)
	r.write(".claude.json", `{"hasCompletedOnboarding": true}`)
	r.install()
	debug := filepath.Join(r.home, "debug.log")
	say := func(prompt string, args ...string) string {
		return r.run("claude", append([]string{"-p", prompt, "--output-format", "stream-json", "--verbose", "--debug-file", debug}, args...)...)
	}
	id := func(out string) string { return field(out, "session_id") }
	r.is(matches(`^memory: brainbridge mcp.*Connected`, r.run("claude", "mcp", "list")), "claude mcp list shows the server connected")

	first := say("Please set up staging. (first)")
	r.is(!matches(`Settings validation|Invalid settings|hooks[^\n]*invalid`, r.read("debug.log")), "Claude Code takes its settings")
	r.is(matches(`UserPromptSubmit \[brainbridge hook UserPromptSubmit\] finished with status 0`, r.read("debug.log")), "the hook of a prompt runs")
	r.is(matches(`"mcp__memory__remember".*"status":"connected".*"goodbye".*"skills":\[[^]]*"brainbridge"`, first), "tools, commands and skill are listed")
	r.is(r.model.sent(instructions, 0), "the server's instructions reach the model")
	r.is(r.model.sent(pushed, 0), "the first request says what brainbridge is")
	r.is(r.model.unsent("Memory needs attention", 0), "a new brain does not begin with a complaint")
	r.is(r.kept("staging database port"), "remember keeps a memory")
	r.is(r.kept("retry budget"), "it keeps a lesson")
	r.is(r.kept("flaky test on CI"), "a command of the agent keeps one")
	r.is(r.model.answered("nonsense"), "a wrong argument is named in the error")
	r.is(r.model.answered(id(first)), "a command of the agent knows its session")
	r.is(r.sessions(1), "the session is recorded")
	r.is(matches(`1 prompt, 3 captures`, r.brainbridge("list", "--sources", "Activity", "--json")), "its prompt and captures are counted once")

	r.brainbridge("config", "set", "hooks.recall", "true")
	r.brainbridge("config", "set", "hooks.heartbeat", "2")
	from := r.model.count()
	r.sleep()
	second := say("Which port does the staging database use now? (recall)")
	r.is(r.model.sent(known, from), "the second session is told what the first decided")
	r.shows("Claude Code", given(r.model.since(from), pushed))
	r.is(r.model.sent("Memories that may bear on this.*staging database", from), "what fits the prompt arrives")
	r.is(r.model.unsent("Memories that may bear on this[^<]*flaky test", from), "what does not fit does not")
	from = r.model.count()
	say("Go on. (nothing)", "--resume", id(second))
	r.is(r.model.sent("brainbridge heartbeat", from), "the second prompt has the heartbeat")
	r.is(strings.Count(lastRequest(r.model), "hat brainbridge remembers") == 1, "a resumed session is told nothing again")
	r.brainbridge("learn", "meanwhile", "somebody else learned this")
	from = r.model.count()
	say("Go on. (nothing)", "--resume", id(second))
	r.is(r.model.sent(news, from), "but what is new")
	say("/compact", "--resume", id(second))
	r.is(matches(`PreCompact:manual [^\n]*completed with status 0`, r.read("debug.log")), "the hook of a compaction runs")
	from = r.model.count()
	say("After the compaction. (nothing)", "--resume", id(second))
	r.is(r.model.sent(pushed+".*5433", from) && r.model.unsent("Since your last session", from), "it is told everything after that, and nothing as new")
	fork := say("After the fork. (nothing)", "--resume", id(first), "--fork-session")
	r.is(id(fork) != id(first), "a fork is a session of its own, and its transcript has nothing twice")

	r.write(".claude/settings.json", strings.Replace(r.read(".claude/settings.json"), `"mcp__memory", "Bash(brainbridge:*)", `, "", 1))
	say("/goodbye (goodbye)")
	r.is(r.kept("goodbye of an agent"), "/goodbye needs no permission of its own")
	r.write(".claude/settings.json", strings.Replace(r.read(".claude/settings.json"), `"model": "sonnet",`, `"model": "sonnet", "outputStyle": "Cognitive heartbeat",`, 1))
	from = r.model.count()
	styled := say("In style. (nothing)")
	r.is(matches(`"output_style":"Cognitive heartbeat"`, styled) && r.model.sent("Every ten prompts, pause for a moment", from), "the output style can be chosen")
	r.removed()
}

// field returns the first value of a JSON key in an output.
func field(out, key string) string {
	m := regexp.MustCompile(`"` + key + `":"([^"]*)"`).FindStringSubmatch(out)
	if m == nil {
		return "?"
	}
	return m[1]
}

// lastRequest is the body of the last request.
func lastRequest(m *model) string {
	all := m.since(0)
	return append([]string{""}, all...)[len(all)]
}

func TestCodex(t *testing.T) {
	r := newRig(t, "codex")
	r.env = append(r.env, "NO_KEY=none")
	r.write(".codex/config.toml", `# mine
model = "scripted"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.scripted]
name = "scripted"
base_url = "`+r.model.url+`/v1"
wire_api = "responses"
env_key = "NO_KEY" # none is needed

[projects."`+r.project+`"]
trust_level = "trusted"
`)
	r.install()
	say := func(prompt string, args ...string) string {
		return r.run("codex", append([]string{"exec", "--json", "--dangerously-bypass-hook-trust"}, append(args, prompt)...)...)
	}
	r.is(matches("left to do:\n- Codex .*trust", r.installed), "install says that Codex wants hooks trusted: "+r.installed)
	r.is(matches(`^memory +brainbridge +mcp .*enabled`, r.run("codex", "mcp", "list")), "codex mcp list shows the server")
	r.run("codex", "exec", "--json", "Hooks untrusted. (nothing)")
	r.is(r.model.unsent(pushed, 0), "hooks that nobody trusts do not run")

	first := say("Please set up staging. (first)")
	r.is(r.model.sent(pushed, 0), "the first request says what brainbridge is")
	r.is(r.kept("staging database port") && r.kept("retry budget") && r.kept("flaky test on CI"), "server and shell keep memories in one brain")
	r.is(r.model.answered("nonsense"), "a wrong argument is named in the error")
	r.is(r.model.unsent("- goodbye: ", 0), "a command for the person is not offered to the model")
	r.is(r.model.sent("- brainbridge: Use to recall", 0), "the skill is")
	r.is(r.sessions(1), "the session is recorded")

	r.brainbridge("config", "set", "hooks.recall", "true")
	r.brainbridge("config", "set", "hooks.heartbeat", "2")
	from := r.model.count()
	r.sleep()
	second := say("Which port does the staging database use now? (recall)")
	r.is(r.model.sent(known, from), "the second session is told what the first decided")
	r.shows("Codex", given(r.model.since(from), pushed))
	r.is(r.model.sent("Memories that may bear on this.*staging database", from), "what fits the prompt arrives")
	r.is(r.model.unsent("Memories that may bear on this[^<]*flaky test", from), "what does not fit does not")
	from = r.model.count()
	resume := func(id, prompt string, args ...string) {
		r.run("codex", append([]string{"exec", "resume", id, "--json", "--dangerously-bypass-hook-trust", prompt}, args...)...)
	}
	r.brainbridge("learn", "meanwhile", "somebody else learned this")
	resume(field(first, "thread_id"), "Go on. (nothing)")
	r.is(r.model.sent("brainbridge heartbeat", from), "the second prompt has the heartbeat")
	r.is(r.model.sent(news, from), "a resumed session is told what is new")
	say("$goodbye (goodbye)")
	r.is(r.kept("goodbye of an agent"), "$goodbye is carried out")
	from = r.model.count()
	say("$consolidate (nothing)")
	r.is(r.model.sent(`call .consolidate {\\"apply\\": true}`, from), "$consolidate names the tool")
	resume(field(second, "thread_id"), "We agreed to compact this. (nothing)", "-c", "model_auto_compact_token_limit=50")
	r.is(r.model.summaries() > 0, "a compaction happened")

	r.write(".codex/config.toml", strings.Replace(r.read(".codex/config.toml"), "danger-full-access", "workspace-write", 1)+
		"\n[sandbox_workspace_write]\nexclude_slash_tmp = true\nexclude_tmpdir_env_var = true\n")
	from = r.model.count()
	say("In the sandbox. (recall)")
	r.is(r.model.sent("5433 because", from), "the server answers in the sandbox")
	if strings.HasPrefix(r.home, "/dev/") { // the sandbox has a /dev of its own
		r.is(os.Getenv("CI") == "", "with a TMPDIR outside /dev, a command in the sandbox is tried")
		t.Log("a command in the sandbox was not tried: set TMPDIR to a folder outside /dev")
	} else {
		say("In the sandbox. (shell)")
		r.is(r.model.answered("can only be read.*MCP server instead.*port 5433"), "a command in the sandbox reads, and says what to do instead: "+lastRequest(r.model))
	}
	r.removed()
}

func TestGemini(t *testing.T) {
	r := newRig(t, "gemini")
	r.env = append(r.env, "GEMINI_API_KEY=none", "GOOGLE_GEMINI_BASE_URL="+r.model.url, "GEMINI_CLI_TRUST_WORKSPACE=true")
	r.write(".gemini/settings.json", "{\n  \"security\": {\"auth\": {\"selectedType\": \"gemini-api-key\"}},\n  \"privacy\": {\"usageStatisticsEnabled\": false},\n"+
		// Gemini CLI 0.61 takes a session that was resumed in another minute for damaged, and deletes it at its next start.
		"  \"general\": {\"sessionRetention\": {\"enabled\": false}}\n}\n")
	r.install()
	say := func(prompt string, args ...string) string {
		return r.run("gemini", append([]string{"-p", prompt, "-y", "--output-format", "stream-json"}, args...)...)
	}
	r.is(matches(`memory: brainbridge mcp .*Connected`, r.run("gemini", "mcp", "list")), "gemini mcp list shows the server connected")
	first := say("Please set up staging. (first)")
	r.is(!matches(`settings\.json|[Uu]nrecognized key\(s\)|[Ii]nvalid (settings|configuration)`, first), "Gemini CLI takes its settings: "+first)
	r.is(r.model.sent(pushed, 0), "the first request says what brainbridge is")
	r.is(r.model.sent(instructions, 0), "the server's instructions reach the model")
	r.is(r.kept("staging database port") && r.kept("retry budget") && r.kept("flaky test on CI"), "server and shell keep memories in one brain")
	r.is(r.model.answered("nonsense"), "a wrong argument is named in the error")
	r.is(r.sessions(1), "the session is recorded")
	r.brainbridge("config", "set", "hooks.recall", "true")
	r.brainbridge("config", "set", "hooks.heartbeat", "2")
	from := r.model.count()
	r.sleep()
	say("Which port does the staging database use now? (recall)")
	r.is(r.model.sent(known, from), "the second session is told what the first decided")
	r.shows("Gemini CLI", given(r.model.since(from), pushed))
	r.is(r.model.unsent("Memories that may bear on this", from), "with its context the first prompt brings no memory twice")
	from = r.model.count()
	r.brainbridge("learn", "meanwhile", "somebody else learned this")
	say("Is that the port of the staging database? (nothing)", "-r", "latest")
	r.is(r.model.sent("Memories that may bear on this.*staging database port", from), "what fits a later prompt arrives")
	r.is(r.model.unsent("Memories that may bear on this[^<]*flaky test", from), "what does not fit does not")
	r.is(r.model.sent("brainbridge heartbeat", from), "the second prompt has the heartbeat")
	r.is(r.model.sent(news, from) && strings.Count(lastRequest(r.model), pushed) == 1, "a resumed session is told what is new")
	say("/goodbye (goodbye)")
	r.is(r.kept("goodbye of an agent"), "a slash command is one with -p as well")
	r.removed()
}

func TestOpenClaw(t *testing.T) {
	r := newRig(t, "openclaw")
	workspace := filepath.Join(r.home, "workspace")
	r.write("workspace/README.md", "mine\n")
	r.write(".openclaw/openclaw.json", `{
  "models": {
    "mode": "replace",
    "providers": {
      "scripted": {
        "baseUrl": "`+r.model.url+`/v1", "apiKey": "none", "api": "openai-completions",
        "models": [{ "id": "scripted", "name": "scripted", "reasoning": false, "input": ["text"], "cost": { "input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0 }, "contextWindow": 200000, "maxTokens": 8192 }]
      }
    }
  },
  "agents": { "defaults": { "workspace": "`+workspace+`", "model": { "primary": "scripted/scripted" }, "skipBootstrap": true } },
  "gateway": { "mode": "local", "port": 18999, "auth": { "mode": "token", "token": "none" } }
}
`)
	r.install()
	r.is(matches("Config valid", r.run("openclaw", "config", "validate")), "OpenClaw takes its settings")
	r.is(matches("ready.*brainbridge", r.run("openclaw", "skills", "list")), "openclaw skills list has the skill")
	say := func(session, prompt string) {
		r.run("openclaw", "agent", "--local", "--agent", "main", "--session-key", "agent:main:"+session, "--message", prompt, "--json")
	}
	say("s1", "Please set up staging. (first)")
	r.is(r.kept("staging database port") && r.kept("retry budget") && r.kept("flaky test on CI"), "server and shell keep memories in one brain")
	r.is(r.model.answered("nonsense"), "a wrong argument is named in the error")
	r.is(r.model.sent("<name>brainbridge</name>", 0), "the skill is in the prompt")
	r.is(r.model.unsent("<name>goodbye</name>", 0), "a command for the person is not")
	// It has no hooks, so a goodbye records the last 24 hours.
	r.env = append(r.env, "BRAINBRIDGE_NOW="+time.Now().UTC().Add(20*time.Hour).Format(time.RFC3339))
	say("s2", "Which port does the staging database use now? (recall)")
	r.shows("OpenClaw", given([]string{r.model.lastResult("5433")}, `\d{4}-\d\d-\d\d decision: `))
	r.is(r.model.answered("5433"), "the next session can recall it")
	say("s3", "Close it. (goodbye)")
	r.is(r.sessions(1), "goodbye records the session")
	from := r.model.count()
	say("s4", "/goodbye (nothing)")
	r.is(r.model.sent("skills/goodbye/SKILL.md", from), "/goodbye names its skill to the model")
	r.removed()
}
