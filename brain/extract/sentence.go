package extract

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// paragraph is a list item, or a run of lines of prose.
type paragraph struct {
	text string
	list bool
	mark string // the number or letter of a list item, "" for none
}

const minWrapped = 70 // bytes of a line that may be wrapped, so that the next line continues it

// paragraphs returns the prose of a text, without code, tables, headings and quotations.
func paragraphs(text string) iter.Seq[paragraph] {
	return func(yield func(paragraph) bool) {
		var p paragraph
		last := ""
		flush := func() bool {
			done := p
			p = paragraph{}
			return done.text == "" || yield(done)
		}
		d := markdown.Parse(text)
		unclosed := slices.Concat(d.Unclosed, []int{len(d.Lines)})[0] // code to the end of the text
		quoteEnd := 0                                                 // of the last quotation
		for n, l := range d.Lines {
			lo, hi := l.Start, d.Offset(n+1)
			line, inQuote := text[lo:hi], lo < quoteEnd
			body, mark, list := listItem(line)
			isCode := l.Fenced || n >= unclosed
			notProse := isCode || body == "" || strings.IndexByte("|>#", body[0]) >= 0 && !list
			if !isCode {
				for _, end := range quotations(text, max(lo, quoteEnd), hi) {
					quoteEnd = end
				}
			}
			switch {
			case p.text != "" && !isCode && (inQuote || !notProse && !list && continues(last, line, p.list)):
				p.text = text[lo-len(p.text) : hi]
			case !flush():
				return
			case !notProse:
				p = paragraph{text: line, list: list, mark: mark}
			}
			last = line
		}
		flush()
	}
}

// quotations yields the start and the end of each passage in quotation marks that starts in
// text[lo:hi], except those inside another one.
func quotations(text string, lo, hi int) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		for i := lo; i < hi; i++ {
			if text[i] != '"' && text[i] < utf8.RuneSelf {
				continue
			}
			if n := plaintext.QuotationLen(text, i); n > 0 {
				if !yield(i, i+n) {
					return
				}
				i += n - 1
			}
		}
	}
}

// continues reports whether a line continues the one before it; list says that it is in a
// list item.
func continues(before, line string, list bool) bool {
	body := strings.TrimLeft(line, " \t")
	first, _ := utf8.DecodeRuneInString(body)
	last := lastByte(before)
	return list && len(body) < len(line) || last == "," || len(before) >= minWrapped && (unicode.IsLower(first) || !strings.ContainsAny(last, ".?!:;"))
}

func lastByte(line string) string {
	line = strings.TrimRight(line, " \t\r\n")
	return line[max(0, len(line)-1):]
}

// listItem returns a line without its list mark, and the number or letter of the mark.
func listItem(line string) (body, mark string, list bool) {
	body = strings.TrimSpace(line)
	for _, bullet := range []string{"- ", "* ", "+ ", "• ", "– "} {
		if rest, ok := strings.CutPrefix(body, bullet); ok {
			body, list = strings.TrimSpace(rest), true
		}
	}
	head, rest, found := strings.Cut(body, " ")
	mark = strings.Trim(head, "*().:")
	if found && mark != "" && mark != head && len(mark) <= 2 && (!strings.ContainsFunc(mark, unicode.IsLetter) || len(mark) == 1) {
		return strings.TrimSpace(rest), mark, true
	}
	return body, "", list
}

// sentences yields the sentences of a paragraph without markup, except those that are mostly
// quotations.
func (p paragraph) sentences() iter.Seq[string] {
	return func(yield func(string) bool) {
		for s := range plaintext.Sentences(p.text) {
			if s = stripMarkup(s); s != "" && 2*quotedLen(s) < len(s) && !yield(s) {
				return
			}
		}
	}
}

// quotedLen returns how many bytes of a sentence are in quotation marks.
func quotedLen(s string) (sum int) {
	for start, end := range quotations(s, 0, len(s)) {
		sum += end - start
	}
	return sum
}

// stripMarkup returns a sentence without list marks, and without emphasis around all of it.
func stripMarkup(s string) string {
	s = strings.TrimSpace(s)
	if body, mark, list := listItem(s); (list || mark != "") && strings.Count(body, "**")%2 == 0 {
		s = body
	}
	if box, ok := strings.CutPrefix(s, "["); ok && len(box) > 2 && box[1] == ']' {
		s = strings.TrimSpace(box[2:])
	}
	s = trimMarks(s)
	if inner := strings.Trim(s, "* "); strings.Count(inner, "**")%2 == 0 {
		s = inner
	}
	return strings.TrimSpace(s)
}
