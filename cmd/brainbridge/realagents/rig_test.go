package realagents

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// agentsVariable names the folder in which npm has put the agents; see
// scripts/agents/fetch.sh.
const agentsVariable = "BRAINBRIDGE_TEST_AGENTS"

// program is the folder of the program under test.
var program string

func TestMain(m *testing.M) {
	code := func() int {
		if os.Getenv(agentsVariable) == "" {
			return m.Run() // which skips
		}
		dir, err := os.MkdirTemp("", "brainbridge-agents")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir) //nolint:errcheck // it is a temporary folder
		program = dir
		build := exec.Command("go", "build", "-o", filepath.Join(dir, "brainbridge"), "..")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			panic(string(out))
		}
		return m.Run()
	}()
	os.Exit(code)
}

// rig is a machine with one agent, brainbridge, and a project, without a network.
type rig struct {
	t       *testing.T
	agent   string
	home    string
	brain   string // BRAINBRIDGE_HOME
	project string
	env     []string
	model   *model
	// installed is what install said.
	installed string
	day       time.Time
	prompts   []string // what the agent was asked
}

// patience is how long a run of an agent may take before the test gives up.
const patience = 3 * time.Minute

func newRig(t *testing.T, agent string) *rig {
	npm := os.Getenv(agentsVariable)
	if npm == "" {
		t.Skip(agentsVariable + " is not set; use `make agents`")
	}
	t.Parallel()
	top := t.TempDir()
	r := &rig{
		t: t, agent: agent, home: filepath.Join(top, "home"), brain: filepath.Join(top, "brain"),
		project: filepath.Join(top, "shop"), model: newModel(t, tasks()), day: time.Now(),
	}
	// The hook at the end of a session hands its work to a process that outlives the agent.
	t.Cleanup(func() {
		look := time.NewTicker(50 * time.Millisecond)
		defer look.Stop()
		for r.isUsed() {
			<-look.C
		}
	})
	bin := filepath.Join(npm, "node_modules", ".bin")
	path := program + ":" + bin + ":" + os.Getenv("PATH")
	r.env = []string{
		"HOME=" + r.home, "BRAINBRIDGE_HOME=" + r.brain, "PATH=" + path, "LANG=C.UTF-8", "TERM=dumb", "SHELL=/bin/bash", "TMPDIR=" + top,
		"NO_PROXY=*",
	}
	for _, dir := range []string{r.home, r.project} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	r.write(".profile", "export PATH="+path+"\n") // of a login shell of the agent
	r.run("git", "init", "-q", ".")
	return r
}

// isUsed reports whether a process of the brain runs. Without /proc there is none to see.
func (r *rig) isUsed() bool {
	environs, _ := filepath.Glob("/proc/[0-9]*/environ")
	return slices.ContainsFunc(environs, func(path string) bool {
		environ, err := os.ReadFile(path)
		return err == nil && strings.Contains(string(environ), "BRAINBRIDGE_HOME="+r.brain+"\x00")
	})
}

// write writes a file of the home folder.
func (r *rig) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// read returns a file of the home folder.
func (r *rig) read(name string) string {
	r.t.Helper()
	data, err := os.ReadFile(filepath.Join(r.home, name))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(data)
}

// run runs a command in the project, and returns both of its outputs. An agent that fails
// is told by what is missing afterwards.
func (r *rig) run(name string, args ...string) string {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), patience)
	defer cancel()
	c := exec.CommandContext(ctx, name, args...)
	c.Dir, c.Env = r.project, r.env
	if asked := prompt(args); asked != "" {
		r.prompts = append(r.prompts, asked)
	}
	if lookup := r.which(name); lookup != "" {
		c.Path, c.Err = lookup, nil
	}
	file, err := os.Create(filepath.Join(r.t.TempDir(), "out")) // a process that an agent leaves behind would hold a pipe
	if err != nil {
		r.t.Fatal(err)
	}
	c.Stdout, c.Stderr = file, file
	err = c.Run()
	data, failed := os.ReadFile(file.Name())
	if failed = errors.Join(failed, file.Close()); failed != nil {
		r.t.Fatal(failed)
	}
	out := string(data)
	if ctx.Err() != nil {
		r.t.Errorf("%s %s did not end:\n%s\nthe last request of %d was\n%s", name, strings.Join(args, " "), tail(out), r.model.count(), tail(lastRequest(r.model)))
	} else if err != nil {
		r.t.Logf("%s %s: %v\n%s", name, strings.Join(args, " "), err, tail(out))
	}
	return out
}

// which returns the path of a program in the rig's PATH.
func (r *rig) which(name string) string {
	for _, v := range r.env {
		if list, ok := strings.CutPrefix(v, "PATH="); ok {
			for _, dir := range filepath.SplitList(list) {
				path := filepath.Join(dir, name)
				if info, err := os.Stat(path); err == nil && info.Mode()&0o100 != 0 {
					return path
				}
			}
		}
	}
	return ""
}

// tail is the end of an output.
func tail(s string) string { return s[max(0, len(s)-2000):] }

// brainbridge runs the program under test.
func (r *rig) brainbridge(args ...string) string {
	r.t.Helper()
	return r.run("brainbridge", args...)
}

// is reports a failure unless something holds.
func (r *rig) is(holds bool, what string) {
	r.t.Helper()
	if !holds {
		r.t.Error("not so: " + what)
	}
}

// kept reports whether a memory has a match of a pattern.
func (r *rig) kept(pattern string) bool {
	r.t.Helper()
	return matches(pattern, r.brainbridge("list", "--all"))
}

func matches(pattern, text string) bool {
	return regexp.MustCompile("(?ms)" + pattern).MatchString(text)
}

// sessions reports whether at least so many sessions were recorded. The end of one is
// recorded in the background.
func (r *rig) sessions(atLeast int) bool {
	r.t.Helper()
	for tick, tries := time.NewTicker(100*time.Millisecond), 100; tries > 0; tries-- {
		if strings.Count(r.brainbridge("list", "--sources", "Activity", "-q"), "\n") >= atLeast {
			return true
		}
		<-tick.C
	}
	return false
}

// install sets the agent up twice and takes it back in a copy of the home folder, then
// sets it up.
func (r *rig) install() {
	r.t.Helper()
	before := r.files()
	r.brainbridge("install", r.agent)
	again := r.brainbridge("install", r.agent)
	r.is(strings.Contains(again, "as it should be"), "a second installation changes nothing: "+again)
	r.brainbridge("uninstall", r.agent, "--yes")
	after := r.files()
	for name, text := range before {
		r.is(after[name] == text, name+" is byte for byte as before")
	}
	for name := range after {
		_, was := before[name]
		r.is(was, name+" was there before")
	}
	r.installed = r.brainbridge("install", r.agent)
}

// files returns what is in the home folder: folders and links have no text.
func (r *rig) files() map[string]string {
	r.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(r.home, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			all[path] = ""
			return err
		}
		data, err := os.ReadFile(path)
		all[path] = string(data)
		return err
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return all
}

// removed reports what is wrong with the transcript of the sessions, and what an
// installation has left after its removal, but for what the agent has written down.
func (r *rig) removed() {
	r.t.Helper()
	r.transcribed()
	r.brainbridge("uninstall", r.agent, "--yes")
	for name, text := range r.files() {
		if regexp.MustCompile(`\.(jsonl|sqlite.*|log)$|/(backups|tmp)/`).MatchString(name) {
			continue
		}
		ours := strings.Contains(text, "brainbridge hook") || strings.Contains(text, `"brainbridge", "args"`) || strings.Contains(text, "written by brainbridge install")
		r.is(!ours, name+" has nothing of brainbridge")
	}
	r.is(!strings.Contains(r.brainbridge("health"), "hooks.log"), "no hook failed")
}

// tasks are what the model does when a prompt names one.
func tasks() map[string][]step {
	return map[string][]step{
		"first": {
			{Tool: "remember", Args: map[string]any{
				"content": "The staging database listens on port 5433 because the old cluster holds 5432.", "name": "staging database port", "type": "decision",
			}},
			{Tool: "recall", Args: map[string]any{"query": "staging database port"}},
			{Tool: "remember", Args: map[string]any{"type": "lesson", "name": "retry budget", "content": "a retry budget of 10 percent stops the thundering herd"}},
			{Tool: "recall", Args: map[string]any{"nonsense": true}},
			{Shell: "brainbridge crystallize 'flaky test on CI' 'pin the clock before blaming the network'"},
			{Shell: "printenv BRAINBRIDGE_SESSION"},
			{Say: "We decided to put the staging database on port 5433."},
		},
		"recall":  {{Tool: "recall", Args: map[string]any{"query": "staging database port"}}, {Say: "Port 5433."}},
		"nothing": {{Say: "Done."}},
		"shell":   {{Shell: "brainbridge recall staging database port"}, {Say: "Port 5433."}},
		"goodbye": {
			{Tool: "remember", Args: map[string]any{"type": "lesson", "name": "goodbye of an agent", "content": "the session was ended by its command"}},
			{Shell: "brainbridge goodbye"},
			{Say: "Bye."},
		},
	}
}
