package exchange

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// oneMemory is the size, in bytes, up to which a file becomes one memory; a longer
// one is imported by heading.
const oneMemory = 16 << 10

// maxPartName bounds the name of one part of a longer file, in characters.
const maxPartName = 200

func readMarkdown(r *reader) {
	front, body, line := splitFront(r.source)
	if isOwn(front) {
		r.own(front, body)
		return
	}
	all, err := frontFields(front)
	if err != nil {
		r.problem(1, "its front matter is not YAML, so it is read as text: %v", err)
		front, body, line, all = "", r.source, 1, fields{}
	}
	name := filepath.Base(r.file.path)
	name = strings.TrimSuffix(name, filepath.Ext(name))
	e := entry{
		line: line, name: cmp.Or(all.text("title"), name), text: strings.Trim(body, "\r\n"),
		kind: noteKind(all.text("type")), tags: append(all.list("tags"), tagsIn(body)...), names: linksIn(body),
	}
	if front != "" {
		e.extra = map[string]string{"frontMatter": front}
	}
	e.day, e.created = r.dated(all, name)
	if strings.TrimSpace(e.text) == "" {
		e.text, e.line, e.extra = strings.TrimRight(front, "\r\n"), 1, nil
	}
	if len(e.text) > oneMemory {
		r.byHeading(e, body, line)
		return
	}
	e.key = noteKey(e)
	r.add(e)
}

// noteKey returns the identity of a note: of its text, its title and its date.
func noteKey(e entry) string {
	return brain.Hash("note", words.Key(cleaned(e.text)), words.Key(e.name), e.day)
}

func noteKind(kind string) string {
	kind = strings.ToLower(strings.TrimSpace(kind))
	if kind == "" || len(kind) > 64 || strings.ContainsFunc(kind, unicode.IsControl) {
		return "note"
	}
	return kind
}

// dated returns the date of a note: that of its front matter or of its name.
func (r *reader) dated(all fields, name string) (day string, created time.Time) {
	for _, key := range []string{"created", "date", "created_at", "createdat"} {
		text := all.text(key)
		if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
			return t.In(r.o.Location).Format(time.DateOnly), t
		}
		if day = dateIn(text); day != "" {
			return day, r.dayStart(day)
		}
	}
	day = dateIn(name)
	return day, r.dayStart(day)
}

// byHeading reads a long note as one memory for each heading. The first has the
// title of the note as its name, so that links to the note lead somewhere.
func (r *reader) byHeading(whole entry, body string, first int) {
	parsed := dailynote.Parse([]byte(body), dailynote.Options{Location: r.o.Location})
	for i, s := range parsed.Sections {
		e := whole
		e.line, e.text, e.context = s.Line+first-1, s.Text, s.Heading
		e.names, e.tags = linksIn(s.Heading+"\n"+s.Text), append(append([]string{}, whole.tags...), tagsIn(s.Text)...)
		if i > 0 {
			first, _, _ := strings.Cut(whole.name+": "+cmp.Or(s.Heading, s.Text), "\n")
			e.name, e.extra = plaintext.Clip(first, maxPartName), nil
		}
		if strings.TrimSpace(e.text) == "" {
			e.text, e.context = s.Heading, ""
		}
		e.key = noteKey(e)
		r.add(e)
	}
}

// linksIn returns the relations of a note: those of its list of relations, and
// mentions of all other names in double brackets.
func linksIn(body string) []brain.NamedRelation {
	var all []brain.NamedRelation
	typed := map[string]bool{}
	listed := false
	d := markdown.Parse(body)
	for i, line := range d.Prose() {
		if d.Lines[i].Level > 0 {
			listed = strings.EqualFold(markdown.HeadingText(line), "relations")
		}
		if kind, name, ok := relationOf(line); listed && ok {
			all = append(all, brain.NamedRelation{Type: kind, Name: name})
			typed[name] = true
		}
	}
	for _, name := range namesIn(body) {
		if !typed[name] {
			all = append(all, brain.NamedRelation{Type: "mentions", Name: name})
		}
	}
	return all
}

// relationOf reads "- type [[Name]]".
func relationOf(line string) (kind, name string, ok bool) {
	item, ok := markdown.ParseItem(line)
	if !ok {
		return "", "", false
	}
	kind, _, _ = strings.Cut(line[item.Text:], "[[")
	kind = strings.ToLower(strings.Join(strings.Fields(kind), "_"))
	markdown.WikiLinks(line, func(linked string) { name = cmp.Or(name, linked) })
	return kind, name, kind != "" && name != "" && len(kind) <= 64
}

// tagsIn returns the #tags of a text without its code.
func tagsIn(body string) []string {
	var all []string
	d := markdown.Parse(body)
	for i, line := range d.Prose() {
		if d.Lines[i].Level > 0 {
			continue
		}
		for _, word := range strings.Fields(line) {
			tag, ok := strings.CutPrefix(word, "#")
			tag = strings.TrimRight(tag, ".,;:!?)")
			if ok && tag != "" && len(tag) <= 64 && !strings.ContainsFunc(tag, notTag) && strings.ContainsFunc(tag, unicode.IsLetter) {
				all = append(all, tag)
			}
		}
	}
	return all
}

func notTag(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' && r != '/'
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
