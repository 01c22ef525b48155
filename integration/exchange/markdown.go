package exchange

import (
	"cmp"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/brain/redact"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/watcher"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// oneMemory is the size, in bytes, of a file that can be one memory by its front matter.
const oneMemory = 2 << 10

// readMarkdown reads a file of our own export, or a note. One whose front matter says that
// it is a decision, a lesson or the like is one memory if it is short.
func readMarkdown(r *reader) {
	front, body, line := splitFront(r.source)
	if strings.HasPrefix(front, versionKey+":") {
		r.own(front, body)
		return
	}
	all, _ := markdown.ParseFields(front)
	kind := dailynote.KindOf(all.Text("type"))
	if kind == "" || kind == "note" || dailynote.IsOfMemoryTool(all) {
		r.notes()
		return
	}
	body, injected := r.withoutInjected(body, line)
	if text := strings.Trim(body, "\r\n"); strings.TrimSpace(text) == "" || len(text) > oneMemory {
		r.notes()
		return
	}
	base := filepath.Base(r.file.path)
	e := entry{
		line: line, name: cmp.Or(all.Text("title"), strings.TrimSuffix(base, filepath.Ext(base))), text: strings.Trim(body, "\r\n"),
		kind: kind, tags: all.List("tags"), names: mentions(body), project: r.project(dailynote.FrontProject(all)),
		extra: map[string]string{"frontMatter": front},
	}
	written := cmp.Or(all.Text("created"), all.Text("date"), all.Text("created_at"))
	if written == "" {
		written = r.titleDay(body, e.name)
	}
	e.day, e.created = r.dated(written)
	clean, _ := redact.Text(e.text) // add counts its secrets
	e.key = brain.Hash("note", words.Key(clean), words.Key(e.name), e.day)
	r.report.LeftOut = append(r.report.LeftOut, injected...)
	r.add(e)
}

// withoutInjected returns a text that begins on a line without the memories of another tool,
// and these as left out.
func (r *reader) withoutInjected(text string, line int) (own string, injected []Problem) {
	own = dailynote.WithoutInjected(text, func(at int) {
		injected = append(injected, Problem{File: r.file.rel, Line: line + at - 1, Message: "the memories of another tool"})
	})
	return own, injected
}

// dated reads the date of a front matter or of a file name.
func (r *reader) dated(text string) (day string, created time.Time) {
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return t.In(r.o.Location).Format(time.DateOnly), t
	}
	day = moment.DayIn(text)
	return day, moment.StartOfDay(day, r.o.Location)
}

// titleDay returns the date in the title of a text or in the name of its file, "" for none.
func (r *reader) titleDay(body, title string) string {
	opts := dailynote.Options{Modified: r.file.modified, Location: r.o.Location}
	return cmp.Or(dailynote.Parse([]byte(body), opts).Date, opts.TitleDay(title), opts.TitleDay(filepath.Base(r.file.path)))
}

// The file in which agents keep their memory, and the folder of it and its topic files.
const (
	memoryFile   = "MEMORY.md"
	memoryFolder = "memory"
)

// pickClaude selects the Markdown files of memory folders. The root is the memory folder
// itself, the folder of a project, or that of all projects.
func pickClaude(rel string) bool {
	dir := path.Dir(rel)
	_, below, _ := strings.Cut(dir, "/")
	return isMarkdown(rel) && (dir == "." || watcher.Within(dir, memoryFolder) || watcher.Within(below, memoryFolder))
}

func readClaude(r *reader) {
	if strings.EqualFold(filepath.Base(r.file.path), memoryFile) || !r.topic() {
		r.notes()
	}
}

// topic reads a file whose front matter has a name or a description as one memory.
func (r *reader) topic() bool {
	front, body, line := splitFront(r.source)
	fields, _ := markdown.ParseFields(front)
	if front == "" || fields.Text("name") == "" && fields.Text("description") == "" || dailynote.IsOfMemoryTool(fields) {
		return false
	}
	body, injected := r.withoutInjected(body, line)
	if strings.TrimSpace(body) == "" && len(injected) > 0 {
		return false // what the front matter describes is of another tool
	}
	e := entry{
		line: line, name: fields.Text("name"), text: strings.Trim(body, "\r\n"), context: fields.Text("description"),
		extra: map[string]string{"frontMatter": front}, project: r.project(dailynote.FrontProject(fields)),
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
	if e.day = moment.DayIn(fields.Text("date") + " " + fields.Text("created")); e.day == "" {
		e.day = r.titleDay(body, e.name)
	}
	e.created = moment.StartOfDay(e.day, r.o.Location)
	e.names = mentions(body)
	r.report.LeftOut = append(r.report.LeftOut, injected...)
	r.add(e)
	return true
}
