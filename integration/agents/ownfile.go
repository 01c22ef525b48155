package agents

import (
	"embed"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/config/edit"
)

//go:embed files/*.md
var embedded embed.FS

// skillFile is the name of the file of a skill.
const skillFile = "SKILL.md"

// ownFile is a file that is entirely ours. If its usual path is taken by another file,
// it goes to the other one.
type ownFile struct {
	what         string
	mark         string // format of a comment
	usual, other ownPath
}

// ownPath is a path that a file of ours can have, and its text there.
type ownPath struct{ path, text string }

const (
	markdownMark = "<!-- %s -->"
	tomlMark     = "# %s"
)

// signature is that of our files with a format of comments.
func signature(mark string) edit.Signature {
	return edit.Signature{Comment: mark, Note: "written by brainbridge install ", HashBytes: 8}
}

// file plans to write or remove a file of ours. A file that a person wrote or changed
// stays.
func (p *Plan) file(f ownFile, install bool) error {
	for _, place := range []ownPath{f.usual, f.other} {
		path := place.path
		before, err := durable.ReadFile(path)
		if err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
		mine := signature(f.mark).Signed(string(before))
		switch {
		case !install && mine:
			p.Changes = append(p.Changes, Change{Path: path, What: "remove " + f.what, before: before})
		case install && (before == nil || mine):
			if place == f.other {
				p.Notes = append(p.Notes, fmt.Sprintf("%s is not ours and stays; ours is %s", f.usual.path, path))
			}
			if after := signature(f.mark).Sign(place.text); string(before) != after {
				p.Changes = append(p.Changes, Change{Path: path, What: f.what, before: before, after: []byte(after)})
			}
			return nil
		}
	}
	if install {
		p.Notes = append(p.Notes, fmt.Sprintf("%s was left out: %s and %s are not ours", f.what, f.usual.path, f.other.path))
	}
	return nil
}

func embeddedText(name string) string {
	data, err := embedded.ReadFile("files/" + name + ".md")
	if err != nil {
		panic(err) // the file is part of the program
	}
	return string(data)
}

// text returns an embedded file with the flags of the setup.
func (s Setup) text(name string) string { return WithFlags(embeddedText(name), s.Flags) }

// commandFile returns the file of a slash command: Markdown, or TOML for Gemini CLI.
func (s Setup) commandFile(dir, name string) ownFile {
	text, mark, ext := s.text(name), markdownMark, ".md"
	if s.Agent == Gemini {
		text, mark, ext = geminiCommand(text), tomlMark, ".toml"
	}
	return ownFile{
		"command /" + name, mark,
		ownPath{filepath.Join(dir, name+ext), text},
		ownPath{filepath.Join(dir, prefix+name+ext), text},
	}
}

// prefix begins the names of our files if another file has the name.
const prefix = "brainbridge-"

// commandText returns the description and the body of a slash command.
func commandText(text string) (description, body string) {
	_, rest, _ := strings.Cut(text, "description: ")
	description, rest, _ = strings.Cut(rest, "\n")
	_, body, _ = strings.Cut("\n"+rest, "\n---\n")
	return description, body
}

// geminiCommand returns a slash command in the format of Gemini CLI.
func geminiCommand(text string) string {
	description, body := commandText(text)
	body = strings.ReplaceAll(body, "$ARGUMENTS", "{{args}}")
	return fmt.Sprintf("description = '%s'\nprompt = '''\n%s'''\n", description, body)
}

// commandSkill returns a slash command as a skill, for agents without slash commands.
// Only the person can call it, and it gets no arguments.
func (s Setup) commandSkill(dir, name string) ownFile {
	description, body := commandText(s.text(name))
	body = strings.ReplaceAll(body, " $ARGUMENTS`", "`, with the options that the person named if any,")
	return skillAt(dir, name, prefix+name, "command "+name, func(name string) string {
		return fmt.Sprintf("---\nname: %s\ndescription: %q\ndisable-model-invocation: true\n---\n%s", name, description, body)
	})
}

// skill returns our skill in a folder of skills.
func (s Setup) skill(dir string) ownFile {
	return skillAt(dir, "brainbridge", prefix+"memory", "skill", func(name string) string {
		return strings.Replace(s.text("skill"), "\nname: brainbridge\n", "\nname: "+name+"\n", 1)
	})
}

// skillAt returns a skill in a folder of skills, where its own folder has its name.
func skillAt(dir, name, other, what string, text func(name string) string) ownFile {
	return ownFile{
		what, markdownMark,
		ownPath{filepath.Join(dir, name, skillFile), text(name)},
		ownPath{filepath.Join(dir, other, skillFile), text(other)},
	}
}
