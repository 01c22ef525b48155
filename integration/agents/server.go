package agents

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

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
	Command string
	Args    []string
	Env     map[string]any
	exists  bool // in the file
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

// serverFile is a settings file, [config.JSON] or [config.TOML].
type serverFile interface {
	Value(path ...string) any
	Set(literal string, path ...string) error
	Remove(keep int, path ...string) error
}

// find returns the server at a path. Values of other kinds than its own count as none.
func find(f serverFile, path []string) (found server) {
	v := f.Value(path...)
	table, _ := v.(map[string]any)
	found.exists = v != nil
	found.Command, _ = table["command"].(string)
	found.Env, _ = table["env"].(map[string]any)
	args, _ := table["args"].([]any)
	for _, arg := range args {
		found.Args = append(found.Args, fmt.Sprint(arg))
	}
	return found
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
		if servers[i] = find(f, path); servers[i].knowsGraph() {
			tools = "all"
		}
	}
	for i, path := range paths {
		switch found := servers[i]; {
		case install && found.exists && !found.ours():
			e.notes = append(e.notes, strings.Join(path, ".")+" is another server and stays; to put brainbridge in its place, remove it and install again")
		case install:
			want := server{Command: s.Program, Args: append([]string{serverCommand, toolsFlag, tools}, s.Flags...)}
			e.name = path[len(path)-1]
			err, install = setServer(f, path, found, want, file.variables), false
		case found.ours():
			e.name = cmp.Or(e.name, path[len(path)-1])
			err = f.Remove(0, path...)
		}
		if err != nil {
			return e, err
		}
	}
	return e, nil
}

func setServer(f serverFile, path []string, found, want server, variables map[string]string) error {
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
	return setVariables(f, slices.Concat(path, []string{"env"}), found.Env, variables)
}

// Variables returns the variables besides the settings that are written for our server.
func Variables() []string {
	return []string{"BRAINBRIDGE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "TZ"}
}

// setVariables replaces the variables of an earlier installation. Others stay.
func setVariables(f serverFile, path []string, found map[string]any, ours map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(found)) {
		_, stays := ours[name]
		if !stays && (strings.HasPrefix(name, "BRAINBRIDGE_") || slices.Contains(Variables(), name)) {
			if err := f.Remove(len(path)-1, slices.Concat(path, []string{name})...); err != nil {
				return err
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(ours)) {
		if found[name] != any(ours[name]) {
			if err := f.Set(plaintext.Quote(ours[name]), slices.Concat(path, []string{name})...); err != nil {
				return err
			}
		}
	}
	return nil
}
