package dailynote

import (
	"cmp"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// readFields returns an outcome with the values of its fields, the first of each name, and the
// numbers of their lines. Values that cannot be read are reported.
func (p *parser) readFields(from, to int) (o Outcome, lines []int) {
	for i, field := range p.fieldLines(from, to) {
		if p.setField(&o, i, field[0], field[1]) {
			lines = append(lines, i)
		}
	}
	return o, lines
}

// idLine returns the line of the ID field, or -1.
func (p *parser) idLine(from, to int) int {
	for i, field := range p.fieldLines(from, to) {
		if field[0] == "id" && field[1] != "" {
			return i
		}
	}
	return -1
}

// fieldLines yields the lines with the form of a field, before the captured content.
func (p *parser) fieldLines(from, to int) iter.Seq2[int, [2]string] {
	return func(yield func(int, [2]string) bool) {
		for i := from; i < to && !isContentHeading(p.Document, i); i++ {
			name, value, ok := cutField(p.Line(i))
			if ok && !p.Lines[i].Fenced && !yield(i, [2]string{name, value}) {
				return
			}
		}
	}
}

// cutField splits "**Name:** value".
func cutField(line string) (name, value string, ok bool) {
	s, shallow := markdown.Outdent(line)
	rest, ok := strings.CutPrefix(s, "**")
	if !ok || !shallow {
		return "", "", false
	}
	name, value, ok = strings.Cut(rest, ":**")
	const longest = len("Importance")
	if !ok || len(name) > longest {
		return "", "", false
	}
	return strings.ToLower(name), strings.TrimSpace(value), true
}

// setField stores a field and reports whether its name is a known one.
func (p *parser) setField(o *Outcome, i int, name, value string) bool {
	set := func(to *string, read, wrong string) {
		switch {
		case read == "":
			p.problem(i, wrong, plaintext.Shorten(value, maxQuoted))
		case *to == "":
			*to = read
		}
	}
	switch name {
	case "date":
		day := value
		if _, ok := parseDay(value); !ok {
			day = ""
		}
		set(&o.Date, day, "%q is not a date, so the day of the file counts; write YYYY-MM-DD")
	case "type":
		set(&o.Type, typeWord(value), "%q is not a type and is left out; write a word such as decision")
	case "importance":
		set(&o.Importance, parseGrade(value), "%q is not an importance and is left out; write critical, important or reference")
	case "id":
		o.ID = cmp.Or(o.ID, value)
	case "tags":
		if o.Tags == nil {
			o.Tags = splitTags(value)
		}
	case "project":
		o.Project = cmp.Or(o.Project, value)
	case "time", "source": // for people; the header has the time
	default:
		return false
	}
	return true
}

// splitTags reads "#a #b"; commas and missing number signs do no harm.
func splitTags(s string) []string {
	var tags []string
	for _, tag := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' }) {
		if tag = strings.TrimLeft(tag, "#"); tag != "" && !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	return tags
}

const projectMark = "#project/"

// projectTagOf returns the tag of a project, "" if its name cannot be read back from one.
func projectTagOf(name string) string {
	if tag := projectMark + name; name != "" && projectTag(tag) == name {
		return tag
	}
	return ""
}

var projectPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[\s(,;])` + projectMark + `([\p{L}\p{Nd}_.-]+)`)
})

// projectTag returns NAME of the first tag #project/NAME in a text, "" without one.
func projectTag(text string) string {
	if !strings.Contains(text, projectMark) {
		return ""
	}
	if found := projectPattern().FindStringSubmatch(text); found != nil {
		return strings.TrimRight(found[1], ".")
	}
	return ""
}

// projectIn returns the project of the first tag outside fences in the lines, "" without one.
func (p *parser) projectIn(from, to int) (name string) {
	for i := from; i < to && name == ""; i++ {
		if !p.Lines[i].Fenced {
			name = projectTag(p.Line(i))
		}
	}
	return name
}
