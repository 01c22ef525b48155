package dailynote

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/markdown"
)

// boxForm matches what may be a task: a box, with or without the marker of a list item.
var boxForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[-*+]|[0-9]{1,9}[.)])?[ \t]*(?:\[([^\[\]]?|[ \t]+)\]|(☐))(?:[ \t]+(.*)|([\pL\d].*))?$`)
})

// reportUntaken reports the lines that look like an outcome, a task or a label, and are none;
// those of a plain file together.
func (p *parser) reportUntaken() {
	if p.opts.Quiet {
		return
	}
	first, count := 0, 0
	for i := p.body; i < len(p.Lines); i++ {
		what, why := p.untaken(i)
		switch {
		case what == "":
			continue
		case p.plain != "":
			if count++; count == 1 {
				first = i
			}
			continue
		case p.unread[i] != "":
			why = "it " + p.unread[i]
		case p.why[i] != "":
			why = p.why[i]
		}
		if why != "" {
			p.problem(i, "this looks like %s and is not read as one: %s", what, why)
		}
	}
	if count > 0 {
		p.problem(first, "lines that look like an outcome, a task or a label are only searched (%d): %s", count, p.plain)
	}
}

// untaken returns what a line looks like that is not part of an outcome or bullet, and why it is
// not one, as far as its form says.
func (p *parser) untaken(i int) (what, why string) {
	s := strings.TrimLeft(p.Line(i), "> \t")
	if !strings.ContainsAny(s, ":：[☐") || p.unread[i] == isInjected {
		return "", ""
	}
	if what, why = p.untakenOutcome(i, s); what != "" || p.taken[i] {
		return what, why
	}
	if what, why = untakenTask(s); what != "" {
		return what, why
	}
	return p.untakenLabel(i, s)
}

// untakenTask is untaken for an open task.
func untakenTask(s string) (what, why string) {
	found := boxForm().FindStringSubmatch(strings.TrimSpace(s))
	if found == nil {
		return "", ""
	}
	sign, _ := utf8.DecodeRuneInString(found[1])
	isMark := found[1] == "" || strings.ContainsRune(openSigns, sign) || !unicode.IsLetter(sign) && !unicode.IsDigit(sign) && sign != '-'
	_, isItem := markdown.ParseItem(s)
	switch {
	case !isMark:
		return "", ""
	case found[2] != "" || len(found[1]) > 1:
		return "a task", "its box is not [ ]; write - [ ] text"
	case found[4] != "" && found[1] != "":
		return "a task", "a blank is missing behind the box"
	case !isItem:
		return "a task", "a list marker is missing; write - [ ] text"
	case found[1] == "" || !strings.ContainsRune(openSigns, sign):
		return "a task", fmt.Sprintf("[%s] is not a state; write - [ ] text", found[1])
	}
	return "a task", ""
}

// untakenOutcome is untaken for the header of an outcome.
func (p *parser) untakenOutcome(i int, s string) (what, why string) {
	level, text := markdown.Heading(s)
	if level == 0 {
		return "", ""
	}
	switch h, ok, fault := parseHeader(text); {
	case !ok && fault == "" && p.daily && p.unread[i] == "" && isLabelled(text):
		return "an outcome", "its heading has no clock time at its beginning or end"
	case !ok, level == 1 && !h.bracketed: // the title of a session
		return "", ""
	case p.unread[i] != "" && (!p.daily || h.written+h.emoji == ""): // of code that shows something else
		return "", ""
	case !p.daily:
		return "an outcome", "the name of its file does not begin with a date"
	case level < minOutcomeLevel || level > maxOutcomeLevel:
		return "an outcome", fmt.Sprintf("its heading is of level %d, not 2 to 4", level)
	}
	return "an outcome", ""
}

// untakenLabel is untaken for a labelled statement.
func (p *parser) untakenLabel(i int, s string) (what, why string) {
	item, isItem := markdown.ParseItem(s)
	if isItem {
		s = strings.TrimLeft(s[item.Text:], " \t")
	}
	kind, _, rest := label(s)
	if level, _ := markdown.Heading(s); kind == "" || level > 0 || !strings.ContainsAny(s, ":：") {
		return "", ""
	}
	switch {
	case strings.TrimSpace(rest) == "":
		return "a label", p.untakenEmpty(i, kind)
	case !isItem && i > p.body && !p.Lines[i-1].Blank && p.unread[i-1] == "" && p.Lines[i-1].Level == 0:
		return "a label", "it continues the line above; put a blank line before it"
	}
	return "a label", ""
}

// untakenEmpty returns why a label alone is not taken, "" if something follows it.
func (p *parser) untakenEmpty(i int, kind string) string {
	next := i + 1
	for next < len(p.Lines) && p.Lines[next].Blank {
		next++
	}
	if !isStatementKind(kind) || next < len(p.Lines) && p.Lines[next].Level == 0 && (p.taken[next] || !p.startsProse(next)) {
		return ""
	}
	return "there is no statement behind it"
}

// startsProse reports whether a paragraph begins on a line.
func (p *parser) startsProse(i int) bool {
	_, isItem := markdown.ParseItem(p.Line(i))
	return !isItem && p.unread[i] == "" && p.Lines[i-1].Blank
}

// isLabelled reports whether a heading is a labelled statement.
func isLabelled(heading string) bool {
	kind, _, rest := label(heading)
	return isStatementKind(kind) && incomplete(rest, labelledWords) == ""
}
