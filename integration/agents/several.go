package agents

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// Done is the setup of one agent that was carried out, or in a dry run planned.
type Done struct {
	Agent string `json:"agent"`
	Scope string `json:"scope"`
	Plan
}

// AllDone has the setups of one agent or several.
type AllDone []Done

// Document returns the setup of one agent by itself.
func (a AllDone) Document() any {
	if len(a) == 1 {
		return a[0]
	}
	return map[string]any{"agents": []Done(a)}
}

// InstallAll sets agents up. If one of them cannot be, nothing is changed.
func (s Setup) InstallAll(names ...string) (AllDone, error) {
	all, err := s.each(true, names)
	if hint := PathHint(); hint != "" && len(all) > 0 {
		last := &all[len(all)-1]
		last.Next = append(last.Next, hint)
	}
	return all, err
}

// UninstallAll reverts the setup of agents, or of all that are set up if none are named. If
// one of them cannot be reverted, nothing is changed.
func (s Setup) UninstallAll(names ...string) (AllDone, error) {
	if len(names) > 0 {
		return s.each(false, names)
	}
	names = All()
	if s.Scope == ProjectScope {
		names = slices.DeleteFunc(names, func(name string) bool { return name == OpenClaw }) // it has no such settings
	}
	all, err := s.each(false, names)
	return slices.DeleteFunc(all, func(d Done) bool { return len(d.Changes) == 0 }), err
}

// each plans a setup for all agents, then plans and applies each, unless it is a dry run.
func (s Setup) each(install bool, names []string) (all AllDone, err error) {
	if s.Home == "" {
		return nil, brain.Errorf(brain.ErrInvalid, "set it", "there is no home folder: HOME is not set")
	}
	if s.Project, err = os.Getwd(); err != nil {
		return nil, fmt.Errorf("find the project: %w", err)
	}
	if s.Program, err = thisProgram(); err != nil {
		return nil, err
	}
	for _, apply := range []bool{false, !s.DryRun} {
		all = AllDone{}
		for _, s.Agent = range names {
			p, err := s.plan(install)
			if err == nil && apply {
				err = p.apply()
			}
			if err != nil {
				return nil, err
			}
			all = append(all, Done{s.Agent, s.Scope, p})
		}
	}
	return all, nil
}

// thisProgram returns how an agent starts this program: by its name if the shell finds it,
// so that an update is used, otherwise by its path.
func thisProgram() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	found, err := exec.LookPath("brainbridge")
	there, missing := os.Stat(found)
	here, unread := os.Stat(self)
	if err != nil || missing != nil || unread != nil || !os.SameFile(there, here) {
		return self, nil
	}
	return filepath.Base(found), nil
}

// PathHint says how to find this program by its name, "" if that is not needed.
func PathHint() string {
	program, err := thisProgram()
	if err != nil || !filepath.IsAbs(program) {
		return ""
	}
	return `brainbridge is not on your PATH; add this line to ~/.bashrc or ~/.zshrc: export PATH="` + filepath.Dir(program) + `:$PATH"`
}
