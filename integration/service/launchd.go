package service

import (
	"bytes"
	"context"
	_ "embed" // the template
	"encoding/xml"
	"strconv"
	"strings"
	"text/template"
	"time"
)

//go:embed launchd.plist.tmpl
var launchdAgent string

// label returns the label of the service of a brain.
func label(brain string) string { return "com.github.brainbridge." + brain }

// Launchd returns the services of a user on macOS. folder is the folder of the
// LaunchAgents of the user, and uid the user id.
func Launchd(folder string, uid int, run Command, now func() time.Time) *Service {
	return &Service{
		manager: launchd{run, "gui/" + strconv.Itoa(uid)}, kind: "launchd", name: label,
		folder: folder, ext: ".plist", comment: "<!-- %s -->", now: now,
	}
}

type launchd struct {
	run    Command
	domain string
}

func (launchd) render(spec Spec) (string, error) {
	part := func(i int) func(string) string {
		return func(variable string) string { return strings.SplitN(variable, "=", 2)[i] }
	}
	t, err := template.New("agent").Funcs(template.FuncMap{"text": escaped, "name": part(0), "value": part(1)}).Parse(launchdAgent)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = t.Execute(&b, struct {
		Spec
		Label string
	}{spec, label(spec.Brain)})
	return b.String(), err
}

func escaped(text string) (string, error) {
	var b bytes.Buffer
	err := xml.EscapeText(&b, []byte(text))
	return b.String(), err
}

// start unloads the service first: launchd does not read a file again.
func (l launchd) start(ctx context.Context, name, path string) error {
	if err := l.stop(ctx, name); err != nil {
		return err
	}
	if _, err := l.ask(ctx, "enable", l.domain+"/"+name); err != nil {
		return err
	}
	_, err := l.ask(ctx, "bootstrap", l.domain, path)
	return err
}

func (l launchd) stop(ctx context.Context, name string) error {
	st, err := l.state(ctx, name)
	if err != nil || !st.Loaded {
		return err
	}
	_, err = l.ask(ctx, "bootout", l.domain+"/"+name)
	return err
}

func (launchd) removed(context.Context) error { return nil } // launchd knows already

// notLoaded is in the output of `launchctl print` for an unknown service.
const notLoaded = "Could not find service"

func (l launchd) state(ctx context.Context, name string) (State, error) {
	out, err := l.ask(ctx, "print", l.domain+"/"+name)
	if err != nil && strings.Contains(out, notLoaded) {
		return State{Detail: "not loaded"}, nil
	}
	if err != nil {
		return State{}, err
	}
	st := State{Loaded: true, Enabled: true, Detail: "loaded"}
	for line := range strings.Lines(out) {
		if state, ok := strings.CutPrefix(strings.TrimSpace(line), "state = "); ok {
			st.Detail, st.Active = state, state == "running"
			break
		}
	}
	return st, nil
}

func (launchd) linger(context.Context) *bool { return nil } // an agent runs only during a login

func (l launchd) ask(ctx context.Context, args ...string) (string, error) {
	out, err := l.run(ctx, "launchctl", args...)
	return out, refused("launchctl", args, out, err, "log in at the screen of the machine first; `brainbridge serve` works without launchd")
}
