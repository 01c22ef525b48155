package service

import (
	"cmp"
	"context"
	_ "embed" // the template
	"errors"
	"os/exec"
	"strings"
	"text/template"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

//go:embed systemd.service.tmpl
var systemdUnit string

// Command runs a program to its end and returns its output and error output. If
// there is no such program it is [exec.ErrNotFound].
type Command func(ctx context.Context, name string, args ...string) (output string, err error)

// Systemd returns the services of a user on Linux. folder is the folder of the units
// of the user, and account the user name.
func Systemd(folder, account string, run Command, now func() time.Time) *Service {
	return &Service{manager: systemd{run, account}, kind: "systemd", name: unit, folder: folder, comment: "# %s", now: now}
}

type systemd struct {
	run     Command
	account string
}

// unit returns the name of the unit of a brain.
func unit(brain string) string {
	if brain == "default" {
		return "brainbridge.service"
	}
	return "brainbridge-" + brain + ".service"
}

func (systemd) render(spec Spec) (string, error) {
	t, err := template.New("unit").Funcs(template.FuncMap{
		"path": quoted, "argument": argument, "quoted": quoted,
	}).Parse(systemdUnit)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = t.Execute(&b, spec)
	return b.String(), err
}

// quoted returns text as one word of a unit, with specifiers and escapes quoted
// (systemd.syntax(7), systemd.unit(5)).
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `%`, `%%`).Replace(text) + `"`
}

// argument returns text as a word after the program, where $ is quoted too
// (systemd.service(5)).
func argument(text string) string { return strings.ReplaceAll(quoted(text), "$", "$$") }

func (s systemd) start(ctx context.Context, name, _ string) error {
	for _, args := range [][]string{
		{"daemon-reload"},
		{"enable", name},
		{"restart", "--no-block", name}, // the daemon may wait for the store
	} {
		if _, err := s.ask(ctx, args...); err != nil {
			return err
		}
	}
	return nil
}

func (s systemd) stop(ctx context.Context, name string) error {
	_, err := s.ask(ctx, "disable", "--now", name)
	return err
}

func (s systemd) removed(ctx context.Context) error {
	_, err := s.ask(ctx, "daemon-reload")
	return err
}

func (s systemd) state(ctx context.Context, name string) (State, error) {
	out, err := s.ask(ctx, "show", "--property=LoadState,ActiveState,SubState,UnitFileState", name)
	if err != nil {
		return State{}, err
	}
	p := properties(out)
	return State{
		Loaded: p["LoadState"] == "loaded", Enabled: p["UnitFileState"] == "enabled",
		Active: p["ActiveState"] == "active" || p["ActiveState"] == "activating" || p["ActiveState"] == "reloading",
		Detail: strings.TrimSpace(cmp.Or(p["ActiveState"], "unknown") + " " + p["SubState"]),
	}, nil
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

func (s systemd) linger(ctx context.Context) *bool {
	out, err := s.run(ctx, "loginctl", "show-user", "--property=Linger", s.account)
	on, known := properties(out)["Linger"]
	if err != nil || !known { // loginctl does not know users without a session
		return nil
	}
	yes := on == "yes"
	return &yes
}

func (s systemd) ask(ctx context.Context, args ...string) (string, error) {
	args = append([]string{"--user"}, args...)
	out, err := s.run(ctx, "systemctl", args...)
	return out, refused("systemctl", args, out, err,
		"systemd has no user manager for you here: log in, or let it run without a login with `loginctl enable-linger "+s.account+
			"`; `brainbridge serve` works without systemd")
}

// refused returns the error of a manager that did not do what it was asked.
func refused(program string, args []string, said string, err error, hint string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, exec.ErrNotFound):
		return brain.Errorf(brain.ErrUnavailable, "start `brainbridge serve` with the service manager of this system", "there is no %s here", program)
	case said == "":
		said = err.Error()
	}
	return brain.Errorf(brain.ErrUnavailable, hint, "%s %s: %s", program, strings.Join(args, " "), plaintext.OneLine(said))
}
