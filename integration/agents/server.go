package agents

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/config"
)

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
	exists  bool              // in the file
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
	find(path []string) (server, error)
	Set(literal string, path ...string) error
	// remove removes what is at a path, and what is empty without it beyond the first keep steps.
	remove(keep int, path []string) error
	// member writes a name and a value of a table in braces.
	member(name, value string) string
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
	servers := make([]server, len(paths))
	for i, path := range paths {
		if servers[i], err = f.find(path); err != nil {
			return e, err
		}
		if servers[i].knowsGraph() {
			tools = "all"
		}
	}
	for i, path := range paths {
		switch found := servers[i]; {
		case install && found.exists && !found.ours():
			e.notes = append(e.notes, strings.Join(path, ".")+" is another server and stays; to put brainbridge in its place, remove it and install again")
		case install:
			want := server{Command: s.Program, Args: append([]string{serverCommand, toolsFlag, tools}, s.Flags...), Env: file.variables}
			e.name = path[len(path)-1]
			err, install = setServer(f, path, found, want), false
		case found.ours():
			e.name = cmp.Or(e.name, path[len(path)-1])
			err = f.remove(0, path)
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
		err = f.Set(config.QuoteList(want.Args), slices.Concat(path, []string{"args"})...)
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
		if err := f.remove(len(path)-1, path); err != nil {
			return err
		}
	}
	if len(want) == 0 {
		return nil
	}
	members := brain.Map(slices.Sorted(maps.Keys(want)), func(name string) string { return f.member(name, want[name]) })
	return f.Set("{"+strings.Join(members, ", ")+"}", path...)
}

type jsonServers struct{ *config.JSON }

func (j jsonServers) find(path []string) (found server, err error) {
	v := j.At(path...)
	found.exists = v.Exists()
	found.Command = v.Get("command").String()
	for _, arg := range v.Get("args").Array() {
		found.Args = append(found.Args, arg.String())
	}
	if env := v.Get("env"); env.IsObject() {
		found.Env = map[string]string{}
		env.ForEach(func(name, value gjson.Result) bool {
			found.Env[name.Str] = value.Raw
			return true
		})
	}
	return found, nil
}

func (jsonServers) member(name, value string) string { return plaintext.Quote(name) + ": " + value }

func (j jsonServers) remove(keep int, path []string) error {
	j.Remove(keep, path...)
	return nil
}

type tomlServers struct{ *config.TOML }

func (t tomlServers) find(path []string) (found server, err error) {
	var file struct {
		Servers map[string]server `toml:"mcp_servers"`
	}
	err = t.Decode(&file)
	found, found.exists = file.Servers[path[len(path)-1]]
	for name, value := range found.Env {
		found.Env[name] = plaintext.Quote(value)
	}
	return found, err
}

func (tomlServers) member(name, value string) string { return name + " = " + value }

func (t tomlServers) remove(_ int, path []string) error { return t.Remove(path...) }
