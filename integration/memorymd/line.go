package memorymd

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// maxSaid is the length of a line's text in characters: with date and pointer,
// about a hundred entries fit the default budget.
const maxSaid = 120

// minSaid is how long a first sentence must be to stand for a longer line, in
// bytes: "Done." says too little.
const minSaid = 20

// refSize is the length of the id in a line.
const refSize = 8

// headLine tells an agent what the block is.
const headLine = "Memory kept by brainbridge: the strongest entries, by type. " +
	"`brainbridge show ID` prints one whole, `brainbridge recall WORDS` finds what is not here. " +
	"Edit a line to correct it; delete it to keep it out."

// said returns the text of an entry's line, before escaping.
func (e Entry) said() (text string, ofTitle bool) {
	if title := plaintext.OneLine(e.Title); title != "" {
		return plaintext.Shorten(title, maxSaid), true
	}
	first := firstLine(e.Text)
	if sentence := plaintext.FirstSentence(first); utf8.RuneCountInString(first) > maxSaid && len(sentence) >= minSaid {
		first = sentence
	}
	return plaintext.Shorten(first, maxSaid), false
}

// lineMarks are the characters before the text of a line: those of headings,
// quotations and list items.
const lineMarks = "#>-*+ \t"

func firstLine(s string) string {
	for l := range strings.SplitSeq(strings.ReplaceAll(s, "\r", "\n"), "\n") {
		if l = plaintext.OneLine(strings.TrimLeft(l, lineMarks)); l != "" {
			return l
		}
	}
	return ""
}

// line renders an entry.
func (e Entry) line(ref string) string {
	text, _ := e.said()
	var out strings.Builder
	out.WriteString("- ")
	if date := plaintext.OneLine(e.Date); date != "" {
		out.WriteString(date + " ")
	}
	out.WriteString(escape(brain.WithFormer(text, e.Was)))
	if pointer := plaintext.OneLine(e.Pointer); pointer != "" {
		out.WriteString(" (`" + strings.ReplaceAll(pointer, "`", "'") + "`, `" + ref + "`)")
	} else {
		out.WriteString(" (`brainbridge show " + ref + "`)")
	}
	return out.String()
}

// saidIn returns the text of an entry in its line as the person left it: without
// the sign of the list, the date, what held before and the pointer.
func saidIn(line string, w Written) string {
	s := plaintext.OneLine(line)
	if it, ok := markdown.ParseItem(s); ok && !it.Ordered {
		s = s[it.Text:]
	}
	if w.Date != "" {
		s = strings.TrimPrefix(s, w.Date+" ")
	}
	for _, id := range []string{w.ID, w.Ref} {
		if before, after, ok := strings.Cut(s, id); ok && id != "" {
			s = withoutPointer(before, after)
			break
		}
	}
	return strings.TrimSpace(brain.WithoutFormer(strings.TrimSpace(unescape(s))))
}

// withoutPointer returns a line without the brackets around the id between its two
// parts.
func withoutPointer(before, after string) string {
	start, end := strings.LastIndex(before, "(`"), strings.Index(after, "`)")
	if start >= 0 && end >= 0 && !strings.Contains(before[start:], ")") {
		before, after = before[:start], after[end+len("`)"):]
	} else {
		before, after = strings.TrimSuffix(before, "`"), strings.TrimPrefix(after, "`")
	}
	return strings.TrimRight(before, " ") + " " + strings.TrimLeft(after, " ")
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

// groups are the known types and their headings, in the order of the block.
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

// rank returns the place of a type's group; unknown types follow the known ones.
func rank(typ string) int {
	if i := slices.IndexFunc(groups(), func(g [2]string) bool { return g[0] == typ }); i >= 0 {
		return i
	}
	return len(groups())
}

// heading returns the heading of a type's group.
func heading(typ string) string {
	if i := rank(typ); i < len(groups()) {
		return "### " + groups()[i][1]
	}
	r, size := utf8.DecodeRuneInString(typ)
	return "### " + string(unicode.ToUpper(r)) + escape(typ[size:])
}
