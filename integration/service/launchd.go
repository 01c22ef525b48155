package service

import (
	"bytes"
	_ "embed" // the template
	"encoding/xml"
	"fmt"
	"strings"
	"text/template"
	"time"
)

//go:embed launchd.plist.tmpl
var launchdAgent string

// Launchd returns the services of a user on macOS. folder is the folder of the
// LaunchAgents of the user, and uid the user id.
func Launchd(folder string, uid int, run Command, now func() time.Time) *Service {
	part := func(i int) func(string) string {
		return func(variable string) string { return strings.SplitN(variable, "=", 2)[i] }
	}
	name := fmt.Sprintf("gui/%d/NAME", uid)
	return &Service{run: run, now: now, folder: folder, manager: manager{
		kind: "launchd", ext: ".plist", comment: "<!-- %s -->",
		name:     func(brain string) string { return "com.github.brainbridge." + brain },
		template: launchdAgent, funcs: template.FuncMap{"text": escaped, "name": part(0), "value": part(1)},
		program:     "launchctl",
		unloads:     true,
		start:       []string{"enable " + name, fmt.Sprintf("bootstrap gui/%d FILE", uid)},
		stop:        []string{"bootout " + name},
		query:       "print " + name,
		state:       agentState,
		unknownText: "Could not find service",
		hint:        "log in at the screen of the machine first; `brainbridge serve` works without launchd",
	}}
}

func escaped(text string) (string, error) {
	var b bytes.Buffer
	err := xml.EscapeText(&b, []byte(text))
	return b.String(), err
}

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
