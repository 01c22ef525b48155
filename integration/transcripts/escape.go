package transcripts

import (
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain/markdown"
)

// escaped returns the text of a message so that it can neither end nor swallow the next one:
// headings get a backslash in front, and a code fence that is left open is closed.
func escaped(text string) string {
	if !strings.ContainsAny(text, "#`~") {
		return text
	}
	d := markdown.Parse(text)
	open := slices.Concat(d.Unclosed, []int{len(d.Lines)})[0] // the first fence that is never closed
	out := d.Rewrite(func(i int, line string) string {
		if d.Lines[i].Level == 0 || i > open {
			return line
		}
		_, at := markdown.Indent(line)
		return line[:at] + `\` + line[at:]
	})
	if open == len(d.Lines) {
		return out
	}
	if !strings.HasSuffix(out, "\n") {
		out += "\n"
	}
	fence, _ := markdown.ParseFence(d.Line(open))
	return out + fence.Mark
}
