package memorymd

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/statement"
)

// maxLineText is the length of a line's text in characters.
const maxLineText = 120

const refSize = 8

const headLine = "Memory kept by brainbridge: the strongest entries, by type. " +
	"`brainbridge show ID` prints one whole, `brainbridge recall WORDS` finds what is not here. " +
	"Edit a line to correct it; delete it to keep it out."

// lineText returns the text of the line of an entry, before escaping.
func (e Entry) lineText() string {
	return plaintext.Shorten(plaintext.OneLine(cmp.Or(e.Statement, e.Title, e.Text)), maxLineText)
}

func (e Entry) line(ref string) string {
	date := plaintext.OneLine(e.Date)
	if date != "" {
		date += " "
	}
	place := "brainbridge show " + ref
	if pointer := plaintext.OneLine(e.Pointer); pointer != "" {
		place = strings.ReplaceAll(pointer, "`", "'") + "`, `" + ref
	}
	text := statement.WithFormer(e.lineText()+e.Due, e.Was)
	switch id := e.Other.ID[:min(refSize, len(e.Other.ID))]; {
	case e.Other.Newer:
		text = statement.NamingNewer(text, e.Other.Date, id)
	case id != "":
		text = statement.NamingOlder(text, e.Other.Date, id)
	}
	return "- " + date + escape(text) + " (`" + place + "`)"
}

// textIn returns the text of an entry in its line as the person left it: without
// the sign of the list, the date, the due date, what held before and the pointer.
func textIn(line string, w Written) string {
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
	s = strings.TrimSpace(statement.WithoutFormer(statement.WithoutOther(strings.TrimSpace(unescape(s)))))
	if w.Due != "" {
		s = strings.Replace(s, w.Due, "", 1)
	}
	return s
}

// withoutPointer returns a line without the brackets around the id between its two parts.
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

// groups are the known types in the order of the block.
func groups() []string {
	return []string{
		"preference", "decision", "lesson", "crystallization", "pattern", "belief", "fact", "commitment", "person",
		"issue", "resolution", "discovery", "implementation", "reminder", "note",
	}
}

// rank returns the place of a type's group; unknown types follow the known ones.
func rank(typ string) int { return slices.Index(append(groups(), typ), typ) }

// heading returns the heading of a type's group: the plural of a known type. An unknown one
// stays singular: it may be a plural already, or not English.
func heading(typ string) string {
	if typ == "person" {
		return "### People"
	}
	r, size := utf8.DecodeRuneInString(typ)
	name := string(unicode.ToUpper(r)) + typ[size:]
	if slices.Contains(groups(), typ) {
		name = english.PluralWord(2, name, "")
	}
	return "### " + escape(name)
}
