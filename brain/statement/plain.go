package statement

import (
	"regexp"
	"strings"
	"sync"

	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// replacements takes the markers of Markdown out of a line without code.
var replacements = sync.OnceValue(func() []replacement {
	return []replacement{
		{regexp.MustCompile(`(?s)<!--.*?-->|%%.*?%%`), ""},
		{regexp.MustCompile(`!?\[\[(?:[^\[\]|]*\|([^\[\]]*)|([^\[\]|]*))\]\]`), "$1$2"},
		{regexp.MustCompile(`!?\[([^\[\]]*)\]\([^()\s]*(?:\s+"[^"]*")?\)`), "$1"},
		{regexp.MustCompile(`\[\^[^\]]*\]`), ""},
		{regexp.MustCompile(`\[([^\[\]]+)\]\[[^\[\]]*\]`), "$1"},
		{regexp.MustCompile(`<(https?://[^<>\s]+)>`), "$1"},
		{regexp.MustCompile(`(?i)[ \t]*<br\s*/?>[ \t]*`), " "},
		{regexp.MustCompile(`(?i)</?(?:b|i|u|s|em|strong|del|ins|mark|sub|sup|small|big|span|font|kbd|code|p|a)(?:\s+[a-z-]+\s*=[^<>]*)?\s*/?>`), ""},
		{regexp.MustCompile(`\*\*\*?([^*]+)\*\*\*?`), "$1"},
		{regexp.MustCompile(`(^|[\s("'])__(\S[^_]*\s[^_]*)__`), "$1$2"},
		{regexp.MustCompile(`(^|[\s("'])\*([^*\s](?:[^*]*[^*\s])?)\*($|[\s).,;:!?"'])`), "$1$2$3"},
		{regexp.MustCompile(`(^|[\s("'])_([^_\s](?:[^_]*[^_\s])?)_($|[\s).,;:!?"'])`), "$1$2$3"},
		{regexp.MustCompile(`~~([^~]+)~~|==([^=]+)==`), "$1$2"},
		{regexp.MustCompile(`(^|\n)\s*(?:>\s*)*\[![\pL]+\][+-]?\s*`), "$1"},
		{regexp.MustCompile(`(^|\n)(\s*(?:[-*+]|\d+[.)])?\s*)\[[ xX/<>-]\]\s+`), "$1$2"},
		{regexp.MustCompile(`(?:[ \t]+#[\pL][\pL\pN_/-]*)+[ \t]*($|\n)`), "$1"}, // tags at the end
		{regexp.MustCompile(`(^|\n)(?:#[\pL][\pL\pN_/-]*[ \t]+)+`), "$1"},       // at the beginning
		{regexp.MustCompile(`(^|[\s(])#([\pL][\pL\pN_/-]*)`), "$1$2"},           // in a sentence
		{regexp.MustCompile(`[ \t]\^[\w-]+[ \t]*($|\n)`), "$1"},                 // the name of a block
		{regexp.MustCompile(`[ \t]{2,}`), " "},
	}
})

type replacement struct {
	pattern *regexp.Regexp
	with    string
}

// Plain returns a text for people and agents: without the markers of Markdown, the tags of
// simple HTML, the brackets of links, the signs of tags, and what programs for tasks add. Code keeps its text.
func Plain(text string) string {
	if !strings.ContainsAny(text, "*_[]`~=#<>%^") && dailynote.WithoutMetadata(text) == text {
		return text
	}
	var out strings.Builder
	for i, part := range strings.Split(text, "`") {
		if i%2 == 0 || strings.Count(text, "`") < 2 {
			part = dailynote.WithoutMetadata(part)
			for _, r := range replacements() {
				part = r.pattern.ReplaceAllString(part, r.with)
			}
		}
		out.WriteString(part)
	}
	return strings.TrimSpace(out.String())
}

// emptyTitle matches titles that say nothing about what is below them.
var emptyTitle = sync.OnceValue(func() *regexp.Regexp {
	const thing = `(?:session|day|daily|meeting|call|chat|conversation|week|weekly|work|log|journal|note|notes|summary|entry|memo|untitled|unnamed|new note|document|draft|misc|miscellaneous|page|file)`
	return regexp.MustCompile(`(?i)^(?:` + thing + `|of|for|from|the|on|and|my|in|today|yesterday|no\.?|nr\.?|v?\d+(?:st|nd|rd|th)?|[#/:.,()\s–—_-]+|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b)+$`)
})

// saysNothing reports whether a title, such as "Notes of session 3", gives no idea of its text.
func saysNothing(title string) bool { return title != "" && emptyTitle().MatchString(title) }

// description returns the text in brackets at the end of a content, "" without one.
func description(content string) string {
	above := WithoutContext(content)
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(content[len(above):]), "("), ")")
}
