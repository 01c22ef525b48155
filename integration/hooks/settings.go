package hooks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// applying changes the content of a settings file.
type applying func(data []byte, install bool) (after []byte, notes []string, err error)

// both applies one change after the other.
func both(first, second applying) applying {
	return func(data []byte, install bool) ([]byte, []string, error) {
		data, notes, err := first(data, install)
		if err != nil {
			return nil, nil, err
		}
		data, more, err := second(data, install)
		return data, append(notes, more...), err
	}
}

// hookCommand is how an agent calls the hook of an event.
func (s Setup) hookCommand(event string) string {
	command := shellWord(s.Program) + " hook " + event
	if s.Agent != ClaudeCode {
		command += " --agent " + s.Agent
	}
	return command + shellWords(s.Flags)
}

// shellWords are words as they follow others in a shell.
func shellWords(words []string) string {
	text := ""
	for _, w := range words {
		text += " " + shellWord(w)
	}
	return text
}

// shellWord is a word as a shell reads it.
func shellWord(word string) string {
	if strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:@") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// isHook reports whether a command is ours for an event, wherever the program
// was when it was installed, and whatever flags it was given.
func isHook(command, event string) bool {
	program, rest, found := strings.Cut(command, " hook "+event)
	program = strings.Trim(program, "'")
	flags := rest == "" || strings.HasPrefix(rest, " --") || strings.HasPrefix(rest, " '--")
	return found && flags && filepath.Base(program) == "brainbridge"
}

// WithFlags gives the commands of this program that a text names the flags that
// an agent was set up with.
func WithFlags(text string, flags []string) string {
	if len(flags) == 0 {
		return text
	}
	name := "brainbridge" + shellWords(flags) + " "
	return strings.NewReplacer("`brainbridge ", "`"+name, ": brainbridge ", ": "+name).Replace(text)
}

// hookEvent is an event of an agent that has a hook of ours. Patience is what the
// agent may wait for it, in its own unit.
type hookEvent struct {
	name     string
	patience int
}

// hookEvents are events with one patience.
func hookEvents(patience int, names ...string) []hookEvent {
	var all []hookEvent
	for _, name := range names {
		all = append(all, hookEvent{name, patience})
	}
	return all
}

// jsonHooks sets our hooks for events, or takes them away.
func jsonHooks(s Setup, events []hookEvent) applying {
	return func(data []byte, install bool) ([]byte, []string, error) {
		e := jsonEdit{data}
		if install {
			e.begin()
		}
		for _, event := range events {
			if err := e.hook(event, s.hookCommand(event.name), install); err != nil {
				return nil, nil, err
			}
		}
		if !install && !bytes.Equal(e.data, data) {
			if err := e.dropEmpty("hooks"); err != nil {
				return nil, nil, err
			}
		}
		return e.data, nil, nil
	}
}

// hook sets one hook, or takes it away.
func (e *jsonEdit) hook(h hookEvent, command string, install bool) error {
	event := h.name
	there, err := e.at("hooks", event)
	if err != nil {
		return err
	}
	if there != nil && there.kind != '[' {
		return fmt.Errorf("hooks.%s %w: a list is expected", event, errShape)
	}
	if !install {
		return e.unhook(there, event)
	}
	if there != nil {
		for _, group := range there.members {
			if found := ourHook(group.value, event); found != nil {
				if found.text != command {
					e.splice(found.start, found.end, jsonText(command))
				}
				return nil
			}
		}
	}
	list, err := e.ensure('[', "hooks", event)
	if err != nil {
		return err
	}
	unit := e.unit()
	e.add(list, fmt.Sprintf("{\n%[1]s\"hooks\": [\n%[1]s%[1]s{\"type\": \"command\", \"command\": %[2]s, \"timeout\": %[3]d}\n%[1]s]\n}", unit, jsonText(command), h.patience))
	return nil
}

// ourHook is the command of ours in a group of hooks; nil where there is none.
func ourHook(group jsonValue, event string) *jsonValue {
	list := group.member("hooks")
	if group.kind != '{' || list == nil {
		return nil
	}
	for i := range list.members {
		if c := list.members[i].value.member("command"); c != nil && isHook(c.text, event) {
			return c
		}
	}
	return nil
}

// unhook takes our hooks for an event away, and what is empty then.
func (e *jsonEdit) unhook(there *jsonValue, event string) error {
	before := e.data
	for there != nil {
		at := slices.IndexFunc(there.members, func(m jsonMember) bool { return ourHook(m.value, event) != nil })
		if at < 0 {
			break
		}
		if list := there.members[at].value.member("hooks"); len(list.members) == 1 {
			e.remove(there, at)
		} else {
			e.remove(list, slices.IndexFunc(list.members, func(m jsonMember) bool {
				c := m.value.member("command")
				return c != nil && isHook(c.text, event)
			}))
		}
		var err error
		if there, err = e.at("hooks", event); err != nil {
			return err
		}
	}
	if there == nil || bytes.Equal(e.data, before) {
		return nil
	}
	return e.dropEmpty("hooks", event)
}

// dropEmpty takes the last key of a path away if nothing at all is in it.
func (e *jsonEdit) dropEmpty(path ...string) error {
	v, err := e.at(path...)
	if err != nil || v == nil || len(v.members) > 0 || strings.TrimSpace(string(e.data[v.start+1:max(v.start+1, v.end-1)])) != "" {
		return err
	}
	return e.drop(path...)
}

func jsonText(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always has a form
	}
	return string(data)
}
