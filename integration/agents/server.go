package agents

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

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
	Command string   `toml:"command"`
	Args    []string `toml:"args"`
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
	// add makes the table of a server.
	add(v server, path []string) error
	Set(literal string, path ...string) error
	remove(path []string) error
}

// editServer sets our MCP server in a table of servers, or removes it. Another server
// of its name stays, and ours takes the prefix until that one is gone.
func (s Setup) editServer(f serverFile, table string, install bool) (notes []string, err error) {
	tools := memoryTools
	paths := [][]string{append(strings.Split(table, "."), serverName), append(strings.Split(table, "."), prefix+serverName)}
	for _, path := range paths {
		found, _, err := f.find(path)
		if err != nil {
			return nil, err
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
			notes = append(notes, strings.Join(path, ".")+" is another server and stays; to put brainbridge in its place, remove it and install again")
		case install:
			err, install = s.setServer(f, found, there, path, tools), false
		case there && found.ours():
			err = f.remove(path)
		}
		if err != nil {
			return nil, err
		}
	}
	return notes, nil
}

// setServer sets how our server is started, and which tools it offers.
func (s Setup) setServer(f serverFile, found server, there bool, path []string, tools string) error {
	want := server{s.Program, append([]string{serverCommand, toolsFlag, tools}, s.Flags...)}
	if !there {
		return f.add(want, path)
	}
	if found.Command != want.Command {
		if err := f.Set(plaintext.Quote(want.Command), slices.Concat(path, []string{"command"})...); err != nil {
			return err
		}
	}
	if slices.Equal(found.Args, want.Args) {
		return nil
	}
	return f.Set(edit.QuoteList(want.Args), slices.Concat(path, []string{"args"})...)
}

type jsonServers struct{ *edit.JSON }

func (j jsonServers) find(path []string) (found server, there bool, err error) {
	v, err := j.At(path...)
	if command := v.Get("command"); command != nil {
		found.Command = command.Text
	}
	found.Args = v.Get("args").Texts()
	return found, v != nil, err
}

func (j jsonServers) add(v server, path []string) error {
	return j.Set(fmt.Sprintf(`{"command": %s, "args": %s}`, plaintext.Quote(v.Command), edit.QuoteList(v.Args)), path...)
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

func (t tomlServers) remove(path []string) error { return t.Remove(path...) }
