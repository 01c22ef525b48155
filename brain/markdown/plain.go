package markdown

import (
	"regexp"
	"strings"
	"sync"
)

// marks matches what [Plain] takes out, after the code spans, which stay. What could be part of
// a formula, a shell command or a program is not a mark.
var marks = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?m)(`+[^`]+`+)" +
		`|[ \t]*<!--(?s:.*?)-->|(^|\s)%%[^%]+%%(?:\s|$)` +
		`|\B!?\[\[(?:[^\[\]|\s][^\[\]|]*\|)?([^\[\]|\s](?:[^\[\]|]*[^\[\]|\s])?)\]\]` + // [[Name|shown]]
		`|\B!?\[([^\[\]]*)\]\((?:[^()\s]|\([^()\s]*\))*[/.:#](?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"]*")?\)` +
		`|<(https?://[^<>\s]+)>` +
		`|(^|[^\w)\]])\*\*([^*\s/.,](?:[^*]*[^*\s])?)\*\*\B` +
		`|(^|[^\w)\]=])==([^=\s](?:[^=]*[^=\s])?)==\B` +
		`|(?i:<(?:b|i|u|em|strong|ins|mark|small|big|span|font|kbd|code|a|p)(?:\s+[a-z-]+\s*=[^<>]*)?>([^<>]*)</\w+>)` +
		`|^([ \t]*(?:[-*+]|\d+[.)])[ \t]+)\[ \][ \t]+|^[ \t]*(?:>[ \t]*)*\[!\pL+\][+-]?[ \t]*` + // task, callout
		`|(?:^|[ \t]+)#project/[\pL\p{Nd}_.-]*[\pL\p{Nd}_-]` +
		`|^((?:[ \t]*(?:[-*+]|\d+[.)])[ \t]+)?)#(?:task|todo)(?:/\w+)?[ \t]+|[ \t]+#(?:task|todo)(?:/\w+)?[ \t]*$` +
		`|[ \t]+\^[a-z0-9]{6}[ \t]*$`) // the name of a block
})

// Plain returns a text for people and agents: without the brackets of links, bold and
// highlighted type, simple HTML, comments, and the tags of tasks and projects. Everything else
// stays as it was written.
func Plain(text string) string {
	for before := ""; before != text; {
		before = text
		text = strings.TrimSpace(marks().ReplaceAllString(text, "$1$2$3$4$5$6$7$8$9$10$11$12"))
	}
	return text
}
