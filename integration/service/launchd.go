package service

import (
	_ "embed" // the template
	"fmt"
	"strings"
	"text/template"
	"time"
)

//go:embed launchd.plist.tmpl
var launchdAgent string

// Launchd returns the service manager of a user on macOS. folder is the user's
// LaunchAgents folder.
func Launchd(folder string, uid int, run Command, now func() time.Time) *Service {
	name := fmt.Sprintf("gui/%d/NAME", uid)
	return &Service{run: run, now: now, folder: folder, manager: manager{
		kind: "launchd", ext: ".plist", comment: "<!-- %s -->",
		name:     func(brain string) string { return "com.github.brainbridge." + brain },
		template: launchdAgent, funcs: template.FuncMap{"name": variableName, "value": variableValue},
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

func variableName(variable string) string {
	name, _, _ := strings.Cut(variable, "=")
	return name
}

func variableValue(variable string) string {
	_, value, _ := strings.Cut(variable, "=")
	return value
}

// agentState reads the output of `launchctl print` for a loaded agent. Loading one
// enables it first.
func agentState(output string) State {
	st := State{Loaded: true, Enabled: true, Detail: "loaded"}
	for line := range strings.Lines(output) {
		if state, ok := strings.CutPrefix(strings.TrimSpace(line), "state = "); ok {
			st.Detail, st.Active = state, state == "running"
			break
		}
	}
	return st
}
