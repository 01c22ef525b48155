package agents

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/config/edit"
)

// settingsFile is a settings file of a person: JSON, or TOML without hooks.
type settingsFile struct {
	path      string
	hooks     []hookEvent
	servers   string // key of the MCP servers, with dots; "" if they are in another file
	variables map[string]string
}

// hookEvent is an event with a hook, and how long the agent waits for it, in its own unit.
type hookEvent struct {
	name    string
	timeout int
}

func hookEvents(timeout int, names ...string) []hookEvent {
	return brain.Map(names, func(name string) hookEvent { return hookEvent{name, timeout} })
}

func (f settingsFile) what(server string) string {
	switch {
	case f.servers == "":
		return "hooks"
	case f.hooks == nil:
		return "MCP server " + server
	}
	return "hooks and MCP server " + server
}

func (s Setup) edit(f settingsFile, data []byte, install bool) (after []byte, e serverEdit, err error) {
	if filepath.Ext(f.path) == ".toml" {
		t, err := edit.ParseTOML(data)
		if err != nil {
			return nil, e, err
		}
		e, err = s.editServer(tomlServers{t}, f, install)
		return t.Bytes(), e, err
	}
	if !install && len(bytes.TrimSpace(data)) == 0 {
		return data, e, nil
	}
	j, err := edit.ParseJSON(data)
	if err != nil {
		return nil, e, err
	}
	for _, event := range f.hooks {
		if install {
			err = installHook(j, event, s.hookCommand(event.name))
		} else {
			err = removeHook(j, event.name)
		}
		if err != nil {
			return nil, e, err
		}
	}
	if f.servers != "" {
		e, err = s.editServer(jsonServers{j}, f, install)
	}
	return j.Bytes(), e, err
}

func (s Setup) hookCommand(event string) string {
	command := shellWord(s.Program) + " hook " + event
	if s.Agent != ClaudeCode {
		command += " --agent " + s.Agent
	}
	return command + shellWords(s.Flags)
}

// shellWords returns words as further arguments in a shell.
func shellWords(words []string) string {
	text := ""
	for _, w := range words {
		text += " " + shellWord(w)
	}
	return text
}

// shellWord quotes a word for a shell.
func shellWord(word string) string {
	if strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:@") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// isHook reports whether a command is our hook for an event, with any path and flags.
func isHook(command, event string) bool {
	program, rest, found := strings.Cut(command, " hook "+event)
	program = strings.Trim(program, "'")
	flags := rest == "" || strings.HasPrefix(rest, " --") || strings.HasPrefix(rest, " '--")
	return found && flags && filepath.Base(program) == "brainbridge"
}

func installHook(j *edit.JSON, h hookEvent, command string) error {
	path, found, err := findHook(j, h.name)
	switch {
	case err != nil:
		return err
	case path == nil:
		indent := j.IndentUnit()
		return j.Append(fmt.Sprintf("{\n%[1]s\"hooks\": [\n%[1]s%[1]s{\"type\": \"command\", \"command\": %[2]s, \"timeout\": %[3]d}\n%[1]s]\n}",
			indent, plaintext.Quote(command), h.timeout), "hooks", h.name)
	case found != command:
		return j.Set(plaintext.Quote(command), append(path, "command")...)
	}
	return nil
}

// findHook returns the path of our hook for an event, nil if there is none, and its command.
func findHook(j *edit.JSON, event string) (path []string, command string, err error) {
	list, err := j.At("hooks", event)
	if err != nil || list == nil {
		return nil, "", err
	}
	if list.Kind != edit.List {
		return nil, "", fmt.Errorf("hooks.%s is not a list", event)
	}
	for g, group := range list.Members {
		hooks := group.Value.Get("hooks")
		if hooks == nil {
			continue
		}
		for h, hook := range hooks.Members {
			if c := hook.Value.Get("command"); c != nil && isHook(c.Text, event) {
				return []string{"hooks", event, strconv.Itoa(g), "hooks", strconv.Itoa(h)}, c.Text, nil
			}
		}
	}
	return nil, "", nil
}

// removeHook removes our hooks for an event, and lists that become empty.
func removeHook(j *edit.JSON, event string) error {
	for {
		path, _, err := findHook(j, event)
		if err != nil || path == nil {
			return err
		}
		if hooks, err := j.At(path[:4]...); err != nil {
			return err
		} else if len(hooks.Members) == 1 {
			path = path[:3] // the group has no other
		}
		if err := j.Remove(path...); err != nil {
			return err
		}
		if err := j.RemoveEmpty("hooks", event); err != nil {
			return err
		}
	}
}

const (
	serverName    = "memory"
	serverCommand = "mcp"
	// toolsFlag selects the tools of our server: "memory", or for agents that had the
	// reference memory server "all", which includes its graph tools.
	toolsFlag = "--tools"
)

type server struct {
	Command string            `toml:"command"`
	Args    []string          `toml:"args"`
	Env     map[string]string `toml:"env"` // of one in a file, values are as the file has them
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

// knowsGraph reports whether a server, ours or the reference memory server, has graph tools.
func (v server) knowsGraph() bool {
	if v.ours() {
		at := slices.Index(v.Args, toolsFlag)
		return at >= 0 && slices.Contains(v.Args[at:], "all")
	}
	return slices.ContainsFunc(append([]string{v.Command}, v.Args...), func(word string) bool {
		return strings.Contains(word, "server-memory") || strings.Contains(word, "mcp/memory")
	})
}

type serverFile interface {
	find(path []string) (found server, there bool, err error)
	Set(literal string, path ...string) error
	Remove(path ...string) error
	// member writes a name and a value of a table in braces.
	member(name, value string) string
	remove(path []string) error
}

type serverEdit struct {
	name  string   // that it has
	notes []string // for the person
}

// editServer sets our MCP server in a table of servers, or removes it. If another server
// has its name, that stays, and ours gets a prefix until it is removed.
func (s Setup) editServer(f serverFile, file settingsFile, install bool) (e serverEdit, err error) {
	tools := "memory"
	table := strings.Split(file.servers, ".")
	paths := [][]string{slices.Concat(table, []string{serverName}), slices.Concat(table, []string{prefix + serverName})}
	for _, path := range paths {
		found, _, err := f.find(path)
		if err != nil {
			return e, err
		}
		if found.knowsGraph() {
			tools = "all"
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
			err, install = setServer(f, path, found, want), false
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

func setServer(f serverFile, path []string, found, want server) error {
	var err error
	if found.Command != want.Command {
		err = f.Set(plaintext.Quote(want.Command), slices.Concat(path, []string{"command"})...)
	}
	if err == nil && !slices.Equal(found.Args, want.Args) {
		err = f.Set(edit.QuoteList(want.Args), slices.Concat(path, []string{"args"})...)
	}
	if err != nil {
		return err
	}
	return setVariables(f, slices.Concat(path, []string{"env"}), found.Env, want.Env)
}

// Variables returns the variables besides the settings that are written for our server.
func Variables() []string {
	return []string{"BRAINBRIDGE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "TZ"}
}

// setVariables replaces the variables of an earlier installation. Others stay.
func setVariables(f serverFile, path []string, found, ours map[string]string) error {
	want := map[string]string{}
	for name, value := range found {
		if !strings.HasPrefix(name, "BRAINBRIDGE_") && !slices.Contains(Variables(), name) {
			want[name] = value
		}
	}
	for name, value := range ours {
		want[name] = plaintext.Quote(value)
	}
	if maps.Equal(found, want) {
		return nil
	}
	if found != nil {
		if err := f.Remove(path...); err != nil {
			return err
		}
	}
	if len(want) == 0 {
		return nil
	}
	members := brain.Map(slices.Sorted(maps.Keys(want)), func(name string) string { return f.member(name, want[name]) })
	return f.Set("{"+strings.Join(members, ", ")+"}", path...)
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
			found.Env[m.Key] = j.Raw(m.Value.Span)
		}
	}
	return found, v != nil, err
}

func (jsonServers) member(name, value string) string { return plaintext.Quote(name) + ": " + value }

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
	for name, value := range found.Env {
		found.Env[name] = plaintext.Quote(value)
	}
	return found, there, err
}

func (tomlServers) member(name, value string) string { return name + " = " + value }

func (t tomlServers) remove(path []string) error { return t.Remove(path...) }
