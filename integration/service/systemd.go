package service

import (
	"cmp"
	_ "embed" // the template
	"strings"
	"text/template"
	"time"
)

//go:embed systemd.service.tmpl
var systemdUnit string

// Systemd returns the service manager of a user on Linux. folder is the user's folder
// of units, and account the user name.
func Systemd(folder, account string, run Command, now func() time.Time) *Service {
	return &Service{run: run, now: now, folder: folder, account: account, manager: manager{
		kind: "systemd", name: unit, comment: "# %s",
		template: systemdUnit, funcs: template.FuncMap{"path": quoted, "argument": argument, "quoted": quoted},
		program: "systemctl",
		start: []string{
			"--user daemon-reload", "--user enable NAME",
			"--user restart --no-block NAME", // the daemon may wait for the store
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

// quoted returns text as one word of a unit, with specifiers and escapes quoted
// (systemd.syntax(7), systemd.unit(5)).
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `%`, `%%`).Replace(text) + `"`
}

// argument returns text as a word after the program, where $ is quoted too
// (systemd.service(5)).
func argument(text string) string { return strings.ReplaceAll(quoted(text), "$", "$$") }

func unitState(output string) State {
	p := properties(output)
	return State{
		Loaded: p["LoadState"] == "loaded", Enabled: p["UnitFileState"] == "enabled",
		Active: p["ActiveState"] == "active" || p["ActiveState"] == "activating" || p["ActiveState"] == "reloading",
		Detail: strings.TrimSpace(cmp.Or(p["ActiveState"], "unknown") + " " + p["SubState"]),
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
