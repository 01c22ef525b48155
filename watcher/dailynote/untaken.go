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
	return regexp.MustCompile(`^(?:[-*+]|[0-9]{1,9}[.)])?[ \t]*\[(?:[^\[\]\pL\d-]?|[ \t]+)\](?:[ \t\pL\d]|$)`)
})

// reportUntaken reports the lines that look like an outcome, a task or a label, and are none;
// of a plain file the first.
func (p *parser) reportUntaken() {
	for i := p.body; i < len(p.Lines) && !p.opts.Quiet; i++ {
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
	if level, text := markdown.Heading(s); level > 0 {
		return p.untakenHeading(i, level, text)
	}
	if p.taken[i] || p.unread[i] == isInjected {
		return "", ""
	}
	if joined, ok := strings.CutPrefix(s, "##"); ok && p.daily && p.unread[i] == "" {
		if _, is, _ := parseHeader(joined); is {
			return "an outcome", "a blank is missing after ##"
		}
	}
	item, isItem := markdown.ParseItem(s)
	text := s
	if isItem {
		text = strings.TrimLeft(s[item.Text:], " \t")
	}
	if openBox().MatchString(s) {
		if _, sign, ok := checkbox(text); isItem && ok && strings.IndexByte(openSigns, sign) >= 0 {
			return "a task", ""
		}
		return "a task", "it does not begin with - [ ], [/], [x] or [-], and a blank"
	}
	kind, _, rest := label(text)
	switch {
	case kind == "" || rest == "" || !strings.ContainsAny(s, ":："):
		return "", ""
	case !isItem && i > p.body && !p.Lines[i-1].Blank && p.unread[i-1] == "" && p.Lines[i-1].Level == 0:
		return "a label", "it continues the line above; put a blank line before it"
	}
	return "a label", ""
}

// untakenHeading is untaken for a heading, which may be meant as that of an outcome.
func (p *parser) untakenHeading(i, level int, text string) (what, why string) {
	h, ok, _ := parseHeader(text)
	switch {
	case !ok, level == 1 && !h.bracketed, p.unread[i] == isInjected, // the title of a session
		p.unread[i] != "" && (!p.daily || h.written+h.emoji == ""): // code that shows something else
		return "", ""
	case !p.daily:
		return "an outcome", "the name of its file does not begin with a date"
	case level < minOutcomeLevel || level > maxOutcomeLevel:
		return "an outcome", fmt.Sprintf("its heading is of level %d, not 2 to 4", level)
	}
	return "an outcome", ""
}
