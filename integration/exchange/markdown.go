package exchange

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// oneMemory is the size, in bytes, up to which a file whose front matter has the type of a
// memory becomes one.
const oneMemory = 2 << 10

// readMarkdown reads a file of our own export, or a note. One whose front matter says that
// it is a decision, a lesson or the like is one memory if it is short.
func readMarkdown(r *reader) {
	front, body, line := splitFront(r.source)
	if isOwn(front) {
		r.own(front, body)
		return
	}
	all, err := markdown.ParseFields(front)
	kind := dailynote.KindOf(all.Text("type"))
	if text := strings.Trim(body, "\r\n"); err != nil || kind == "" || kind == "note" || strings.TrimSpace(text) == "" || len(text) > oneMemory {
		r.notes()
		return
	}
	base := filepath.Base(r.file.path)
	e := entry{
		line: line, name: cmp.Or(all.Text("title"), strings.TrimSuffix(base, filepath.Ext(base))), text: strings.Trim(body, "\r\n"),
		kind: kind, tags: all.List("tags"), names: mentions(namesIn(body)), project: all.Text("project"),
		extra: map[string]string{"frontMatter": front},
	}
	if !brain.IsWord(e.project, brain.MaxName) {
		e.project = ""
	}
	e.day, e.created = r.dated(cmp.Or(all.Text("created"), all.Text("date"), all.Text("created_at"), base))
	e.key = brain.Hash("note", words.Key(cleaned(e.text)), words.Key(e.name), e.day)
	r.add(e)
}

// namesIn returns the names in double brackets outside code fences, each once.
func namesIn(text string) []string {
	var names []string
	for _, line := range markdown.Parse(text).Prose() {
		markdown.WikiLinks(line, func(name string) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		})
	}
	return names
}

// dated reads the date of a front matter or of a file name.
func (r *reader) dated(text string) (day string, created time.Time) {
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return t.In(r.o.Location).Format(time.DateOnly), t
	}
	day = dateIn(text)
	return day, moment.StartOfDay(day, r.o.Location)
}
