package agents

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/config/edit"
)

// Our MCP server: its name in settings, and its command.
const (
	serverName    = "memory"
	serverCommand = "mcp"
)

func (s Setup) serverArgs() []string { return append([]string{serverCommand}, s.Flags...) }

// isServer reports whether an MCP server is ours, with any path of the program and
// any flags.
func isServer(command string, args []string) bool {
	return filepath.Base(command) == "brainbridge" && len(args) > 0 && args[0] == serverCommand &&
		!slices.ContainsFunc(args[1:], func(arg string) bool { return !strings.HasPrefix(arg, "--") })
}

func ourServer(v *edit.Value) bool {
	command, args := v.Get("command"), v.Get("args")
	return command != nil && args != nil && isServer(command.Text, args.Texts())
}

// otherServer returns the note for a name that another server has.
func otherServer(where string) string {
	return where + " is another server and stays; to put brainbridge in its place, remove it and install again"
}

// jsonServer sets our MCP server at a path, or removes it. Another server of that
// name stays, and ours takes the prefix.
func jsonServer(s Setup, path []string) change {
	above, name := path[:len(path)-1], path[len(path)-1]
	return func(data []byte, install bool) ([]byte, []string, error) {
		return editJSON(data, install, func(j *edit.JSON) (notes []string, err error) {
			for _, n := range []string{name, prefix + name} {
				at := append(slices.Clone(above), n)
				there, err := j.At(at...)
				switch mine := there != nil && ourServer(there); {
				case err != nil:
					return nil, err
				case install && there != nil && !mine:
					notes = append(notes, otherServer(strings.Join(at, ".")))
				case install:
					return notes, s.installServer(j, there, at)
				case mine:
					if err := errors.Join(j.Remove(at...), j.RemoveEmpty(above...)); err != nil {
						return nil, err
					}
				}
			}
			return notes, nil
		})
	}
}

// installServer sets our server at a path, or how it is started if it is there.
func (s Setup) installServer(j *edit.JSON, there *edit.Value, at []string) error {
	command, args := edit.Quote(s.Program), edit.QuoteList(s.serverArgs())
	if there == nil {
		return j.Set(fmt.Sprintf(`{"command": %s, "args": %s}`, command, args), at...)
	}
	if !slices.Equal(there.Get("args").Texts(), s.serverArgs()) {
		if err := j.Set(args, append(slices.Clone(at), "args")...); err != nil {
			return err
		}
	}
	if there.Get("command").Text == s.Program {
		return nil
	}
	return j.Set(command, append(slices.Clone(at), "command")...)
}

// tomlServers has the MCP servers in the settings of Codex.
type tomlServers struct {
	Servers map[string]tomlServerEntry `toml:"mcp_servers"`
}

type tomlServerEntry struct {
	Command string   `toml:"command"`
	Args    []string `toml:"args"`
}

// tomlServer sets our MCP server in the settings of Codex, or removes it.
func tomlServer(s Setup) change {
	const above = "mcp_servers"
	return func(data []byte, install bool) ([]byte, []string, error) {
		doc, err := edit.ParseTOML(data)
		if err != nil {
			return nil, nil, err
		}
		var found tomlServers
		if err := doc.Decode(&found); err != nil {
			return nil, nil, err
		}
		var notes []string
		for _, n := range []string{serverName, prefix + serverName} {
			server, there := found.Servers[n]
			mine := there && isServer(server.Command, server.Args)
			switch {
			case install && there && !mine:
				notes = append(notes, otherServer(above+"."+n))
			case install:
				err := s.installTable(doc, server, above, n)
				return doc.Bytes(), notes, err
			case mine:
				if err := doc.Remove(above, n); err != nil {
					return nil, nil, err
				}
			}
		}
		return doc.Bytes(), notes, nil
	}
}

// installTable sets how our server is started in a table of it.
func (s Setup) installTable(doc *edit.TOML, server tomlServerEntry, table ...string) error {
	if server.Command != s.Program {
		if err := doc.Set(edit.Quote(s.Program), append(slices.Clone(table), "command")...); err != nil {
			return err
		}
	}
	if slices.Equal(server.Args, s.serverArgs()) {
		return nil
	}
	return doc.Set(edit.QuoteList(s.serverArgs()), append(slices.Clone(table), "args")...)
}
