package memorymd

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSaid is how long a line's text may be, in characters: with date and
// pointer, about a hundred entries fit the default budget.
const maxSaid = 120

const (
	refSize  = 8
	ellipsis = "…"
)

// headLine tells an agent what the block is.
const headLine = "Memory kept by brainbridge: the strongest entries, by type. " +
	"`brainbridge show ID` prints one whole, `brainbridge recall WORDS` finds what is not here. " +
	"Edit a line to correct it; delete it to keep it out."

// said is the text of an entry's line, before escaping.
func (e Entry) said() (text string, ofTitle bool) {
	if title := flatten(e.Title); title != "" {
		return shorten(title, maxSaid), true
	}
	first := firstLine(e.Text)
	if utf8.RuneCountInString(first) > maxSaid {
		first = firstSentence(first)
	}
	return shorten(first, maxSaid), false
}

// line renders an entry.
func (e Entry) line(ref string) string {
	text, _ := e.said()
	var out strings.Builder
	out.WriteString("- ")
	if date := flatten(e.Date); date != "" {
		out.WriteString(date + " ")
	}
	out.WriteString(escape(text))
	if pointer := flatten(e.Pointer); pointer != "" {
		out.WriteString(" (`" + strings.ReplaceAll(pointer, "`", "'") + "`, `" + ref + "`)")
	} else {
		out.WriteString(" (`brainbridge show " + ref + "`)")
	}
	return out.String()
}

// saidIn finds the text of an entry in its line as the person left it: without
// the sign of the list, the date and the pointer.
func saidIn(line string, w Written) string {
	s := strings.Join(strings.Fields(line), " ")
	for _, sign := range []string{"- ", "* ", "+ "} {
		if rest, ok := strings.CutPrefix(s, sign); ok {
			s = rest
			break
		}
	}
	if w.Date != "" {
		s = strings.TrimPrefix(s, w.Date+" ")
	}
	token := w.Ref
	if !hasToken(s, token) {
		token = w.ID
	}
	if at := tokenAt(s, token); at >= 0 {
		from, to := pointerAround(s, at, at+len(token))
		s = strings.TrimRight(s[:from], " ") + " " + strings.TrimLeft(s[to:], " ")
	}
	return strings.TrimSpace(unescape(s))
}

// pointerAround is the part of a line in brackets that holds the id at from.
func pointerAround(s string, from, to int) (int, int) {
	start := strings.LastIndex(s[:from], "(`")
	end := strings.Index(s[to:], "`)")
	if start < 0 || end < 0 || strings.Contains(s[start:from], ")") {
		if from > 0 && s[from-1] == '`' && to < len(s) && s[to] == '`' {
			return from - 1, to + 1
		}
		return from, to
	}
	return start, to + end + len("`)")
}

// flatten makes one line of a text: all white space and control characters
// become single blanks.
func flatten(s string) string {
	if isFlat(s) {
		return s
	}
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
}

func isFlat(s string) bool {
	blank := true
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f || s[i] == ' ' && blank {
			return false
		}
		blank = s[i] == ' '
	}
	return s == "" || !blank
}

func firstLine(s string) string {
	for l := range strings.SplitSeq(strings.ReplaceAll(s, "\r", "\n"), "\n") {
		l = flatten(strings.TrimLeft(l, "#>-*+ \t"))
		if l != "" {
			return l
		}
	}
	return ""
}

// firstSentence ends at a full stop, a question mark or an exclamation mark
// with a blank and no small letter after it, unless what is before is too short
// for a sentence.
func firstSentence(s string) string {
	const least = 20
	for i, r := range s {
		end := i + utf8.RuneLen(r)
		if i < least || !strings.ContainsRune(".!?。！？", r) {
			continue
		}
		next, _ := utf8.DecodeRuneInString(strings.TrimPrefix(s[end:], " "))
		if r > unicode.MaxASCII || strings.HasPrefix(s[end:], " ") && !unicode.IsLower(next) {
			return s[:end]
		}
	}
	return s
}

// shorten cuts a text to so many characters, at a blank where there is one in
// its second half.
func shorten(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	cut, n := 0, 0
	for i := range s {
		if n == most-1 {
			cut = i
			break
		}
		n++
	}
	head := s[:cut]
	if at := strings.LastIndexByte(head, ' '); at > cut/2 && s[cut] != ' ' {
		head = head[:at]
	}
	return strings.TrimRight(head, " ,;:-–—") + ellipsis
}

// escape takes the meaning from what would break the line or the block.
func escape(s string) string {
	if !strings.ContainsAny(s, "|<>`") {
		return s
	}
	s = strings.NewReplacer("|", `\|`, "<!--", "&lt;!--", "-->", "--&gt;").Replace(s)
	if strings.Count(s, "`")%2 == 1 {
		at := strings.LastIndexByte(s, '`')
		s = s[:at] + "'" + s[at+1:]
	}
	return s
}

func unescape(s string) string {
	return strings.NewReplacer(`\|`, "|", "&lt;!--", "<!--", "--&gt;", "-->").Replace(s)
}

// heading is the group that a type belongs to.
func heading(typ string) string { return "### " + label(typ) }

// label names a type for a heading.
func label(typ string) string {
	for _, known := range groups() {
		if known[0] == typ {
			return known[1]
		}
	}
	r, size := utf8.DecodeRuneInString(typ)
	return string(unicode.ToUpper(r)) + escape(typ[size:])
}

// groups are the known types in the order in which they stand in the block.
func groups() [][2]string {
	return [][2]string{
		{"preference", "Preferences"},
		{"decision", "Decisions"},
		{"lesson", "Lessons"},
		{"learning", "Learnings"},
		{"crystallization", "Crystallizations"},
		{"pattern", "Patterns"},
		{"issue", "Issues"},
		{"resolution", "Resolutions"},
		{"discovery", "Discoveries"},
		{"implementation", "Implementations"},
		{"reminder", "Reminders"},
		{"note", "Notes"},
	}
}

// rank is the place of a type's group; unknown types stand behind the known.
func rank(typ string) int {
	for i, known := range groups() {
		if known[0] == typ {
			return i
		}
	}
	return len(groups())
}
