package memorymd

import (
	"cmp"
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

// refSize is the length of the id in a line.
const refSize = 8

// headLine tells an agent what the block is.
const headLine = "Memory kept by brainbridge: the strongest entries, by type. " +
	"`brainbridge show ID` prints one whole, `brainbridge recall WORDS` finds what is not here. " +
	"Edit a line to correct it; delete it to keep it out."

// said returns the text of an entry's line, before escaping.
func (e Entry) said() string {
	return plaintext.Shorten(plaintext.OneLine(cmp.Or(e.Statement, e.Title, e.Text)), maxSaid)
}

// line renders an entry.
func (e Entry) line(ref string) string {
	var out strings.Builder
	out.WriteString("- ")
	if date := plaintext.OneLine(e.Date); date != "" {
		out.WriteString(date + " ")
	}
	out.WriteString(escape(brain.WithFormer(e.said()+e.Due, e.Was)))
	if pointer := plaintext.OneLine(e.Pointer); pointer != "" {
		out.WriteString(" (`" + strings.ReplaceAll(pointer, "`", "'") + "`, `" + ref + "`)")
	} else {
		out.WriteString(" (`brainbridge show " + ref + "`)")
	}
	return out.String()
}

// saidIn returns the text of an entry in its line as the person left it: without
// the sign of the list, the date, the due date, what held before and the pointer.
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
	s = strings.TrimSpace(brain.WithoutFormer(strings.TrimSpace(unescape(s))))
	if w.Due != "" {
		s = strings.Replace(s, w.Due, "", 1)
	}
	return s
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
		{"crystallization", "Crystallizations"},
		{"pattern", "Patterns"},
		{"belief", "Beliefs"},
		{"fact", "Facts"},
		{"commitment", "Commitments"},
		{"person", "People"},
		{"issue", "Issues"},
		{"resolution", "Resolutions"},
		{"discovery", "Discoveries"},
		{"implementation", "Implementations"},
		{"reminder", "Reminders"},
		{"note", "Notes"},
	}
}

// groupOf returns the type under whose heading the entries of a type are.
func groupOf(typ string) string {
	if typ == "learning" {
		return "lesson"
	}
	return typ
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
