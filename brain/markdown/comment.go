package markdown

import "strings"

// markComments marks the lines of comments that begin a line: <!-- … --> and %% … %%, over
// one or more lines. Like a fence, one that is never closed is plain text; so is one that
// another begins in, or that has the ID field of a captured outcome.
func (d *Document) markComments() {
	if !strings.Contains(d.Text, "<!--") && !strings.Contains(d.Text, "%%") {
		return
	}
	for i, end := 0, 0; i < len(d.Lines); i++ {
		if i >= end && !d.Lines[i].Fenced {
			end = d.commentEnd(i)
		}
		if i < end {
			d.Lines[i].Comment, d.Lines[i].Level = true, 0
		}
	}
}

// commentEnd returns the line after the comment that begins line i, 0 if none does.
func (d *Document) commentEnd(i int) int {
	line, shallow := Outdent(d.Line(i))
	for _, marks := range [][2]string{{"<!--", "-->"}, {"%%", "%%"}} {
		rest, ok := strings.CutPrefix(line, marks[0])
		if !ok || !shallow {
			continue
		}
		if _, after, closed := strings.Cut(rest, marks[1]); closed {
			if IsBlank(after) {
				return i + 1
			}
			return 0 // text follows
		}
		for j := i + 1; j < len(d.Lines); j++ {
			switch s := d.Line(j); {
			case strings.Contains(s, marks[1]):
				return j + 1
			case strings.Contains(s, "<!--"), strings.HasPrefix(s, "**ID:**"):
				return 0
			}
		}
	}
	return 0
}
