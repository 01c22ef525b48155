// Package agents installs brainbridge in coding agents: hooks and the MCP server in their
// settings, and the files of our slash commands and skill.
package agents

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// The scopes of an installation.
const (
	UserScope    = "user"
	ProjectScope = "project"
)

// Setup says which agent to set up, where, and how it starts this program.
type Setup struct {
	Agent   string
	Scope   string
	Home    string              // of the user
	Project string              // folder of the project
	Env     func(string) string // for the agents' own variables
	Program string              // path or name of this program
	Flags   []string            // flags for it, each one word: --brain=work
	// Variables are set for the MCP server if the agent passes few of its own on.
	Variables map[string]string
	DryRun    bool // nothing is changed
}

// Plan has the changes of an installation or its removal.
type Plan struct {
	Changes []Change `json:"changes"`
	Notes   []string `json:"notes"` // for the person
	Next    []string `json:"next"`  // what the person has to do so that the agent uses it
	server  string   // name that our MCP server has
}

// plan plans the setup of an agent, or the removal of our entries in settings and of our
// files that nobody edited. After an installation a second plan is empty.
func (s Setup) plan(install bool) (Plan, error) {
	l, err := s.layout()
	if err != nil {
		return Plan{}, err
	}
	p := Plan{[]Change{}, []string{}, []string{}, serverName}
	for _, f := range l.settings {
		if err := p.settings(s, f, install); err != nil {
			return Plan{}, err
		}
	}
	// The rules that allow its tools name our server.
	named := func(text string) string { return strings.ReplaceAll(text, "mcp__"+serverName, "mcp__"+p.server) }
	for _, f := range l.files {
		for i := range f.places {
			f.places[i].text = named(f.places[i].text)
		}
		if err := p.file(f, install); err != nil {
			return Plan{}, err
		}
	}
	for i := range p.Changes {
		p.Changes[i].top = s.top(p.Changes[i].Path)
	}
	if install && len(p.Changes) > 0 {
		p.Next = append(p.Next, brain.Map(l.next, named)...)
	}
	return p, nil
}

// top returns the folder around a file that stays even if nothing else is in it.
func (s Setup) top(path string) string {
	if s.Scope == ProjectScope {
		return filepath.Clean(s.Project)
	}
	if dir := s.Env(s.place().variable); dir != "" && strings.HasPrefix(path, filepath.Clean(dir)+string(filepath.Separator)) {
		return filepath.Clean(dir)
	}
	return filepath.Clean(s.Home)
}

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

// Changed reports whether an agent is set up, and what an installation would change then. Like a
// dry run it changes nothing.
func (s Setup) Changed(name string) (changed []string, installed bool, err error) {
	s.DryRun = true
	taken, err := s.each(false, []string{name})
	if err != nil || len(taken[0].Changes) == 0 {
		return nil, false, nil // settings that cannot be read are not ours
	}
	set, err := s.each(true, []string{name})
	if err != nil {
		return nil, true, err
	}
	return brain.Map(set[0].Changes, func(c Change) string { return c.Path }), true, nil
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
