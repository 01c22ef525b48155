package agents

import (
	"bytes"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

//go:embed files/*.md
var embedded embed.FS

const skillFile = "SKILL.md"

// ownFile is a file that only we write, at the first of its places that is not taken.
type ownFile struct {
	what   string
	places []ownPath
}

type ownPath struct {
	path, text string
	prefix     string   // before the name of a command
	policy     *ownPath // a file that belongs to it, nil for none
}

func signature(path string) durable.Signature {
	comment := "# %s" // TOML, YAML
	if filepath.Ext(path) == ".md" {
		comment = "<!-- %s -->"
	}
	return durable.Signature{Comment: comment, Note: "written by brainbridge install ", HashBytes: 8}
}

// file plans to write or remove a file of ours, unless a person wrote or changed it.
func (p *Plan) file(f ownFile, install bool) error {
	if !install {
		return p.removal(f)
	}
	for i, place := range f.places {
		before, err := durable.ReadFile(place.path)
		if err != nil {
			return fmt.Errorf("read %s: %w", place.path, err)
		}
		if before != nil && !signature(place.path).Signed(string(before)) {
			continue
		}
		if i > 0 {
			p.Notes = append(p.Notes, fmt.Sprintf("%s is not ours and stays; ours is %s", f.places[0].path, place.path))
		}
		after := []byte(signature(place.path).Sign(place.text))
		if !bytes.Equal(before, after) {
			p.Changes = append(p.Changes, Change{Path: place.path, What: f.at(place), before: before, after: after, mode: 0o644})
		}
		if place.policy != nil {
			return p.file(f.policy(place), true)
		}
		return nil
	}
	p.Notes = append(p.Notes, fmt.Sprintf("left out the %s: %s is not ours", f.what, english.WordSeries(brain.Map(f.places, func(p ownPath) string { return p.path }), "and")))
	return nil
}

func (p *Plan) removal(f ownFile) error {
	for _, place := range f.places {
		before, err := durable.ReadFile(place.path)
		if err != nil {
			return fmt.Errorf("read %s: %w", place.path, err)
		}
		sign := signature(place.path)
		mine := sign.Signed(string(before))
		if before != nil && !mine {
			if strings.Contains(string(before), sign.Note) {
				p.Notes = append(p.Notes, place.path+" was edited and stays")
			}
			continue
		}
		if place.policy != nil {
			if err := p.removal(f.policy(place)); err != nil {
				return err
			}
		}
		entries, err := os.ReadDir(filepath.Dir(place.path))
		empty := err == nil && len(entries) == 0 && filepath.Base(place.path) == skillFile // its file was removed by hand
		if mine || empty {
			p.Changes = append(p.Changes, Change{Path: place.path, What: "remove " + f.at(place), before: before})
		}
	}
	return nil
}

func (f ownFile) at(place ownPath) string { return strings.Replace(f.what, "/", "/"+place.prefix, 1) }

func (f ownFile) policy(place ownPath) ownFile {
	return ownFile{"policy of " + f.what, []ownPath{*place.policy}}
}

// text returns an embedded file for the agent.
func (s Setup) text(name string) string {
	data, err := embedded.ReadFile("files/" + name + ".md")
	if err != nil {
		panic(err) // the file is part of the program
	}
	text := WithFlags(string(data), s.Flags)
	if s.Agent == Codex {
		text += toolNote
	}
	return text
}

// commandFile returns the file of a slash command, which only the person can call.
func (s Setup) commandFile(dir, name string) ownFile {
	text, ext := s.text(name), ".md"
	if s.Agent == Gemini {
		description, body := commandText(text)
		body = strings.ReplaceAll(body, "$ARGUMENTS", "{{args}}")
		text, ext = fmt.Sprintf("description = '%s'\nprompt = '''\n%s'''\n", description, body), ".toml"
	} else {
		text = strings.Replace(text, "\n---\n", "\nallowed-tools: mcp__memory, Bash(brainbridge:*)\ndisable-model-invocation: true\n---\n", 1)
	}
	return ownFile{"command /" + name, []ownPath{
		{path: filepath.Join(dir, name+ext), text: text},
		{path: filepath.Join(dir, prefix+name+ext), text: text, prefix: prefix},
	}}
}

// prefix begins the names of our files if another file has the name.
const prefix = "brainbridge-"

func commandText(text string) (description, body string) {
	_, rest, _ := strings.Cut(text, "description: ")
	description, rest, _ = strings.Cut(rest, "\n")
	_, body, _ = strings.Cut("\n"+rest, "\n---\n")
	return description, body
}

// commandSkill returns a slash command as a skill that only the person can call.
func (s Setup) commandSkill(dir, name string) ownFile {
	description, body := commandText(s.text(name))
	body = strings.ReplaceAll(body, " $ARGUMENTS`", "`, with the options that the person named if any,")
	f := skillAt(dir, name, prefix+name, "command "+name, func(name string) string {
		return fmt.Sprintf("---\nname: %s\ndescription: %q\ndisable-model-invocation: true\n---\n%s", name, description, body)
	})
	if s.Agent == Codex { // which offers a skill to the model in spite of that
		for i, place := range f.places {
			path := filepath.Join(filepath.Dir(place.path), "agents", "openai.yaml")
			f.places[i].policy = &ownPath{path: path, text: "policy:\n  allow_implicit_invocation: false\n"}
		}
	}
	return f
}

func (s Setup) skill(dir string) ownFile {
	return skillAt(dir, "brainbridge", prefix+"memory", "skill", func(name string) string {
		return strings.Replace(s.text("skill"), "\nname: brainbridge\n", "\nname: "+name+"\n", 1)
	})
}

func skillAt(dir, name, other, what string, text func(name string) string) ownFile {
	return ownFile{what, []ownPath{
		{path: filepath.Join(dir, name, skillFile), text: text(name)},
		{path: filepath.Join(dir, other, skillFile), text: text(other)},
	}}
}

// WithFlags returns a text with the flags of a setup in its commands.
func WithFlags(text string, flags []string) string {
	return strings.ReplaceAll(text, "`brainbridge ", "`brainbridge"+shellWords(flags)+" ")
}

const toolNote = `
A command of ` + "`brainbridge`" + ` cannot write to the memory from Codex's sandbox, so prefer the tools. Run a command that has no tool outside, with ` + "`sandbox_permissions`" + ` set to ` + "`require_escalated`" + ` and a ` + "`justification`" + `, so that the person is asked. The session itself is recorded without a command when it ends.
`
