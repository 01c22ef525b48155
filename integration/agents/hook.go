package agents

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/config"
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
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:@") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// isHook reports whether a command is our hook for an event, with any path and flags. The
// program is called brainbridge, or as the one that is running.
func (s Setup) isHook(command, event string) bool {
	program, rest, found := strings.Cut(command, " hook "+event)
	program = strings.Trim(program, "'")
	flags := rest == "" || strings.HasPrefix(rest, " --") || strings.HasPrefix(rest, " '--")
	name := filepath.Base(program)
	return found && flags && (name == "brainbridge" || name == filepath.Base(s.Program))
}

// installHook adds our hook for an event, or updates the command of the one that is there. The
// timeout stays, because a person may have changed it.
func (s Setup) installHook(j *config.JSON, h hookEvent) error {
	path, found, err := s.findHook(j, h.name)
	command := s.hookCommand(h.name)
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
func (s Setup) findHook(j *config.JSON, event string) (path []string, command string, err error) {
	all, list := j.At("hooks"), j.At("hooks", event)
	switch {
	case all.Exists() && !all.IsObject():
		return nil, "", errors.New("hooks is not an object")
	case list.Exists() && !list.IsArray():
		return nil, "", fmt.Errorf("hooks.%s is not a list", event)
	}
	for g, group := range list.Array() {
		hooks := group.Get("hooks")
		for h, hook := range hooks.Array() {
			if c := hook.Get("command").String(); hooks.IsArray() && s.isHook(c, event) {
				return []string{"hooks", event, strconv.Itoa(g), "hooks", strconv.Itoa(h)}, c, nil
			}
		}
	}
	return nil, "", nil
}

// removeHook removes our hooks for an event, and lists that become empty.
func (s Setup) removeHook(j *config.JSON, event string) error {
	for {
		path, _, err := s.findHook(j, event)
		if err != nil || path == nil {
			return err
		}
		if len(j.At(path[:4]...).Array()) == 1 {
			path = path[:3] // the group has no other
		}
		if err := j.Remove(0, path...); err != nil {
			return err
		}
	}
}
