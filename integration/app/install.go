package app

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/brainbridge/brainbridge/integration/agents"
)

// InstallAnswer lists the changes to the settings of an agent.
type InstallAnswer struct {
	Agent string `json:"agent"`
	Scope string `json:"scope"`
	agents.Plan
	DryRun bool `json:"dryRun,omitempty"`
}

// Install sets an agent up, for the user or in a project: [agents.UserScope] or
// [agents.ProjectScope].
func (u *UseCases) Install(agent, scope string) (InstallAnswer, error) {
	return u.setUp(agent, scope, agents.Install)
}

// Uninstall takes an installation back.
func (u *UseCases) Uninstall(agent, scope string) (InstallAnswer, error) {
	return u.setUp(agent, scope, agents.Uninstall)
}

func (u *UseCases) setUp(agent, scope string, plan func(agents.Setup) (agents.Plan, error)) (InstallAnswer, error) {
	s := agents.Setup{Agent: agent, Scope: scope, Env: u.app.o.Env, Home: u.app.o.Env("HOME"), Flags: u.Flags()}
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
	p, err := plan(s)
	if err == nil && !u.caller.DryRun {
		err = p.Apply()
	}
	return InstallAnswer{agent, scope, p, u.caller.DryRun}, err
}

// thisProgram returns how an agent starts this program: by its name if that is
// found, so that an update is used, else by its path.
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

func sameFile(x, y string) bool {
	a, errA := os.Stat(x)
	b, errB := os.Stat(y)
	return errA == nil && errB == nil && os.SameFile(a, b)
}
