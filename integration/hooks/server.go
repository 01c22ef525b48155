package hooks

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// serverCommand is what this program is started with as an MCP server.
const serverCommand = "mcp"

func (s Setup) serverArgs() []string { return append([]string{serverCommand}, s.Flags...) }

// isServer reports whether an MCP server is ours, wherever the program was when
// it was installed, and whatever flags it was given.
func isServer(command string, args []string) bool {
	return filepath.Base(command) == "brainbridge" && len(args) > 0 && args[0] == serverCommand &&
		!slices.ContainsFunc(args[1:], func(arg string) bool { return !strings.HasPrefix(arg, "--") })
}

func ourServer(v jsonValue) bool {
	command, list := v.member("command"), v.member("args")
	return command != nil && list != nil && isServer(command.text, list.texts())
}

// texts are the members of a list.
func (v *jsonValue) texts() []string {
	var all []string
	for _, m := range v.members {
		all = append(all, m.value.text)
	}
	return all
}

// textList is a list of texts, in JSON and in TOML.
func textList(all []string) string {
	quoted := make([]string, len(all))
	for i, text := range all {
		quoted[i] = jsonText(text)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// otherServer says that a name is taken.
func otherServer(where string) string {
	return where + " is another server and stays; to put brainbridge in its place, remove it and install again"
}

// jsonServer sets our MCP server at a path, or takes it away. Another server of
// that name stays, and ours takes the prefix.
func jsonServer(s Setup, path []string) applying {
	above, name := path[:len(path)-1], path[len(path)-1]
	return func(data []byte, install bool) ([]byte, []string, error) {
		e := jsonEdit{data}
		if !install {
			err := e.withoutServer(above, name, prefix+name)
			return e.data, nil, err
		}
		e.begin()
		if _, err := e.ensure('{', above...); err != nil {
			return nil, nil, err
		}
		var notes []string
		for _, n := range []string{name, prefix + name} {
			at := append(slices.Clone(above), n)
			there, err := e.at(at...)
			switch {
			case err != nil:
				return nil, nil, err
			case there != nil && !ourServer(*there):
				notes = append(notes, otherServer(strings.Join(at, ".")))
				continue
			case there == nil:
				err = e.put(fmt.Sprintf(`{"command": %s, "args": %s}`, jsonText(s.Program), textList(s.serverArgs())), at...)
			default:
				err = e.startServer(s, at)
			}
			return e.data, notes, err
		}
		return e.data, notes, nil
	}
}

// startServer has our server at a path started as it is now.
func (e *jsonEdit) startServer(s Setup, at []string) error {
	there, err := e.at(at...)
	if err != nil {
		return err
	}
	if args := there.member("args"); !slices.Equal(args.texts(), s.serverArgs()) {
		e.splice(args.start, args.end, textList(s.serverArgs()))
		if there, err = e.at(at...); err != nil {
			return err
		}
	}
	if command := there.member("command"); command.text != s.Program {
		e.splice(command.start, command.end, jsonText(s.Program))
	}
	return nil
}

// withoutServer takes our servers of these names away, and what is empty then.
func (e *jsonEdit) withoutServer(above []string, names ...string) error {
	for _, n := range names {
		at := append(slices.Clone(above), n)
		there, err := e.at(at...)
		if err != nil {
			return err
		}
		if there != nil && ourServer(*there) {
			if err := e.drop(at...); err != nil {
				return err
			}
			if err := e.dropEmptyUp(above); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *jsonEdit) dropEmptyUp(path []string) error {
	for n := len(path); n > 0; n-- {
		if err := e.dropEmpty(path[:n]...); err != nil {
			return err
		}
	}
	return nil
}

// tomlServers is what is looked for in Codex's settings.
type tomlServers struct {
	Servers map[string]tomlServerEntry `toml:"mcp_servers"`
}

type tomlServerEntry struct {
	Command string   `toml:"command"`
	Args    []string `toml:"args"`
}

func readServers(data []byte) (tomlServers, error) {
	var v tomlServers
	if err := toml.Unmarshal(data, &v); err != nil {
		return v, tomlFault(data, err)
	}
	return v, nil
}

// tomlServer sets our MCP server as a table at the end of Codex's settings, or
// takes that table away; all else stays byte for byte.
func tomlServer(s Setup) applying {
	const above, name = "mcp_servers", "memory"
	return func(data []byte, install bool) ([]byte, []string, error) {
		found, err := readServers(data)
		if err != nil {
			return nil, nil, err
		}
		var notes []string
		for _, n := range []string{name, prefix + name} {
			server, there := found.Servers[n]
			mine := there && isServer(server.Command, server.Args)
			switch {
			case !install && mine:
				data, err = tomlDrop(data, above, n)
			case install && there && !mine:
				notes = append(notes, otherServer(above+"."+n))
			case install && !there:
				data = append(slices.Clip(data), s.newTable(data, n)...)
				if _, err := readServers(data); err != nil {
					return nil, nil, fmt.Errorf("%s is written in braces: write it as a table of its own", above)
				}
				return data, notes, nil
			case install:
				data, err = s.startTable(data, server, above, n)
				return data, notes, err
			}
			if err != nil {
				return nil, nil, err
			}
		}
		return data, notes, nil
	}
}

// startTable has our server started as it is now.
func (s Setup) startTable(data []byte, server tomlServerEntry, path ...string) ([]byte, error) {
	var err error
	if server.Command != s.Program {
		data, err = tomlSet(data, jsonText(s.Program), append(slices.Clone(path), "command")...)
	}
	if err == nil && !slices.Equal(server.Args, s.serverArgs()) {
		data, err = tomlSet(data, textList(s.serverArgs()), append(slices.Clone(path), "args")...)
	}
	return data, err
}

// newTable is our table, a blank line before it where something stands above,
// with the line ends of the file.
func (s Setup) newTable(above []byte, name string) string {
	gap := ""
	if len(above) > 0 {
		if gap = "\n"; above[len(above)-1] != '\n' {
			gap = "\n\n"
		}
	}
	table := fmt.Sprintf("%s[mcp_servers.%s]\ncommand = %s\nargs = %s\n", gap, name, jsonText(s.Program), textList(s.serverArgs()))
	return strings.ReplaceAll(table, "\n", lineEnd(above))
}
