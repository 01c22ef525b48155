package dailynote

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"
	"go.yaml.in/yaml/v3"

	"github.com/brainbridge/brainbridge/brain/markdown"
)

// UnreadProject is the project of a file whose front matter names one that cannot be read. No
// session is ever in it, so nothing of the file is pushed.
const UnreadProject = "?"

// FrontProject returns the project that a front matter names, [UnreadProject] if what it names is
// not a name, "" if it names none.
func FrontProject(fields markdown.Fields) string {
	n := fields["project"]
	if n == nil {
		return tagIn(fields.List("tags"), fields.List("tag"))
	}
	value := fields.Text("project")
	if all := fields.List("project"); value == "" && len(all) > 0 {
		value = all[0]
	}
	name := cleanProject(value)
	switch lower := strings.ToLower(value); { // a template that was not filled in names none
	case lower == "none", lower == "n/a", n.Kind != yaml.MappingNode && strings.Trim(value, `"'- `) == "":
		return tagIn(fields.List("tags"), fields.List("tag"))
	case name != "":
		return name
	}
	return UnreadProject
}

// cleanProject returns the name of a project in the forms that people write:
//
//	[[Projects/Name|alias]], [[Name#heading]], [Name](file.md), #project/name, projects/name.md, "**Name**"
func cleanProject(value string) string {
	if slices.Contains(strings.Split(strings.ReplaceAll(value, `\`, "/"), "/"), "..") {
		return ""
	}
	value, _, _ = strings.Cut(value, "](")
	if strings.Contains(value, "[[") {
		value, _, _ = strings.Cut(value, "#")
		value, _, _ = strings.Cut(value, "]]")
	}
	value, _, _ = strings.Cut(value, "|")
	const marks = "[]\"'`*_@# \t"
	value = path.Base(strings.ReplaceAll(strings.TrimRight(strings.TrimLeft(value, marks), marks+`/\`), `\`, "/"))
	if value = strings.TrimSuffix(value, ".md"); strings.ContainsAny(value, "{}<>\n\x00") || strings.Trim(value, "./-") == "" {
		return ""
	}
	return value
}

func tagIn(lists ...[]string) string {
	for _, list := range lists {
		for _, tag := range list {
			if name := projectTag("#" + strings.Trim(tag, `[]#"',`)); name != "" {
				return name
			}
		}
	}
	return ""
}

// topTag returns the project of a tag in the title or of a line of tags at the top of a file, ""
// without one.
func (p *parser) topTag() string {
	for i := p.body; i < len(p.Lines) && p.Lines[i].Level < 2 && !p.Lines[i].Fenced; i++ {
		words := strings.Fields(p.Line(i))
		if len(words) == 0 {
			continue
		}
		for _, word := range words {
			if !strings.HasPrefix(word, "#") && p.Lines[i].Level == 0 {
				return ""
			}
		}
		if name := projectTag(p.Line(i)); name != "" {
			return name
		}
	}
	return ""
}

var projectsFolder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^(?:\d+[ ._-]*)?projects$`) })

// PathProject returns the project of a file by its path, with slashes. It is the first of:
//
//   - the name that belongs to the first of the globs that matches,
//   - NAME in projects/NAME/… or "1 Projects/NAME/…",
//   - NAME in projects/NAME.md, unless that file is an index of the folder,
//   - "".
func PathProject(rel string, globs [][2]string) string {
	for _, g := range globs {
		if ok, err := doublestar.Match(strings.ToLower(g[0]), strings.ToLower(rel)); ok && err == nil {
			return g[1]
		}
	}
	parts := strings.Split(rel, "/")
	for i, part := range parts[:len(parts)-1] {
		if !projectsFolder().MatchString(part) {
			continue
		}
		name := parts[i+1]
		if i+2 < len(parts) {
			return name
		}
		name = strings.TrimSuffix(name, path.Ext(name))
		switch strings.Trim(strings.ToLower(name), "_") {
		case "readme", "index", "moc", strings.ToLower(part):
			return ""
		}
		return name
	}
	return ""
}
