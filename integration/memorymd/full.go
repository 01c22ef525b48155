package memorymd

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

const contextHeading = "#### Full Context"

// mark identifies an entry for older tools: the day of its heading and the MD5 in the
// comment after it.
type mark struct{ day, hash string }

func (e Entry) mark() mark {
	return mark{e.Date, dailynote.LegacyHashOf(cmp.Or(e.Title, e.Text), cmp.Or(e.Written, e.Type))}
}

// marks count the entries that older tools wrote into a text.
type marks map[mark]int

func marksIn(texts ...string) marks {
	found := marks{}
	for _, text := range texts {
		if strings.Contains(text, "<!-- hash:") {
			for _, h := range dailynote.LegacyHashes(markdown.Parse(text)) {
				found[mark{h.Day, h.Hash}]++
			}
		}
	}
	return found
}

// take reports whether an older tool wrote the entry. One comment stands for one entry.
func (m marks) take(e Entry) bool {
	if len(m) > 0 && m[e.mark()] == 0 {
		e.Written = "" // as brainbridge wrote it once
	}
	if len(m) == 0 || m[e.mark()] == 0 {
		return false
	}
	m[e.mark()]--
	return true
}

// whole renders an entry in full form, with LF line endings.
func (e Entry) whole(added string) string {
	var out strings.Builder
	out.WriteString(e.header() + "\n\n")
	source := cmp.Or(e.Pointer, "brainbridge show "+e.ID)
	if e.Bullet {
		writeFields(&out, "- **%:** ", "\n", "Category", e.Type, "Importance", e.Importance, "Added", added, "Source", source)
	} else {
		writeFields(&out, "**%:** ", "  \n", "Importance", e.Importance, "Type", e.Type, "Time", e.Time, "Added", added, "Source", source)
	}
	body := e.Body
	if body == "" && e.Bullet && strings.Contains(strings.TrimSpace(e.Text), "\n") {
		body = e.Text
	}
	if body = safeBody(body); body != "" {
		out.WriteString("\n" + contextHeading + "\n\n" + body + "\n")
	}
	out.WriteString("\n---\n<!-- hash: " + e.mark().hash + " -->\n")
	return out.String()
}

func writeFields(out *strings.Builder, head, tail string, fields ...string) {
	for i := 0; i < len(fields); i += 2 {
		if value := plaintext.OneLine(fields[i+1]); value != "" {
			out.WriteString(strings.Replace(head, "%", fields[i], 1) + escapeComment(value) + tail)
		}
	}
}

func (e Entry) header() string {
	kind := e.Type + ": "
	if e.Bullet {
		kind = ""
	}
	return "### [" + e.Date + "] " + kind + escapeComment(e.wholeTitle())
}

// wholeTitle returns the title. That of a list item of several lines is its first one.
func (e Entry) wholeTitle() string {
	title := cmp.Or(markdown.Plain(e.Title), e.Title, e.Text)
	if e.Bullet && e.Title == "" {
		title, _, _ = strings.Cut(strings.TrimSpace(withLF(e.Text)), "\n")
	}
	return plaintext.OneLine(title)
}

func escapeComment(s string) string { return strings.ReplaceAll(s, "<!--", "&lt;!--") }

func unescapeComment(s string) string { return strings.ReplaceAll(s, "&lt;!--", "<!--") }

func (e Entry) written(text, added string) Written {
	return Written{
		ID: e.ID, Text: e.header(), Said: e.wholeTitle(), Date: e.Date, OfTitle: !e.Bullet,
		Time: e.Time, Hash: e.mark().hash, Added: added, Words: digest(text), Body: digest(bodyOf(text)),
	}
}

// safeBody makes a text safe inside an entry: its headings become smaller than
// the heading of the context; comments, which could be read as ours or hide the
// text that follows, and a fence that nothing closes are escaped. Code fences stay as
// they are.
func safeBody(body string) string {
	text := markdown.TrimBlank(plaintext.Visible(withLF(strings.ToValidUTF8(body, "\uFFFD"))))
	d := markdown.Parse(text)
	const below, lowest = 5, 6 // levels: the highest heading of the body becomes one of level 5
	highest := below
	for _, l := range d.Lines {
		if l.Level > 0 {
			highest = min(highest, int(l.Level))
		}
	}
	return d.Rewrite(func(i int, s string) string {
		switch l := d.Lines[i]; {
		case l.Fenced:
			return s
		case slices.Contains(d.Unclosed, i):
			_, at := markdown.Indent(s)
			return s[:at] + `\` + s[at:]
		case l.Level > 0:
			at := strings.IndexByte(s, '#')
			s = s[:at] + strings.Repeat("#", min(below-highest, lowest-int(l.Level))) + s[at:]
		}
		return escapeComment(s)
	})
}

func bodyOf(text string) string {
	d := markdown.Parse(text)
	from, end := -1, len(d.Lines)
	for i, line := range d.Prose() {
		switch {
		case from < 0 && strings.EqualFold(strings.TrimSpace(line), contextHeading):
			from = i + 1
		case dailynote.LegacyHashIn(line) != "":
			end = min(end, i)
		}
	}
	if from < 0 {
		return ""
	}
	body := strings.TrimRight(d.Slice(from, end), " \t\r\n")
	if at := strings.LastIndexByte(body, '\n'); strings.TrimSpace(body[at+1:]) == "---" {
		body = body[:at+1]
	}
	return unescapeComment(strings.TrimSpace(body))
}

func titleOf(header string, bullet bool) string {
	_, title, _ := strings.Cut(header, "]")
	if _, rest, ok := strings.Cut(title, ":"); ok && !bullet {
		title = rest
	}
	return unescapeComment(plaintext.OneLine(title))
}

// full renders the block with every entry whole, in the order of days and times. An entry
// in the block keeps its text, unless the memory changed and the person did not edit the
// entry.
func (p *planning) full(ed edits, barred map[string]bool, foreign marks) (inner string, st State) {
	type record struct {
		Written
		text string
	}
	var records []record
	in := map[string]bool{}
	for _, w := range p.st.Entries {
		if barred[w.ID] || p.gone(w) || p.st.Form != Full {
			continue
		}
		if kept, ok := ed.kept[w.ID]; ok {
			w = kept
		}
		text, there := ed.units[w.ID]
		e, given := p.byID[w.ID]
		switch made := e.whole(w.Added); {
		case there && (w.Kept || !given || words(made) == words(text)):
		case given:
			w, text = e.written(made, w.Added), made
		default:
			p.warn("the entry %q was taken out with the whole block and cannot be written again, since its memory was not given", w.Said)
			continue
		}
		in[w.ID] = true
		records = append(records, record{w, text})
	}
	for _, e := range byTime(p.entries) {
		if !barred[e.ID] && !in[e.ID] && !foreign.take(e) {
			in[e.ID] = true
			added := p.o.Now.Format(time.DateTime)
			text := e.whole(added)
			records = append(records, record{e.written(text, added), text})
		}
	}
	slices.SortStableFunc(records, func(a, b record) int { return compareTime(a.Date, a.Time, b.Date, b.Time) })
	st.Form = Full
	var out strings.Builder
	if len(records) > 0 {
		out.WriteString("\n")
	}
	for _, rec := range records {
		out.WriteString(rec.text + "\n")
		st.Entries = append(st.Entries, rec.Written)
	}
	return out.String(), st
}

// compareTime compares two days with a time of day; an entry without one follows those of its day.
func compareTime(dayA, clockA, dayB, clockB string) int {
	return cmp.Or(cmp.Compare(dayA, dayB), cmp.Compare(cmp.Or(clockA, "~"), cmp.Or(clockB, "~")))
}

// byTime sorts entries by day and time. One comment of an older tool means the earliest.
func byTime(entries []Entry) []Entry {
	return slices.SortedStableFunc(slices.Values(entries), func(a, b Entry) int { return compareTime(a.Date, a.Time, b.Date, b.Time) })
}
