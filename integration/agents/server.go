package agents

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/config/edit"
)

// Our MCP server: its name in settings, and its command.
const (
	serverName    = "memory"
	serverCommand = "mcp"
)

// toolsFlag chooses the group of tools that our server offers. Agents get the memory
// tools; those that knew the reference memory server get its graph tools as well.
const (
	toolsFlag   = "--tools"
	memoryTools = "memory"
	allTools    = "all"
)

// server is the command that starts an MCP server.
type server struct {
	Command string            `toml:"command"`
	Args    []string          `toml:"args"`
	Env     map[string]string `toml:"env"`
}

// ours reports whether a server is ours, with any path of the program and any flags.
func (v server) ours() bool {
	if filepath.Base(v.Command) != "brainbridge" || len(v.Args) == 0 || v.Args[0] != serverCommand {
		return false
	}
	for i, arg := range v.Args[1:] {
		if !strings.HasPrefix(arg, "--") && v.Args[i] != toolsFlag { // v.Args[i] is the one before arg
			return false
		}
	}
	return true
}

// knowsGraph reports whether the agent has the graph tools from a server: from the
// reference memory server, or from ours.
func (v server) knowsGraph() bool {
	if v.ours() {
		at := slices.Index(v.Args, toolsFlag)
		return at >= 0 && slices.Contains(v.Args[at:], allTools)
	}
	return slices.ContainsFunc(append([]string{v.Command}, v.Args...), func(word string) bool {
		return strings.Contains(word, "server-memory") || strings.Contains(word, "mcp/memory")
	})
}

// serverFile is a settings file with MCP servers.
type serverFile interface {
	find(path []string) (found server, there bool, err error)
	// add makes the table of a server with a command and arguments.
	add(v server, path []string) error
	Set(literal string, path ...string) error
	Remove(path ...string) error
	// table writes variables in one line.
	table(variables map[string]string) string
	remove(path []string) error
}

// serverEdit says what became of our MCP server in a file.
type serverEdit struct {
	name  string   // that it has
	notes []string // for the person
}

// editServer sets our MCP server in a table of servers, or removes it. Another server
// of its name stays, and ours takes the prefix until that one is gone.
func (s Setup) editServer(f serverFile, file settingsFile, install bool) (e serverEdit, err error) {
	tools := memoryTools
	table := strings.Split(file.servers, ".")
	paths := [][]string{slices.Concat(table, []string{serverName}), slices.Concat(table, []string{prefix + serverName})}
	for _, path := range paths {
		found, _, err := f.find(path)
		if err != nil {
			return e, err
		}
		if found.knowsGraph() {
			tools = allTools
		}
	}
	for _, path := range paths {
		found, there, err := f.find(path)
		switch {
		case err != nil:
		case install && there && !found.ours():
			e.notes = append(e.notes, strings.Join(path, ".")+" is another server and stays; to put brainbridge in its place, remove it and install again")
		case install:
			want := server{s.Program, append([]string{serverCommand, toolsFlag, tools}, s.Flags...), file.variables}
			e.name = path[len(path)-1]
			err, install = setServer(f, path, found, want, there), false
		case there && found.ours():
			e.name = cmp.Or(e.name, path[len(path)-1])
			err = f.remove(path)
		}
		if err != nil {
			return e, err
		}
	}
	return e, nil
}

// setServer sets how our server is started, where the file has it as found if it is there.
func setServer(f serverFile, path []string, found, want server, there bool) error {
	var err error
	switch {
	case !there:
		err = f.add(want, path)
	case found.Command != want.Command:
		err = f.Set(plaintext.Quote(want.Command), slices.Concat(path, []string{"command"})...)
	}
	if err == nil && there && !slices.Equal(found.Args, want.Args) {
		err = f.Set(edit.QuoteList(want.Args), slices.Concat(path, []string{"args"})...)
	}
	if err != nil {
		return err
	}
	return setVariables(f, slices.Concat(path, []string{"env"}), found.Env, want.Env)
}

// Variables returns the names of the variables besides the settings that an installation
// writes for our server.
func Variables() []string {
	return []string{"BRAINBRIDGE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "TZ"}
}

// setVariables sets the variables of our server, and removes those of an earlier
// installation. Others, of a person, stay as they are.
func setVariables(f serverFile, path []string, found, variables map[string]string) error {
	ours := maps.Clone(found)
	maps.DeleteFunc(ours, func(name, _ string) bool {
		_, set := variables[name]
		return !set && !strings.HasPrefix(name, "BRAINBRIDGE_") && !slices.Contains(Variables(), name)
	})
	switch {
	case maps.Equal(ours, variables):
		return nil
	case len(ours) == len(found): // there are no others
		if found != nil {
			if err := f.Remove(path...); err != nil {
				return err
			}
		}
		if len(variables) == 0 {
			return nil
		}
		return f.Set(f.table(variables), path...)
	}
	for name := range ours {
		if _, set := variables[name]; !set {
			if err := f.Remove(slices.Concat(path, []string{name})...); err != nil {
				return err
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		if err := f.Set(plaintext.Quote(variables[name]), slices.Concat(path, []string{name})...); err != nil {
			return err
		}
	}
	return nil
}

// inline writes variables as a table in one line, each name followed by a sign.
func inline(variables map[string]string, sign string, name func(string) string) string {
	members := brain.Map(slices.Sorted(maps.Keys(variables)), func(n string) string { return name(n) + sign + plaintext.Quote(variables[n]) })
	return "{" + strings.Join(members, ", ") + "}"
}

type jsonServers struct{ *edit.JSON }

func (j jsonServers) find(path []string) (found server, there bool, err error) {
	v, err := j.At(path...)
	if command := v.Get("command"); command != nil {
		found.Command = command.Text
	}
	found.Args = v.Get("args").Texts()
	if env := v.Get("env"); env != nil {
		found.Env = map[string]string{}
		for _, m := range env.Members {
			found.Env[m.Key] = m.Value.Text
		}
	}
	return found, v != nil, err
}

func (j jsonServers) add(v server, path []string) error {
	return j.Set(fmt.Sprintf(`{"command": %s, "args": %s}`, plaintext.Quote(v.Command), edit.QuoteList(v.Args)), path...)
}

func (jsonServers) table(variables map[string]string) string {
	return inline(variables, ": ", plaintext.Quote)
}

func (j jsonServers) remove(path []string) error {
	return errors.Join(j.Remove(path...), j.RemoveEmpty(path[:len(path)-1]...))
}

type tomlServers struct{ *edit.TOML }

func (t tomlServers) find(path []string) (found server, there bool, err error) {
	var file struct {
		Servers map[string]server `toml:"mcp_servers"`
	}
	err = t.Decode(&file)
	found, there = file.Servers[path[len(path)-1]]
	return found, there, err
}

func (t tomlServers) add(v server, path []string) error {
	return errors.Join(
		t.Set(plaintext.Quote(v.Command), slices.Concat(path, []string{"command"})...),
		t.Set(edit.QuoteList(v.Args), slices.Concat(path, []string{"args"})...))
}

func (tomlServers) table(variables map[string]string) string {
	return inline(variables, " = ", func(name string) string { return name })
}

func (t tomlServers) remove(path []string) error { return t.Remove(path...) }
