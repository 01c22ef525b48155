package app

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/agents"
	"github.com/brainbridge/brainbridge/integration/service"
)

// InstallServiceAnswer is the service that was installed.
type InstallServiceAnswer struct {
	service.Location
	service.Plan
	Linger *bool `json:"linger"`
}

// InstallService installs the daemon as a service that starts at login, with these settings.
func (u *UseCases) InstallService(ctx context.Context) (InstallServiceAnswer, error) {
	if err := u.RequireBrain(ctx); err != nil {
		return InstallServiceAnswer{}, err
	}
	s, err := u.service()
	if err != nil {
		return InstallServiceAnswer{}, err
	}
	spec, err := u.serviceSpec()
	if err != nil {
		return InstallServiceAnswer{}, err
	}
	u.warnOfPassword("the service")
	var p service.Plan
	if u.caller.DryRun {
		p, err = s.Plan(spec)
	} else if err = u.checkOtherDaemon(ctx, s); err == nil {
		p, err = s.Install(ctx, spec)
	}
	if err != nil {
		return InstallServiceAnswer{}, err
	}
	return InstallServiceAnswer{s.Location, p, s.Linger(ctx)}, nil
}

func (u *UseCases) service() (*service.Service, error) {
	return service.New(u.app.Env, u.app.Now, u.app.Settings.Config.Brain)
}

func (u *UseCases) warnOfPassword(who string) {
	if u.app.Env("BRAINBRIDGE_NEO4J_PASSWORD") != "" && u.app.Settings.Config.Neo4j.PasswordFile == "" {
		u.warn(who + " is not given BRAINBRIDGE_NEO4J_PASSWORD: put the password into a file of your own " +
			"and name it with `brainbridge config set neo4j.password_file FILE`")
	}
}

// checkOtherDaemon returns an error if a daemon keeps the service from starting.
func (u *UseCases) checkOtherDaemon(ctx context.Context, s *service.Service) error {
	if !u.app.daemonRuns() {
		return nil
	}
	if st, err := s.Status(ctx); err == nil && st.Active {
		return nil
	}
	return brain.Errorf(brain.ErrBusy, "stop it first, then install the service",
		"a daemon of the brain %s is running already, and not as this service", u.app.Settings.Config.Brain)
}

// UninstallServiceAnswer is the service that was uninstalled.
type UninstallServiceAnswer struct {
	service.Location
	KeptAside brain.OrNull `json:"keptAside"`
}

// UninstallService stops the daemon that runs as a service, and removes the
// service. Without one it is [brain.ErrNotFound].
func (u *UseCases) UninstallService(ctx context.Context) (UninstallServiceAnswer, error) {
	s, err := u.service()
	if err != nil {
		return UninstallServiceAnswer{}, err
	}
	kept, err := s.Uninstall(ctx, u.caller.DryRun)
	return UninstallServiceAnswer{s.Location, kept}, err
}

// ServiceAnswer describes the service of the brain.
type ServiceAnswer struct {
	service.Location
	service.Status

	Daemon *DaemonState `json:"-"` // nil if none runs
}

// Service describes the service of the brain.
func (u *UseCases) Service(ctx context.Context) (ServiceAnswer, error) {
	s, err := u.service()
	if err != nil {
		return ServiceAnswer{}, err
	}
	st, err := s.Status(ctx)
	return ServiceAnswer{s.Location, st, u.app.daemonState()}, err
}

// serviceSpec returns how a service starts the daemon with the settings of this process.
func (u *UseCases) serviceSpec() (service.Spec, error) {
	l := u.app.Settings
	program, err := os.Executable()
	if err != nil {
		return service.Spec{}, err
	}
	variables, err := l.Variables(u.app.Env, append(agents.Variables(), config.AgentFolders()...)...) // the folders for the sessions there
	return service.Spec{
		Program: program, Args: append(l.Flags(config.FromFlag, config.FromEnvironment), "--quiet", "serve"),
		Env: brain.Map(slices.Sorted(maps.Keys(variables)), func(name string) string { return name + "=" + variables[name] }),
		Log: filepath.Join(l.Paths.State, "service.log"),
	}, err
}

// Flags returns the global flags of this process, valid in any folder: --brain=work.
func (u *UseCases) Flags() []string { return u.app.Settings.Flags(config.FromFlag) }

// Install sets agents up, for the user or in a project: [agents.UserScope] or
// [agents.ProjectScope]. If one of them cannot be set up, nothing is changed.
func (u *UseCases) Install(ctx context.Context, scope string, names ...string) (agents.AllDone, error) {
	if err := u.RequireBrain(ctx); err != nil {
		return nil, err
	}
	s := u.setup(scope)
	if scope == agents.UserScope { // a project's settings are for others too
		var err error
		if s.Variables, err = u.app.Settings.Variables(u.app.Env, agents.Variables()...); err != nil {
			return nil, err
		}
	}
	for _, name := range names {
		if name != agents.ClaudeCode { // which hands its own variables on
			u.warnOfPassword("the MCP server of " + name)
		}
	}
	return s.InstallAll(names...)
}

// AgentsFound returns the agents that are installed for this user.
func (u *UseCases) AgentsFound() []string { return agents.Found(u.app.Env("HOME"), u.app.Env) }

// Uninstall reverts the setup of agents, or of all that are set up if none are named. It
// removes the backups of their settings. If one of them cannot be reverted, nothing is changed.
func (u *UseCases) Uninstall(scope string, names ...string) (agents.AllDone, error) {
	s := u.setup(scope)
	return s.UninstallAll(names...)
}

func (u *UseCases) setup(scope string) agents.Setup {
	return agents.Setup{Scope: scope, Env: u.app.Env, Home: u.app.Env("HOME"), Flags: u.Flags(), DryRun: u.caller.DryRun}
}
