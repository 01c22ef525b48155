package markdown

import "strings"

// The lines around a block that brainbridge manages in a file of a person.
const (
	BlockBegin = BlockBeginPrefix + " -->"
	BlockEnd   = BlockEndPrefix + " -->"

	BlockBeginPrefix = "<!-- brainbridge:begin"
	BlockEndPrefix   = "<!-- brainbridge:end"
)

// WithoutBlocks returns a text with blank lines in place of the blocks that brainbridge
// manages, and calls found with the line at which each begins, counted from 1. A block
// without an end stays, and so does one in a code fence.
func WithoutBlocks(text string, found func(line int)) string {
	if !strings.Contains(text, BlockBeginPrefix) {
		return text
	}
	d := Parse(text)
	has := func(i int, mark string) bool {
		return !d.Lines[i].Fenced && strings.HasPrefix(strings.TrimSpace(d.Line(i)), mark)
	}
	last := len(d.Lines) - 1
	for last >= 0 && !has(last, BlockEndPrefix) {
		last--
	}
	inside := false
	return d.Rewrite(func(i int, line string) string {
		before := inside
		if !inside && i < last && has(i, BlockBeginPrefix) {
			inside = true
			found(i + 1)
		}
		if inside = inside && !has(i, BlockEndPrefix); inside || before {
			return ""
		}
		return line
	})
}
