package agents

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/config/edit"
)

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
