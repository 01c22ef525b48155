package dailynote

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/brain/words"
)

// statement is the reading of a list item or paragraph.
type statement struct {
	kind  string // "" if it is not a bullet
	title string
	task  task   // of a checkbox
	list  string // kind of the items nested in it, if it is only a label
	clock header // the time at its beginning, if there is one
	why   string // why a task or a label is not read as one
}

// reminderKind is the kind of an open checkbox.
const reminderKind = "reminder"

// statementIn reads an item. above is the heading, or a label around it; nested reports whether
// it is part of a bullet or outcome, so that only a label or a time makes it one of its own.
func (p *parser) statementIn(it item, above lead, nested bool) statement {
	if p.plain != "" {
		return statement{}
	}
	text := p.itemText(it, it.own)
	if behind, sign, ok := checkbox(text); ok && !it.paragraph {
		return p.taskIn(behind, sign)
	}
	if p.board {
		return statement{why: "it is in a board"}
	}
	clock, text := cutTime(text)
	found := p.statementOf(it, text, above, nested && clock.clock == "")
	found.clock = clock
	return found
}

// taskIn reads a task. Outside daily notes only one with a date counts.
func (p *parser) taskIn(text string, sign byte) statement {
	if strings.IndexByte(openSigns+closedSigns, sign) < 0 {
		return statement{}
	}
	t := p.task(text, sign)
	switch wrong := p.wrongDueIn(text); {
	case !strings.ContainsFunc(t.shown, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }), todoLabel().MatchString(t.shown):
		return statement{why: "it has no text"}
	case p.daily && !p.board || !t.due.IsZero():
		return statement{kind: reminderKind, title: firstLine(t.shown), task: t}
	case wrong != "":
		return statement{why: fmt.Sprintf(notADate, wrong)}
	}
	return statement{why: "it has no date, which a task outside daily notes needs, such as 📅 2026-12-05"}
}

// statementOf reads the text of an item that is not a task.
func (p *parser) statementOf(it item, text string, above lead, nested bool) statement {
	if strings.HasPrefix(text, "> ") || strings.TrimSpace(inlineCode().ReplaceAllString(text, "")) == "" { // quoted, or code
		return statement{}
	}
	kind, subject, rest := label(text)
	if subject != "" {
		subject += ": "
	}
	switch {
	case kind != "" && strings.TrimSpace(rest) == "":
		return statement{list: kind}
	case it.paragraph && nested:
		return statement{}
	case p.opts.Repeated != nil && p.opts.Repeated(words.Key(rest)), kind == "" && nested:
		return statement{}
	case kind == "":
		return p.unlabelled(it, rest, above)
	}
	switch why := incomplete(rest, labelledWords); {
	case why != "":
		return statement{why: why}
	case !p.daily && !isStatementKind(kind):
		return statement{why: kind + " is a label in daily notes only"}
	case subject == "":
		return statement{kind: kind, title: firstLine(rest)}
	}
	return statement{kind: kind, title: firstLine(subject + firstLine(rest))}
}

// unlabelled reads an item without a label: a statement by its heading, or an explicit one.
func (p *parser) unlabelled(it item, text string, above lead) statement {
	switch {
	case it.callout, incomplete(text, wholeWords) != "", !p.daily && !p.opts.Kept:
	case isStatementKind(above.kind):
		title := firstLine(text)
		if above.subject != "" {
			title = firstLine(above.subject + title)
		}
		return statement{kind: above.kind, title: title}
	default:
		for _, i := range extract.Explicit([]extract.Turn{{Speaker: extract.Note, Text: text}}) {
			return statement{kind: string(i.Kind), title: i.Title}
		}
		if p.daily && (!it.paragraph || len(p.headings) == 0) && keyword().MatchString(inlineCode().ReplaceAllString(text, "")) {
			return statement{kind: "note", title: firstLine(text)}
		}
	}
	return statement{}
}

// inlineCode matches code in a line.
var inlineCode = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("`[^`\n]*`") })

// keyword matches the words by which the guide promises that a bullet of a daily note is kept.
var keyword = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:decision|decided|lesson|bug|fixed|completed|issue|problem|resolved|critical|important|error|failure|success|pattern|insight)\b`)
})

// subjectOf returns the subject of items under a heading, "" if that is long or a date.
func subjectOf(heading string) string {
	const longest = 40
	if item, ok := markdown.ParseItem(heading); ok { // numbered
		heading = heading[item.Text:]
	}
	heading, _, _ = strings.Cut(heading, "(")
	heading = strings.TrimSpace(heading)
	if heading == "" || len(heading) > longest || moment.LeadingDay(heading) == heading {
		return ""
	}
	return heading + SubjectSeparator
}

// SubjectSeparator separates the subject of a list from the item in the title of a bullet. With
// colons, "Editor: vim" and "Editor: two spaces" would be a conflict.
const SubjectSeparator = " – "

// firstLine returns the first line of a text in plain text, without a date before it, and
// emojis, unless one of them takes the place of "not".
func firstLine(text string) string {
	line, _, _ := strings.Cut(markdown.Plain(text), "\n")
	line = strings.TrimSpace(line)
	if cluster := emojiPrefix(line); !strings.ContainsAny(cluster, "❌🚫⛔") || hasNegation(line) {
		line = cmp.Or(strings.TrimSpace(line[len(cluster):]), line)
	}
	if date, rest, ok := strings.Cut(line, ":"); ok && moment.LeadingDay(strings.Trim(date, "_[] ")) == strings.Trim(date, "_[] ") {
		line = strings.TrimSpace(rest)
	}
	if inner := strings.Trim(line, "*_"); len(line) > len(inner) && !strings.Contains(inner, "__") {
		line = strings.TrimSpace(inner)
	}
	return line
}
