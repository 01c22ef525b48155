package service

import (
	"cmp"
	"context"
	_ "embed" // the template
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"text/template"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// runFunc runs a program and returns all its output; [exec.ErrNotFound] if there is none.
type runFunc func(ctx context.Context, name string, args ...string) (output string, err error)

// manager describes how a service manager handles one service.
type manager struct {
	comment  string // format of a comment in the file
	template string // of the file
	funcs    template.FuncMap

	program string
	unloads bool      // it does not read a file again, and cannot stop what is not loaded
	start   []command // to load the file, and run the service now and at each login
	stop    []command // to end the service; systemd then does not start it at login either
	reload  []command // after the file was removed
	query   command   // for the state
	state   func(output string) State
	// unknownText is in the output of a query that fails for a service that is not loaded.
	unknownText string
	hint        string // for a command that fails
}

// command has the arguments of one call of the manager.
type command []string

func (s *Service) render(spec Spec) (string, error) {
	t := template.Must(template.New(s.Manager).Funcs(s.manager.funcs).Parse(s.manager.template))
	var b strings.Builder
	err := t.Execute(&b, struct {
		Spec
		Brain, Name string
	}{spec, s.brain, s.Name})
	return b.String(), err
}

// ask gives commands to the manager, and returns the output of the last.
func (s *Service) ask(ctx context.Context, commands ...command) (output string, err error) {
	for _, args := range commands {
		output, err = s.run(ctx, s.manager.program, args...)
		if errors.Is(err, exec.ErrNotFound) {
			return "", brain.Errorf(brain.ErrUnavailable, "start `brainbridge serve` with the service manager of this system", "there is no %s here", s.manager.program)
		}
		if err != nil {
			said := plaintext.OneLine(cmp.Or(output, err.Error()))
			return output, brain.Errorf(brain.ErrUnavailable, s.manager.hint, "%s %s: %s", s.manager.program, strings.Join(args, " "), said)
		}
	}
	return output, nil
}

// state returns the state of the service.
func (s *Service) state(ctx context.Context) (State, error) {
	output, err := s.ask(ctx, s.manager.query)
	if unknown := s.manager.unknownText; err != nil && unknown != "" && strings.Contains(output, unknown) {
		return State{Detail: "not loaded"}, nil
	}
	if err != nil {
		return State{}, err
	}
	return s.manager.state(output), nil
}

func (s *Service) start(ctx context.Context) error {
	if s.manager.unloads {
		if err := s.stop(ctx); err != nil {
			return err
		}
	}
	_, err := s.ask(ctx, s.manager.start...)
	return err
}

func (s *Service) stop(ctx context.Context) error {
	if s.manager.unloads {
		if st, err := s.state(ctx); err != nil || !st.Loaded {
			return err
		}
	}
	_, err := s.ask(ctx, s.manager.stop...)
	return err
}

//go:embed systemd.service.tmpl
var systemdUnit string

// systemd returns the unit of a brain for a user on Linux, in the folder of the units.
func systemd(folder, account, brainName string, run runFunc, now func() time.Time) *Service {
	name := "brainbridge-" + brainName + ".service"
	if brainName == "default" {
		name = "brainbridge.service"
	}
	reload := command{"--user", "daemon-reload"}
	return &Service{Location: Location{"systemd", name, filepath.Join(folder, name)}, brain: brainName, account: account, run: run, now: now, manager: manager{
		comment: "# %s", template: systemdUnit, funcs: template.FuncMap{"argument": argument, "quoted": quoted},
		program: "systemctl",
		start:   []command{reload, {"--user", "enable", name}, {"--user", "restart", name}},
		stop:    []command{{"--user", "disable", "--now", name}},
		reload:  []command{reload},
		query:   command{"--user", "show", "--property=LoadState,ActiveState,SubState,UnitFileState", name},
		state:   unitState,
		hint: "systemd has no user manager for you here: log in, or let it run without a login with `loginctl enable-linger " + account +
			"`; `brainbridge serve` works without systemd",
	}}
}

// quoted returns text as one word of a unit (systemd.syntax(7), systemd.unit(5)).
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `%`, `%%`).Replace(text) + `"`
}

// argument returns text as a word after the program, with $ quoted (systemd.service(5)).
func argument(text string) string { return strings.ReplaceAll(quoted(text), "$", "$$") }

func unitState(output string) State {
	p := properties(output)
	return State{
		Loaded: p["LoadState"] == "loaded", Enabled: p["UnitFileState"] == "enabled",
		Active: p["ActiveState"] == "active" || p["ActiveState"] == "activating" || p["ActiveState"] == "reloading",
		Detail: brain.OrNull(strings.TrimSpace(cmp.Or(p["ActiveState"], "unknown") + " " + p["SubState"])),
	}
}

// properties reads lines of NAME=VALUE.
func properties(text string) map[string]string {
	p := map[string]string{}
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			p[name] = value
		}
	}
	return p
}

//go:embed launchd.plist.tmpl
var launchdAgent string

// launchd returns the agent of a brain for a user on macOS, in the LaunchAgents folder.
func launchd(folder string, uid int, brainName string, run runFunc, now func() time.Time) *Service {
	name := "com.github.brainbridge." + brainName
	file := filepath.Join(folder, name+".plist")
	domain := fmt.Sprintf("gui/%d", uid)
	target := domain + "/" + name
	return &Service{Location: Location{"launchd", name, file}, brain: brainName, run: run, now: now, manager: manager{
		comment: "<!-- %s -->", template: launchdAgent,
		funcs:       template.FuncMap{"assigned": func(s string) []string { return strings.SplitN(s, "=", 2) }},
		program:     "launchctl",
		unloads:     true,
		start:       []command{{"enable", target}, {"bootstrap", domain, file}},
		stop:        []command{{"bootout", target}},
		query:       command{"print", target},
		state:       agentState,
		unknownText: "Could not find service",
		hint:        "log in to the desktop of this Mac first; `brainbridge serve` works without launchd",
	}}
}

// agentState reads the output of `launchctl print` for a loaded, so an enabled agent.
func agentState(output string) State {
	st := State{Loaded: true, Enabled: true, Detail: "loaded"}
	for line := range strings.Lines(output) {
		if state, ok := strings.CutPrefix(strings.TrimSpace(line), "state = "); ok {
			st.Detail, st.Active = brain.OrNull(state), state == "running"
			break
		}
	}
	return st
}
