package transcripts

import "strings"

// escaped is a text of a message as it stands in a cleaned transcript: line by
// line as it was said, but a line that would be a heading has a backslash in
// front of it, and a code fence that is left open is closed, so that a message
// can neither end nor swallow the next.
func escaped(text string) string {
	if !strings.ContainsAny(text, "#`~") {
		return text
	}
	var out strings.Builder
	out.Grow(len(text) + 16)
	fence := ""
	for line := range strings.Lines(text) {
		mark := fenceOf(line)
		switch {
		case fence == "" && mark != "":
			fence = mark
		case fence == "" && isHeading(line):
			at := len(line) - len(strings.TrimLeft(line, " "))
			out.WriteString(line[:at] + `\`)
			line = line[at:]
		case fence != "" && closes(line, fence):
			fence = ""
		}
		out.WriteString(line)
	}
	if fence != "" {
		if !strings.HasSuffix(text, "\n") {
			out.WriteByte('\n')
		}
		out.WriteString(fence)
	}
	return out.String()
}

// maxIndent is how many blanks may stand before a heading or a fence.
const maxIndent = 3

// unindented is a line without its indentation, "" if it has too much of it.
func unindented(line string) string {
	rest := strings.TrimLeft(line, " ")
	if len(line)-len(rest) > maxIndent {
		return ""
	}
	return strings.TrimRight(rest, "\r\n")
}

// isHeading: one to six number signs, then a blank or the end of the line.
func isHeading(line string) bool {
	rest := unindented(line)
	after := strings.TrimLeft(rest, "#")
	n := len(rest) - len(after)
	return n >= 1 && n <= 6 && (after == "" || after[0] == ' ' || after[0] == '\t')
}

// fenceOf is the run of marks with which a line opens a code fence, else "".
func fenceOf(line string) string {
	rest := unindented(line)
	for _, mark := range []string{"`", "~"} {
		after := strings.TrimLeft(rest, mark)
		n := len(rest) - len(after)
		if n >= 3 && (mark == "~" || !strings.Contains(after, "`")) {
			return rest[:n]
		}
	}
	return ""
}

// closes: at least as many of the same marks, and nothing else.
func closes(line, fence string) bool {
	rest := strings.TrimRight(unindented(line), " \t")
	return len(rest) >= len(fence) && strings.Trim(rest, fence[:1]) == ""
}
