package dailynote

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/brainbridge/brainbridge/brain/markdown"
)

// openBox matches the beginning of what may be an open task, with or without the marker of a list
// item. Letters and digits in the box are those of footnotes.
var openBox = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[-*+]|[0-9]{1,9}[.)])?[ \t]*(?:\[(?:[^\[\]\pL\d-]?|[ \t]+)\]|☐)(?:[ \t\pL\d]|$)`)
})

// reportUntaken reports the lines that look like an outcome, a task or a label, and are none;
// of a plain file the first.
func (p *parser) reportUntaken() {
	if p.opts.Quiet {
		return
	}
	for i := p.body; i < len(p.Lines); i++ {
		what, why := p.untaken(i)
		switch {
		case what == "":
			continue
		case p.plain != "":
			p.problem(i, "lines like this one, which looks like %s, are only searched: %s", what, p.plain)
			return
		case p.unread[i] != "":
			why = "it " + p.unread[i]
		case p.why[i] != "":
			why = p.why[i]
		}
		if why != "" {
			p.problem(i, "this looks like %s and is not read as one: %s", what, why)
		}
	}
}

// untaken returns what a line looks like that is not part of an outcome or bullet, and why it is
// not one, as far as its form says.
func (p *parser) untaken(i int) (what, why string) {
	s := strings.TrimLeft(p.Line(i), "> \t")
	_, isItem := markdown.ParseItem(s)
	if !strings.ContainsAny(s, ":：[☐") && (!isItem || len(s) > longestAlias) || p.unread[i] == isInjected {
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
	if !openBox().MatchString(s) {
		return "", ""
	}
	if item, ok := markdown.ParseItem(s); ok {
		switch _, sign, ok := checkbox(strings.TrimLeft(s[item.Text:], " \t")); {
		case ok && strings.IndexByte(openSigns, sign) >= 0:
			return "a task", ""
		case ok:
			return "a task", fmt.Sprintf("[%c] is not a known state; write [ ], [/], [x] or [-]", sign)
		}
	}
	return "a task", "it does not begin with - [ ] and a blank"
}

// untakenOutcome is untaken for the header of an outcome.
func (p *parser) untakenOutcome(i int, s string) (what, why string) {
	level, text := markdown.Heading(s)
	if level == 0 {
		joined, ok := strings.CutPrefix(s, "##")
		if _, is, _ := parseHeader(joined); ok && is && p.daily && p.unread[i] == "" {
			return "an outcome", "a blank is missing after ##"
		}
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
	if alone := strings.Trim(s, "*_ \t"); isItem && p.daily && isStatementKind(KindOf(alone)) {
		return "a label", p.untakenEmpty(i, KindOf(alone))
	}
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
	if !isStatementKind(kind) {
		return ""
	}
	if next < len(p.Lines) && p.Lines[next].Level == 0 {
		_, isItem := markdown.ParseItem(p.Line(next))
		own, isIn := markdown.ParseItem(p.Line(i))
		columns, _ := markdown.Indent(p.Line(next))
		if (!isIn || columns > own.Indent) && (isItem || p.taken[next] || p.unread[next] != "") {
			return ""
		}
	}
	return "there is no statement behind it"
}

// isLabelled reports whether a heading is a labelled statement.
func isLabelled(heading string) bool {
	kind, _, rest := label(heading)
	return isStatementKind(kind) && incomplete(rest, labelledWords) == ""
}
