package agents

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/brainbridge/brainbridge/config/edit"
)

// change edits a settings file to install or remove something of ours.
type change func(data []byte, install bool) (after []byte, notes []string, err error)

// both makes one change after the other.
func both(first, second change) change {
	return func(data []byte, install bool) ([]byte, []string, error) {
		data, notes, err := first(data, install)
		if err != nil {
			return nil, nil, err
		}
		data, more, err := second(data, install)
		return data, append(notes, more...), err
	}
}

// hookCommand returns the command of the hook for an event.
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

// isHook reports whether a command is our hook for an event, with any path of the
// program and any flags.
func isHook(command, event string) bool {
	program, rest, found := strings.Cut(command, " hook "+event)
	program = strings.Trim(program, "'")
	flags := rest == "" || strings.HasPrefix(rest, " --") || strings.HasPrefix(rest, " '--")
	return found && flags && filepath.Base(program) == "brainbridge"
}

// WithFlags adds the flags of a setup to the commands of this program in a text.
func WithFlags(text string, flags []string) string {
	if len(flags) == 0 {
		return text
	}
	name := "brainbridge" + shellWords(flags) + " "
	return strings.NewReplacer("`brainbridge ", "`"+name, ": brainbridge ", ": "+name).Replace(text)
}

// hookEvent is an event for which we install a hook, and how long the agent waits
// for it, in the unit of the agent.
type hookEvent struct {
	name    string
	timeout int
}

// hookEvents returns events with the same timeout.
func hookEvents(timeout int, names ...string) []hookEvent {
	var all []hookEvent
	for _, name := range names {
		all = append(all, hookEvent{name, timeout})
	}
	return all
}

// jsonHooks sets our hooks for events, or removes them.
func jsonHooks(s Setup, events []hookEvent) change {
	return func(data []byte, install bool) ([]byte, []string, error) {
		return editJSON(data, install, func(j *edit.JSON) ([]string, error) {
			for _, event := range events {
				var err error
				if install {
					err = installHook(j, event, s.hookCommand(event.name))
				} else {
					err = removeHook(j, event.name)
				}
				if err != nil {
					return nil, err
				}
			}
			return nil, nil
		})
	}
}

// editJSON edits a JSON file. A blank one is not edited to remove something.
func editJSON(data []byte, install bool, fn func(*edit.JSON) (notes []string, err error)) ([]byte, []string, error) {
	if !install && len(bytes.TrimSpace(data)) == 0 {
		return data, nil, nil
	}
	j, err := edit.ParseJSON(data)
	if err != nil {
		return nil, nil, err
	}
	notes, err := fn(j)
	if err != nil {
		return nil, nil, err
	}
	return j.Bytes(), notes, nil
}

// installHook sets one hook.
func installHook(j *edit.JSON, h hookEvent, command string) error {
	group, n, err := findHook(j, h.name)
	if err != nil {
		return err
	}
	if group != "" {
		found, err := j.At("hooks", h.name, group, "hooks", n, "command")
		if err == nil && found.Text != command {
			j.Replace(found.Span, edit.Quote(command))
		}
		return err
	}
	indent := j.IndentUnit()
	return j.Append(fmt.Sprintf("{\n%[1]s\"hooks\": [\n%[1]s%[1]s{\"type\": \"command\", \"command\": %[2]s, \"timeout\": %[3]d}\n%[1]s]\n}",
		indent, edit.Quote(command), h.timeout), "hooks", h.name)
}

// findHook finds our hook for an event: its group, and its place in it. Both are
// "" if there is none.
func findHook(j *edit.JSON, event string) (group, hook string, err error) {
	list, err := j.At("hooks", event)
	if err != nil || list == nil {
		return "", "", err
	}
	if list.Kind != edit.List {
		return "", "", fmt.Errorf("hooks.%s is not a list", event)
	}
	for g := range list.Members {
		hooks := list.Members[g].Value.Get("hooks")
		if hooks == nil {
			continue
		}
		for h := range hooks.Members {
			if command := hooks.Members[h].Value.Get("command"); command != nil && isHook(command.Text, event) {
				return strconv.Itoa(g), strconv.Itoa(h), nil
			}
		}
	}
	return "", "", nil
}

// removeHook removes our hooks for an event, and what is empty then.
func removeHook(j *edit.JSON, event string) error {
	for {
		group, n, err := findHook(j, event)
		if err != nil || group == "" {
			return err
		}
		path := []string{"hooks", event, group}
		if hooks, err := j.At("hooks", event, group, "hooks"); err != nil {
			return err
		} else if len(hooks.Members) > 1 {
			path = append(path, "hooks", n)
		}
		if err := j.Remove(path...); err != nil {
			return err
		}
		if err := j.RemoveEmpty("hooks", event); err != nil {
			return err
		}
	}
}
