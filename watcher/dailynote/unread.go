package dailynote

import (
	"regexp"
	"strings"
	"sync"

	"github.com/brainbridge/brainbridge/brain/markdown"
)

// Why a line is not read as a statement of the owner.
const (
	isCode     = "is code"
	isComment  = "is in a comment"
	isQuote    = "is a quotation"
	isTable    = "is in a table"
	isTemplate = "is a template"
	isInjected = "is in a block that another program wrote"
)

// findUnread notes why lines are not statements of the owner.
func (p *parser) findUnread() {
	p.unread = make([]string, len(p.Lines))
	closing := "" // of a block that another program wrote
	callout := false
	for i := p.body; i < len(p.Lines); i++ {
		l, s := p.Lines[i], strings.TrimSpace(p.Line(i))
		callout = strings.HasPrefix(s, ">") && (callout || isCallout(s))
		if closing == "" && !l.Fenced {
			closing = p.injectedUntil(i)
		}
		switch {
		case closing != "":
			p.unread[i] = isInjected
			if strings.Contains(s, closing) {
				closing = ""
			}
		case l.Fenced:
			p.unread[i] = isCode
		case l.Comment:
			p.unread[i] = isComment
		case strings.HasPrefix(s, ">") && !callout:
			p.unread[i] = isQuote
		case strings.HasPrefix(s, "|"), isTableRule(s):
			p.unread[i] = isTable
		case l.Level == 0 && (strings.Contains(s, "{{") || strings.Contains(s, "<%")):
			p.unread[i] = isTemplate
		}
		p.markTable(i, s)
	}
}

// markTable marks the rows of a table without bars at their beginning, around its rule.
func (p *parser) markTable(i int, s string) {
	switch {
	case i == p.body || s == "" || p.unread[i] == isCode:
	case isTableRule(s):
		p.unread[i-1] = isTable
	case p.unread[i-1] == isTable && strings.Contains(s, "|"):
		p.unread[i] = isTable
	}
}

// isTableRule reports whether a line is the one below the head of a table: --- | :--
func isTableRule(s string) bool {
	return strings.Contains(s, "|") && strings.Contains(s, "--") && strings.Trim(s, "|-: \t") == ""
}

// injectedForm matches the first line of a block of memories that another program wrote: a
// tag alone on its line, or a comment that says where it begins.
var injectedForm = sync.OnceValue(func() *regexp.Regexp {
	const names = markdown.MemoryToolNames
	return regexp.MustCompile(`(?i)^<(` + names + `)(?: [^>]*)?>$|^<!--[ \t]*(?:(?:begin|start)\b.*` + names + `|` + names + `[ \t]*:?(?:begin|start)\b).*-->$`)
})

// injectedUntil returns what ends the block of another program that begins on line i, "" if
// none does or it never ends.
func (p *parser) injectedUntil(i int) string {
	s := strings.TrimSpace(p.Line(i))
	if !strings.HasPrefix(s, "<") {
		return ""
	}
	found := injectedForm().FindStringSubmatch(s)
	if found == nil {
		return ""
	}
	const longest = 2000 // lines
	for j := i + 1; j < min(i+longest, len(p.Lines)); j++ {
		line := strings.TrimSpace(p.Line(j))
		switch lower := strings.ToLower(line); {
		case found[1] != "" && strings.Contains(line, "</"+found[1]+">"):
			return "</" + found[1] + ">"
		case found[1] == "" && strings.HasPrefix(line, "<!--") && (strings.Contains(lower, "end") || strings.Contains(lower, "stop")):
			return line
		}
	}
	return ""
}

// isCallout reports whether a line of a quotation begins a callout: > [!important] Lesson
func isCallout(s string) bool {
	return strings.HasPrefix(strings.TrimLeft(s, "> \t"), "[!")
}

// isNavigation reports whether a text is links and hardly anything else.
func isNavigation(text string) bool {
	rest := linkForm().ReplaceAllString(text, " ")
	return len(rest) < len(text) && wordCount(rest) < 2
}

var linkForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`!?\[\[[^\[\]]*\]\]|!?\[[^\[\]]*\]\([^()]*\)|<?https?://[^\s>]+>?`)
})

// isQuestion reports whether a text asks.
func isQuestion(text string) bool {
	return strings.HasSuffix(strings.TrimRight(text, "*_ \t\r\n)\"”"), "?") || strings.HasSuffix(strings.TrimSpace(text), "？")
}

// isPlaceholder reports whether a statement is still to be written: [what was decided]
func isPlaceholder(text string) bool {
	text = strings.Trim(text, "*_ \t.")
	inner, ok := strings.CutPrefix(text, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	return text == "" || ok && closed && !strings.ContainsAny(inner, "[]") || strings.HasPrefix(text, "<") && strings.HasSuffix(text, ">")
}
