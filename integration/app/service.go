package app

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/agents"
	"github.com/brainbridge/brainbridge/integration/daemon"
	"github.com/brainbridge/brainbridge/integration/service"
)

// InstallServiceAnswer is the service that was installed.
type InstallServiceAnswer struct {
	service.Location
	service.Plan
	KeptAside brain.OrNull `json:"keptAside"`
	Linger    *bool        `json:"linger"`
}

// InstallService installs the daemon of the brain as a service that starts at login, with
// the settings of this process.
func (u *UseCases) InstallService(ctx context.Context) (InstallServiceAnswer, error) {
	if err := u.RequireBrain(ctx); err != nil {
		return InstallServiceAnswer{}, err
	}
	s, err := service.New(u.app.o.Env, u.app.o.Now)
	if err != nil {
		return InstallServiceAnswer{}, err
	}
	spec, err := u.serviceSpec()
	if err != nil {
		return InstallServiceAnswer{}, err
	}
	l := u.app.o.Settings
	u.warnOfPassword("the service")
	var p service.Plan
	var kept string
	if u.caller.DryRun {
		p, err = s.Plan(spec)
	} else if err = otherDaemon(ctx, s, l); err == nil {
		p, kept, err = s.Install(ctx, spec)
	}
	if err != nil {
		return InstallServiceAnswer{}, err
	}
	return InstallServiceAnswer{s.Location(l.Config.Brain), p, brain.OrNull(kept), s.Linger(ctx)}, nil
}

// warnOfPassword warns that the password in the environment is not passed on.
func (u *UseCases) warnOfPassword(who string) {
	if u.app.o.Env("BRAINBRIDGE_NEO4J_PASSWORD") != "" && u.app.o.Settings.Config.Neo4j.PasswordFile == "" {
		u.warn(who + " is not given BRAINBRIDGE_NEO4J_PASSWORD: put the password into a file of your own " +
			"and name it with `brainbridge config set neo4j.password_file FILE`")
	}
}

// otherDaemon is the error for a running daemon that is not the service, because the
// service could not start.
func otherDaemon(ctx context.Context, s *service.Service, l config.Loaded) error {
	if !daemon.In(l.Paths.State).Runs() {
		return nil
	}
	if st, err := s.Status(ctx, l.Config.Brain); err == nil && st.Active {
		return nil
	}
	return brain.Errorf(brain.ErrBusy, "stop it first, then install the service",
		"a daemon of the brain %s is running already, and not as this service", l.Config.Brain)
}

// UninstallServiceAnswer is the service that was uninstalled.
type UninstallServiceAnswer struct {
	service.Location
	KeptAside brain.OrNull `json:"keptAside"`
}

// UninstallService stops the daemon that runs as a service, and removes the
// service. Without one it is [brain.ErrNotFound].
func (u *UseCases) UninstallService(ctx context.Context) (UninstallServiceAnswer, error) {
	s, err := service.New(u.app.o.Env, u.app.o.Now)
	if err != nil {
		return UninstallServiceAnswer{}, err
	}
	name := u.app.o.Settings.Config.Brain
	kept, err := s.Uninstall(ctx, name, u.caller.DryRun)
	return UninstallServiceAnswer{s.Location(name), brain.OrNull(kept)}, err
}

// ServiceAnswer describes the service of the brain.
type ServiceAnswer struct {
	service.Location
	service.Status

	Daemon *daemon.State `json:"-"` // nil if none runs
}

// Service describes the service of the brain.
func (u *UseCases) Service(ctx context.Context) (ServiceAnswer, error) {
	s, err := service.New(u.app.o.Env, u.app.o.Now)
	if err != nil {
		return ServiceAnswer{}, err
	}
	name := u.app.o.Settings.Config.Brain
	st, err := s.Status(ctx, name)
	return ServiceAnswer{s.Location(name), st, u.app.daemon().State()}, err
}

// serviceSpec returns the command with which a service starts the daemon. It uses the
// settings of this process in any folder and environment.
func (u *UseCases) serviceSpec() (service.Spec, error) {
	l := u.app.o.Settings
	program, err := os.Executable()
	if err != nil {
		return service.Spec{}, err
	}
	env, err := u.serviceEnv()
	return service.Spec{
		Brain: l.Config.Brain, Program: program, Args: append(u.flags(config.FromFlag, config.FromEnvironment), "--quiet", "serve"),
		Env: env, Log: filepath.Join(l.Paths.State, "service.log"),
	}, err
}

// serviceEnv returns the variables for the daemon as a service, each as NAME=value.
func (u *UseCases) serviceEnv() ([]string, error) {
	variables, err := u.variables()
	for _, name := range config.AgentFolders() { // for the sessions there
		if value := u.app.o.Env(name); err == nil && value != "" {
			variables[name] = value
		}
	}
	return brain.Map(slices.Sorted(maps.Keys(variables)), func(name string) string { return name + "=" + variables[name] }), err
}

// variables returns the part of the environment of this process that another process
// needs to use the same brain: where settings and data are, the time zone, and
// settings; never a password.
func (u *UseCases) variables() (map[string]string, error) {
	all := map[string]string{}
	for _, name := range agents.Variables() {
		value := u.app.o.Env(name)
		if name == "BRAINBRIDGE_HOME" && value != "" {
			var err error
			if value, err = filepath.Abs(value); err != nil {
				return nil, err
			}
		}
		if value != "" {
			all[name] = value
		}
	}
	for _, s := range u.app.o.Settings.Settings() {
		if s.Origin == config.FromEnvironment {
			all["BRAINBRIDGE_"+strings.ToUpper(strings.ReplaceAll(s.Key, ".", "_"))] = s.Value
		}
	}
	return all, nil
}

// Flags returns the global flags of this process, each as one word that is valid
// in any folder: --brain=work.
func (u *UseCases) Flags() []string { return u.flags(config.FromFlag) }

// flags returns the global flags with which another process uses the same brain,
// for the settings that come from one of these origins.
func (u *UseCases) flags(from ...config.Origin) []string {
	l := u.app.o.Settings
	var all []string
	for _, f := range [][2]string{{"brain", l.Config.Brain}, {"config", l.Paths.ConfigFile}, {"store", l.Config.Store}} {
		if slices.Contains(from, l.Origin[f[0]]) {
			all = append(all, "--"+f[0]+"="+f[1])
		}
	}
	return all
}

// InstallAnswer lists the changes to the settings of an agent.
type InstallAnswer struct {
	Agent string `json:"agent"`
	Scope string `json:"scope"`
	agents.Plan
}

// InstallsAnswer has the changes for one agent or several.
type InstallsAnswer []InstallAnswer

// Document returns the answer of one agent by itself.
func (a InstallsAnswer) Document() any {
	if len(a) == 1 {
		return a[0]
	}
	return map[string]any{"agents": []InstallAnswer(a)}
}

// Install sets agents up, for the user or in a project: [agents.UserScope] or
// [agents.ProjectScope]. If one of them cannot be set up, nothing is changed.
func (u *UseCases) Install(ctx context.Context, scope string, names ...string) (all InstallsAnswer, err error) {
	if err := u.RequireBrain(ctx); err != nil {
		return nil, err
	}
	all, err = u.setUpAll(agents.Setup{Scope: scope}, agents.Install, names)
	if hint := PathHint(); hint != "" && len(all) > 0 {
		last := &all[len(all)-1]
		last.Next = append(last.Next, hint)
	}
	return all, err
}

// AgentsFound returns the agents that are installed for this user.
func (u *UseCases) AgentsFound() []string { return agents.Found(u.app.o.Env("HOME"), u.app.o.Env) }

// Uninstall reverts the setup of agents, or of all that are set up if none are named. It
// removes the backups of their settings unless keepBackups is set. If one of them cannot be
// reverted, nothing is changed.
func (u *UseCases) Uninstall(scope string, keepBackups bool, names ...string) (InstallsAnswer, error) {
	s := agents.Setup{Scope: scope, KeepBackups: keepBackups}
	if len(names) > 0 {
		return u.setUpAll(s, agents.Uninstall, names)
	}
	names = agents.All()
	if scope == agents.ProjectScope {
		names = slices.DeleteFunc(names, func(name string) bool { return name == agents.OpenClaw }) // it has no such settings
	}
	all, err := u.setUpAll(s, agents.Uninstall, names)
	return slices.DeleteFunc(all, func(a InstallAnswer) bool { return len(a.Changes) == 0 }), err
}

// setUpAll sets agents up, or reverts that.
func (u *UseCases) setUpAll(s agents.Setup, plan func(agents.Setup) (agents.Plan, error), names []string) (all InstallsAnswer, err error) {
	for _, u := range []*UseCases{u.Dry(), u} {
		all = InstallsAnswer{}
		for _, s.Agent = range names {
			done, err := u.setUp(s, plan)
			if err != nil {
				return nil, err
			}
			all = append(all, done)
		}
	}
	return all, nil
}

func (u *UseCases) setUp(s agents.Setup, plan func(agents.Setup) (agents.Plan, error)) (InstallAnswer, error) {
	s.Env, s.Home, s.Flags = u.app.o.Env, u.app.o.Env("HOME"), u.Flags()
	var err error
	if s.Project, err = os.Getwd(); err != nil {
		return InstallAnswer{}, fmt.Errorf("find the project: %w", err)
	}
	if s.Home == "" {
		return InstallAnswer{}, invalid("set it", "there is no home folder: HOME is not set")
	}
	if s.Program, err = thisProgram(); err != nil {
		return InstallAnswer{}, err
	}
	if s.Scope == agents.UserScope { // a project's settings are for others too
		if s.Variables, err = u.variables(); err != nil {
			return InstallAnswer{}, err
		}
	}
	if s.Agent != agents.ClaudeCode { // which passes its own variables on
		u.warnOfPassword("the MCP server of " + s.Agent)
	}
	p, err := plan(s)
	if err == nil && !u.caller.DryRun {
		err = p.Apply()
	}
	return InstallAnswer{s.Agent, s.Scope, p}, err
}

// thisProgram returns how an agent starts this program: by its name if the shell finds it,
// so that an update is used, otherwise by its path.
func thisProgram() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	found, err := exec.LookPath("brainbridge")
	if err != nil || !sameFile(found, self) {
		return self, nil
	}
	return filepath.Base(found), nil
}

// PathHint says how people and the shells of agents find this program by its name, ""
// if they do.
func PathHint() string {
	program, err := thisProgram()
	if err != nil || !filepath.IsAbs(program) {
		return ""
	}
	return `brainbridge is not on your PATH; add this line to ~/.bashrc or ~/.zshrc: export PATH="` + filepath.Dir(program) + `:$PATH"`
}

func sameFile(x, y string) bool {
	a, errA := os.Stat(x)
	b, errB := os.Stat(y)
	return errA == nil && errB == nil && os.SameFile(a, b)
}
