package service

import (
	"cmp"
	"context"
	_ "embed" // the template
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"text/template"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// Command runs a program and returns all its output; [exec.ErrNotFound] if there is none.
type Command func(ctx context.Context, name string, args ...string) (output string, err error)

// manager describes a service manager. Its commands have NAME for the service, FILE for its file.
type manager struct {
	kind     string
	name     func(brain string) string // of the service
	ext      string                    // of the file, after the name of the service
	comment  string                    // format of a comment in the file
	template string                    // of the file
	funcs    template.FuncMap

	program string
	unloads bool     // it does not read a file again, and cannot stop what is not loaded
	start   []string // to load the file, and run the service now and at each login
	stop    []string // to end the service; systemd then does not start it at login either
	reload  []string // after the file was removed
	query   string   // for the state
	state   func(output string) State
	// unknownText is in the output of a query that fails for a service that is not loaded.
	unknownText string
	hint        string // for a command that fails
}

func (m manager) render(spec Spec) (string, error) {
	t := template.Must(template.New(m.kind).Funcs(m.funcs).Parse(m.template))
	var b strings.Builder
	err := t.Execute(&b, struct {
		Spec
		Label string
	}{spec, m.name(spec.Brain)})
	return b.String(), err
}

// ask gives commands to the manager, and returns the output of the last.
func (s *Service) ask(ctx context.Context, at Location, commands ...string) (output string, err error) {
	for _, command := range commands {
		args := strings.Fields(command)
		for i, arg := range args {
			args[i] = strings.NewReplacer("NAME", at.Name, "FILE", at.File).Replace(arg)
		}
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

// state returns the state of a service.
func (s *Service) state(ctx context.Context, at Location) (State, error) {
	output, err := s.ask(ctx, at, s.manager.query)
	if unknown := s.manager.unknownText; err != nil && unknown != "" && strings.Contains(output, unknown) {
		return State{Detail: "not loaded"}, nil
	}
	if err != nil {
		return State{}, err
	}
	return s.manager.state(output), nil
}

func (s *Service) start(ctx context.Context, at Location) error {
	if s.manager.unloads {
		if err := s.stop(ctx, at); err != nil {
			return err
		}
	}
	_, err := s.ask(ctx, at, s.manager.start...)
	return err
}

func (s *Service) stop(ctx context.Context, at Location) error {
	if s.manager.unloads {
		if st, err := s.state(ctx, at); err != nil || !st.Loaded {
			return err
		}
	}
	_, err := s.ask(ctx, at, s.manager.stop...)
	return err
}

//go:embed systemd.service.tmpl
var systemdUnit string

// Systemd returns the service manager of a user on Linux, with the folder of its units.
func Systemd(folder, account string, run Command, now func() time.Time) *Service {
	return &Service{run: run, now: now, folder: folder, account: account, manager: manager{
		kind: "systemd", name: unit, comment: "# %s",
		template: systemdUnit, funcs: template.FuncMap{"path": quoted, "argument": argument, "quoted": quoted},
		program: "systemctl",
		start: []string{
			"--user daemon-reload", "--user enable NAME",
			"--user restart NAME",
		},
		stop:   []string{"--user disable --now NAME"},
		reload: []string{"--user daemon-reload"},
		query:  "--user show --property=LoadState,ActiveState,SubState,UnitFileState NAME",
		state:  unitState,
		hint: "systemd has no user manager for you here: log in, or let it run without a login with `loginctl enable-linger " + account +
			"`; `brainbridge serve` works without systemd",
	}}
}

// unit returns the name of the unit of a brain.
func unit(brain string) string {
	if brain == "default" {
		return "brainbridge.service"
	}
	return "brainbridge-" + brain + ".service"
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

// Launchd returns the service manager of a user on macOS, with its LaunchAgents folder.
func Launchd(folder string, uid int, run Command, now func() time.Time) *Service {
	name := fmt.Sprintf("gui/%d/NAME", uid)
	return &Service{run: run, now: now, folder: folder, manager: manager{
		kind: "launchd", ext: ".plist", comment: "<!-- %s -->",
		name:     func(brain string) string { return "com.github.brainbridge." + brain },
		template: launchdAgent, funcs: template.FuncMap{"assigned": func(s string) []string { return strings.SplitN(s, "=", 2) }},
		program:     "launchctl",
		unloads:     true,
		start:       []string{"enable " + name, fmt.Sprintf("bootstrap gui/%d FILE", uid)},
		stop:        []string{"bootout " + name},
		query:       "print " + name,
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
