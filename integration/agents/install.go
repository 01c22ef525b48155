// Package agents installs brainbridge in coding agents: hooks and the MCP server in their
// settings, and the files of our slash commands and skill.
package agents

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
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
	Variables   map[string]string
	KeepBackups bool // of settings files when an agent's setup is removed
	DryRun      bool // nothing is changed
}

// Change is a change of one file.
type Change struct {
	Path       string `json:"path"`
	What       string `json:"what"`
	before     []byte
	after      []byte      // nil: the file is removed
	mode       fs.FileMode // of a new file
	backup     []byte      // the copy to write of a file that belongs to a person, nil for none
	dropBackup bool
	// top is a folder that stays, unlike those below it that a removal leaves empty.
	top string
}

// Plan has the changes of an installation or its removal.
type Plan struct {
	Changes []Change `json:"changes"`
	Notes   []string `json:"notes"` // for the person
	Next    []string `json:"next"`  // what the person has to do so that the agent uses it
	server  string   // name that our MCP server has
}

// BackupSuffix is the suffix of the backup of a settings file without our entries.
const BackupSuffix = ".brainbridge.bak"

// apply applies the plan file by file. A file that has changed since is [brain.ErrConflict];
// it and those after it are not changed.
func (p Plan) apply() error {
	for _, c := range p.Changes {
		if err := c.apply(); err != nil {
			return fmt.Errorf("change %s: %w", c.Path, err)
		}
	}
	return nil
}

func (c Change) apply() error {
	now, err := durable.ReadFile(c.Path)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, c.before) {
		return brain.Errorf(brain.ErrConflict, "try again", "another program changed it meanwhile")
	}
	if c.after == nil {
		return c.remove()
	}
	if err := durable.MakeDir(filepath.Dir(c.Path), 0o755); err != nil {
		return err
	}
	if c.backup != nil {
		if err := durable.WriteFile(c.Path+BackupSuffix, c.backup, durable.Options{}); err != nil {
			return fmt.Errorf("keep a backup: %w", err)
		}
	}
	if err := durable.WriteFile(c.Path, c.after, durable.Options{Mode: c.mode, KeepMode: true}); err != nil || !c.dropBackup {
		return err
	}
	return removeFile(c.Path + BackupSuffix)
}

func (c Change) remove() error {
	err := removeFile(c.Path)
	if err == nil && c.dropBackup {
		err = removeFile(c.Path + BackupSuffix)
	}
	if err != nil {
		return err
	}
	for dir := filepath.Dir(c.Path); strings.HasPrefix(dir, c.top+string(filepath.Separator)); dir = filepath.Dir(dir) {
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() || os.Remove(dir) != nil { // a link, or it has other files
			break
		}
	}
	return nil
}

func removeFile(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
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
	for _, f := range l.files {
		if err := p.file(f, install); err != nil {
			return Plan{}, err
		}
	}
	for i := range p.Changes {
		p.Changes[i].top = s.top(p.Changes[i].Path)
	}
	if install && len(p.Changes) > 0 {
		for _, n := range l.next {
			p.Next = append(p.Next, strings.ReplaceAll(n, `"mcp__`+serverName+`"`, `"mcp__`+p.server+`"`))
		}
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

func (p *Plan) settings(s Setup, f settingsFile, install bool) error {
	before, err := durable.ReadFile(f.path)
	if err != nil {
		return fmt.Errorf("read %s: %w", f.path, err)
	}
	if len(before) == 0 && !install {
		return p.backup(s, f)
	}
	after, server, err := s.edit(f, before, install)
	was := after // the content after uninstalling
	if err == nil && install {
		was, _, err = s.edit(f, before, false)
	}
	if err == nil && !bytes.Equal(before, was) {
		was, err = s.restored(f, was)
	}
	if err != nil {
		return brain.Errorf(brain.ErrInvalid, "repair the file, then try again; nothing was changed", "%s: %v", f.path, err)
	}
	p.Notes = append(p.Notes, server.notes...)
	if server.name != "" {
		p.server = server.name
	}
	if bytes.Equal(before, after) {
		if install {
			return nil
		}
		return p.backup(s, f)
	}
	if info, err := os.Stat(f.path); err == nil && info.Mode().Perm()&0o200 == 0 {
		return brain.Errorf(brain.ErrInvalid, "make it writable, then try again; nothing was changed", "%s is read-only", f.path)
	}
	if err := checkLink(f.path); err != nil {
		return err
	}
	c := Change{Path: f.path, What: f.what(server.name), before: before, after: after, mode: durable.PrivateFile} // settings may contain keys
	switch {
	case install && before != nil:
		c.backup = was
	case !install:
		c.after, c.dropBackup = was, !s.KeepBackups
	}
	p.Changes = append(p.Changes, c)
	return nil
}

func (p *Plan) backup(s Setup, f settingsFile) error {
	path := f.path + BackupSuffix
	before, err := durable.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the backup: %w", err)
	}
	if before != nil && !s.KeepBackups {
		p.Changes = append(p.Changes, Change{Path: path, What: "remove the backup", before: before})
	}
	return nil
}

// restored returns the content that a file had before the installation: that of the backup,
// unless the file was edited since; nil if there was no file.
func (s Setup) restored(f settingsFile, without []byte) ([]byte, error) {
	was, err := durable.ReadFile(f.path + BackupSuffix)
	if err != nil {
		return nil, fmt.Errorf("read the backup: %w", err)
	}
	bare, _, err := s.edit(f, was, false)
	if len(was) > 0 && (err != nil || !bytes.Equal(bare, was)) {
		return without, nil // the backup is damaged, or older
	}
	full, _, err := s.edit(f, was, true)
	if err == nil {
		full, _, err = s.edit(f, full, false)
	}
	if err != nil || !bytes.Equal(full, without) {
		return without, nil // the file was edited since
	}
	if info, err := os.Lstat(f.path); was == nil && err == nil && !info.Mode().IsRegular() {
		return without, nil // a link stays one
	}
	return was, nil
}

// checkLink refuses a link into a folder that does not exist, as on an unmounted disk.
func checkLink(path string) error {
	target, err := durable.Target(path)
	if err != nil {
		return fmt.Errorf("follow %s: %w", path, err)
	}
	if _, err := os.Stat(filepath.Dir(target)); target != path && errors.Is(err, fs.ErrNotExist) {
		return brain.Errorf(brain.ErrInvalid, "make the folder or remove the link, then try again; nothing was changed", "%s is a link to %s, whose folder does not exist", path, target)
	}
	return nil
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
