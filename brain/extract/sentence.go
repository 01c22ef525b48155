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

// paragraph is a run of lines that may hold sentences: a list item, or lines that go on.
type paragraph struct {
	text string
	list bool
	mark string // the number or letter of a list item, if it has one
}

const wrapped = 70 // bytes of a line that may go on in the next one

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
		open := slices.Concat(d.Unclosed, []int{len(d.Lines)})[0]
		quoted := 0 // the end of the last quotation
		for n, l := range d.Lines {
			lo, hi := l.Start, d.Offset(n+1)
			line, inside := text[lo:hi], lo < quoted
			body, mark, list := listItem(line)
			isCode := l.Fenced || n >= open
			apart := isCode || body == "" || strings.IndexByte("|>#", body[0]) >= 0 && !list
			if !isCode {
				for _, end := range quotations(text, max(lo, quoted), hi) {
					quoted = end
				}
			}
			switch {
			case p.text != "" && !isCode && (inside || !apart && !list && goesOn(last, line, p.list)):
				p.text = text[lo-len(p.text) : hi]
			case !flush():
				return
			case !apart:
				p = paragraph{text: line, list: list, mark: mark}
			}
			last = line
		}
		flush()
	}
}

// quotations returns the begin and the end of each passage in quotation marks that begins in
// text[lo:hi], but not of those inside another one.
func quotations(text string, lo, hi int) iter.Seq2[int, int] {
	return func(yield func(begin, end int) bool) {
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

// goesOn reports whether a line continues the one before it.
func goesOn(before, line string, list bool) bool {
	body := strings.TrimLeft(line, " \t")
	first, _ := utf8.DecodeRuneInString(body)
	return list && len(body) < len(line) || lastByte(before) == "," || len(before) >= wrapped && (unicode.IsLower(first) || !strings.ContainsAny(lastByte(before), ".?!:;"))
}

func lastByte(line string) string {
	line = strings.TrimRight(line, " \t\r\n")
	return line[max(0, len(line)-1):]
}

// listItem returns a line without the mark of a list item, and the number or letter of it.
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

// sentences returns the bare sentences of a paragraph that are not mostly quotations.
func (p paragraph) sentences() iter.Seq[string] {
	return func(yield func(string) bool) {
		for s := range plaintext.Sentences(p.text) {
			if s = bare(s); s != "" && 2*quotedLen(s) < len(s) && !yield(s) {
				return
			}
		}
	}
}

// quotedLen returns how many bytes of a sentence are in quotation marks.
func quotedLen(s string) (sum int) {
	for begin, end := range quotations(s, 0, len(s)) {
		sum += end - begin
	}
	return sum
}

// bare returns a sentence without list marks, and without emphasis around all of it.
func bare(s string) string {
	s = strings.TrimSpace(s)
	if body, mark, list := listItem(s); (list || mark != "") && strings.Count(body, "**")%2 == 0 {
		s = body
	}
	if box, ok := strings.CutPrefix(s, "["); ok && len(box) > 2 && box[1] == ']' {
		s = strings.TrimSpace(box[2:])
	}
	s = strings.TrimLeft(s, "-+#•> \t")
	if inner := strings.Trim(s, "* "); strings.Count(inner, "**")%2 == 0 {
		s = inner
	}
	return strings.TrimSpace(s)
}
