package app

import (
	"context"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/service"

	"github.com/brainbridge/brainbridge/integration/daemon"
)

// InstallServiceAnswer is the service that was installed.
type InstallServiceAnswer struct {
	service.Location
	Text      string  `json:"text"`
	Unchanged bool    `json:"unchanged"`
	Edited    bool    `json:"edited"`
	KeptAside *string `json:"keptAside"`
	Linger    *bool   `json:"linger"`
	DryRun    bool    `json:"dryRun,omitempty"`

	Account string `json:"-"` // the user name
}

// InstallService has the daemon of the brain started at login, with the settings
// of this process.
func (u *UseCases) InstallService(ctx context.Context) (InstallServiceAnswer, error) {
	s, err := u.services()
	if err != nil {
		return InstallServiceAnswer{}, err
	}
	spec, err := u.serviceSpec()
	if err != nil {
		return InstallServiceAnswer{}, err
	}
	l := u.app.o.Settings
	if u.app.o.Env("BRAINBRIDGE_NEO4J_PASSWORD") != "" && l.Config.Neo4j.PasswordFile == "" {
		u.warn("the service is not given BRAINBRIDGE_NEO4J_PASSWORD: put the password into a file of your own " +
			"and name it with `brainbridge config set neo4j.password_file FILE`")
	}
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
	return InstallServiceAnswer{
		s.Location(l.Config.Brain), p.Text, p.Same, p.Edited, textOrNull(kept), s.Linger(ctx), u.caller.DryRun, account(),
	}, nil
}

// otherDaemon is the error for a daemon that runs and is not the service: it would
// keep the service from starting.
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
	KeptAside *string `json:"keptAside"`
	DryRun    bool    `json:"dryRun,omitempty"`
}

// UninstallService stops the daemon that runs as a service, and removes the
// service. Without one it is [brain.ErrNotFound].
func (u *UseCases) UninstallService(ctx context.Context) (UninstallServiceAnswer, error) {
	s, err := u.services()
	if err != nil {
		return UninstallServiceAnswer{}, err
	}
	name := u.app.o.Settings.Config.Brain
	kept, err := s.Uninstall(ctx, name, u.caller.DryRun)
	return UninstallServiceAnswer{s.Location(name), textOrNull(kept), u.caller.DryRun}, err
}

// ServiceAnswer describes the service of the brain.
type ServiceAnswer struct {
	service.Location
	Installed bool    `json:"installed"`
	Edited    bool    `json:"edited"`
	Enabled   bool    `json:"enabled"`
	Active    bool    `json:"active"`
	State     *string `json:"state"`
	Linger    *bool   `json:"linger"`

	Account string        `json:"-"` // the user name
	Daemon  *daemon.State `json:"-"` // nil if none runs
}

// Service describes the service of the brain.
func (u *UseCases) Service(ctx context.Context) (ServiceAnswer, error) {
	s, err := u.services()
	if err != nil {
		return ServiceAnswer{}, err
	}
	l := u.app.o.Settings
	st, err := s.Status(ctx, l.Config.Brain)
	return ServiceAnswer{
		s.Location(l.Config.Brain), st.Installed, st.Edited, st.Enabled, st.Active, textOrNull(st.Detail), st.Linger,
		account(), u.app.daemon().State(),
	}, err
}

// services returns the service manager of this system.
func (u *UseCases) services() (*service.Service, error) {
	o := u.app.o
	home := o.Env("HOME")
	if home == "" {
		return nil, invalid("set HOME to your home folder", "HOME is not set, and services belong below it")
	}
	run := o.Run
	if run == nil {
		run = runProgram
	}
	switch runtime.GOOS {
	case "linux":
		folder := o.Env("XDG_CONFIG_HOME")
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(home, ".config")
		}
		return service.Systemd(filepath.Join(folder, "systemd", "user"), account(), run, o.Now), nil
	case "darwin":
		return service.Launchd(filepath.Join(home, "Library", "LaunchAgents"), os.Getuid(), run, o.Now), nil
	}
	return nil, brain.Errorf(brain.ErrUnavailable, "have it run `brainbridge serve`",
		"brainbridge does not know the service manager of %s", runtime.GOOS)
}

// account returns the name of the user, or the number if it has no name.
func account() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return strconv.Itoa(os.Getuid())
}

// runProgram runs a program of the system. Over ssh or sudo the folder of the
// user's service manager may be missing from the environment.
func runProgram(ctx context.Context, name string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Env = os.Environ()
	folder := "/run/user/" + strconv.Itoa(os.Getuid())
	if _, err := os.Stat(folder); err == nil && os.Getenv("XDG_RUNTIME_DIR") == "" {
		c.Env = append(c.Env, "XDG_RUNTIME_DIR="+folder)
	}
	out, err := c.CombinedOutput()
	return string(out), err
}

// serviceSpec is the daemon as a service has to start it, so that it uses the
// settings of this process in any folder and environment.
func (u *UseCases) serviceSpec() (service.Spec, error) {
	l := u.app.o.Settings
	program, err := os.Executable()
	if err != nil {
		return service.Spec{}, err
	}
	s := service.Spec{Brain: l.Config.Brain, Program: program, Log: filepath.Join(l.Paths.State, "service.log")}
	for _, f := range u.flags(config.FromFlag, config.FromEnvironment) {
		s.Args = append(s.Args, f.name, f.value)
	}
	s.Args = append(s.Args, "--quiet", "serve")
	s.Env, err = u.serviceEnv()
	return s, err
}

// serviceEnv is the part of the environment of this process that the daemon needs:
// where settings and data are, the time zone, and settings; never a password.
func (u *UseCases) serviceEnv() ([]string, error) {
	var env []string
	for _, name := range []string{"BRAINBRIDGE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "TZ"} {
		value := u.app.o.Env(name)
		if name == "BRAINBRIDGE_HOME" && value != "" {
			var err error
			if value, err = filepath.Abs(value); err != nil {
				return nil, err
			}
		}
		if value != "" {
			env = append(env, name+"="+value)
		}
	}
	for _, s := range u.app.o.Settings.Settings() {
		if s.Origin == config.FromEnvironment && s.Key != "brain" && s.Key != "store" {
			env = append(env, "BRAINBRIDGE_"+strings.ToUpper(strings.ReplaceAll(s.Key, ".", "_"))+"="+s.Value)
		}
	}
	return env, nil
}

// flag is a global flag.
type flag struct{ name, value string }

// flags returns the global flags with which another process uses the same brain,
// for the settings that come from one of these origins.
func (u *UseCases) flags(from ...config.Origin) []flag {
	l := u.app.o.Settings
	var all []flag
	for _, f := range []struct{ key, value string }{{"brain", l.Config.Brain}, {"config", l.Paths.ConfigFile}, {"store", l.Config.Store}} {
		if slices.Contains(from, l.Origin[f.key]) {
			all = append(all, flag{"--" + f.key, f.value})
		}
	}
	return all
}

// Flags returns the global flags of this process, each as one word that is valid
// in any folder: --brain=work.
func (u *UseCases) Flags() []string {
	var all []string
	for _, f := range u.flags(config.FromFlag) {
		all = append(all, f.name+"="+f.value)
	}
	return all
}
