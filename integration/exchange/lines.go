package exchange

import "strings"

// headingOf is the level of a heading with number signs, 0 for none, and its
// text.
func headingOf(line string) (int, string) {
	if indentOf(line) > 3 {
		return 0, ""
	}
	s := strings.TrimSpace(line)
	level := len(s) - len(strings.TrimLeft(s, "#"))
	if level == 0 || level > 6 || len(s) > level && s[level] != ' ' && s[level] != '\t' {
		return 0, ""
	}
	text := strings.TrimSpace(s[level:])
	if bare := strings.TrimRight(text, "#"); bare == "" || strings.HasSuffix(bare, " ") {
		text = strings.TrimSpace(bare)
	}
	return level, text
}

// indentOf counts the columns before the text of a line, tabs going to the
// next multiple of four.
func indentOf(line string) int {
	columns := 0
	for i := range len(line) {
		switch line[i] {
		case ' ':
			columns++
		case '\t':
			columns += 4 - columns%4
		default:
			return columns
		}
	}
	return columns
}

// markerOf is where the text of a list item begins, 0 where the line is none.
func markerOf(line string) int {
	at := len(line) - len(strings.TrimLeft(line, " \t"))
	rest := line[at:]
	if rest == "" || isRule(line) {
		return 0
	}
	n := 1
	if strings.IndexByte("-*+", rest[0]) < 0 {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		if digits == 0 || digits > 9 || len(rest) == digits || rest[digits] != '.' && rest[digits] != ')' {
			return 0
		}
		n = digits + 1
	}
	switch {
	case len(rest) == n:
		return at + n
	case rest[n] == ' ' || rest[n] == '\t':
		return at + n + 1
	}
	return 0
}

// isRule recognises a line across the page: three or more of one sign.
func isRule(line string) bool {
	s := strings.Join(strings.Fields(line), "")
	return len(s) >= 3 && strings.IndexByte("-*_", s[0]) >= 0 && strings.Trim(s, s[:1]) == "" && indentOf(line) < 4
}

func isFence(line string) bool {
	s := strings.TrimSpace(line)
	return strings.HasPrefix(s, "```") || strings.HasPrefix(s, "~~~")
}

// itemText is a list item without its marker and its indentation.
func itemText(lines []string) string {
	marker := markerOf(lines[0])
	columns := indentOf(lines[0]) + marker - (len(lines[0]) - len(strings.TrimLeft(lines[0], " \t")))
	var text strings.Builder
	text.WriteString(strings.TrimRight(lines[0][marker:], " \t"))
	for _, line := range lines[1:] {
		text.WriteByte('\n')
		text.WriteString(strings.TrimRight(dedent(line, columns), " \t"))
	}
	return strings.TrimRight(text.String(), "\n")
}

// dedent takes at most so many columns of blanks off the start of a line.
func dedent(line string, columns int) string {
	taken := 0
	for line != "" && taken < columns {
		switch line[0] {
		case ' ':
			taken++
		case '\t':
			taken += 4 - taken%4
		default:
			return line
		}
		line = line[1:]
	}
	return line
}

// dateIn is the first date in a text, "" for none.
func dateIn(text string) string {
	for i := 0; i+len("2006-01-02") <= len(text); i++ {
		if text[i] < '0' || text[i] > '9' || i > 0 && text[i-1] >= '0' && text[i-1] <= '9' {
			continue
		}
		if day := dayOf(text[i:]); day != "" {
			return day
		}
	}
	return ""
}

// namesIn are the names in double brackets of a text, each once, code left
// out.
func namesIn(text string) []string {
	var names []string
	seen := map[string]bool{}
	eachLine(text, func(line string) {
		for {
			_, rest, ok := strings.Cut(line, "[[")
			if !ok {
				return
			}
			name, after, ok := strings.Cut(rest, "]]")
			if !ok {
				return
			}
			line = after
			if name = linked(name); name != "" && !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	})
	return names
}

// linked is the name that a link in double brackets leads to, without alias
// and place.
func linked(link string) string {
	if i := strings.LastIndex(link, "[["); i >= 0 {
		link = link[i+2:]
	}
	if i := strings.IndexAny(link, "|#^"); i >= 0 {
		link = link[:i]
	}
	return strings.TrimSpace(link)
}

// eachLine calls do for each line of a text outside code fences.
func eachLine(text string, do func(line string)) {
	fence := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		s := strings.TrimSpace(line)
		switch {
		case fence != "" && strings.HasPrefix(s, fence):
			fence = ""
		case fence == "" && isFence(s):
			fence = s[:3]
		case fence == "":
			do(line)
		}
	}
}
