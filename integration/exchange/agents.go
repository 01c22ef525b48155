package exchange

import (
	"cmp"
	"path"
	"path/filepath"
	"strings"

	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/moment"
)

// memoryFile is the file in which agents keep their memory.
const memoryFile = "MEMORY.md"

// pickClaude takes the Markdown of memory folders. The root is the memory folder itself,
// the folder of a project, or that of all projects.
func pickClaude(rel string) bool {
	dir := path.Dir(rel)
	_, below, _ := strings.Cut(dir, "/")
	return isMarkdown(rel) && (dir == "." || within(dir, "memory") || within(below, "memory"))
}

// within reports whether a path is a folder or below it.
func within(rel, dir string) bool { return rel == dir || strings.HasPrefix(rel, dir+"/") }

func readClaude(r *reader) {
	if strings.EqualFold(filepath.Base(r.file.path), memoryFile) || !r.topic() {
		r.notes()
	}
}

// topic reads a file with front matter that has a name or a description, as one
// memory.
func (r *reader) topic() bool {
	front, body, line := splitFront(r.source)
	fields, err := markdown.ParseFields(front)
	if front == "" || err != nil || fields.Text("name") == "" && fields.Text("description") == "" {
		return false
	}
	e := entry{
		line: line, name: fields.Text("name"), text: strings.Trim(body, "\r\n"), context: fields.Text("description"),
		extra: map[string]string{"frontMatter": front},
	}
	switch kind := strings.ToLower(fields.Text("type")); kind {
	case "user":
		e.kind = "person"
	case "feedback":
		e.kind, e.origin = "preference", "feedback"
	default:
		e.kind = cmp.Or(kind, "note")
	}
	if strings.TrimSpace(e.text) == "" {
		e.text, e.context, e.line = e.context, "", 1
	}
	e.day = dateIn(fields.Text("date") + " " + fields.Text("created"))
	e.created = moment.StartOfDay(e.day, r.o.Location)
	e.names = mentions(namesIn(body))
	r.add(e)
	return true
}
