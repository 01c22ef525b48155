package extract

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/markdown"
)

// fence is the code fence that is open at some place of a text, "" if none is.
type fence string

// next returns the state after one line, and whether the line is code or a fence.
func (f fence) next(line string) (fence, bool) {
	mark, ok := markdown.ParseFence(line)
	switch {
	case !ok:
		return f, f != ""
	case f == "":
		return fence(mark.Mark), true
	case mark.Closes(markdown.Fence{Mark: string(f)}):
		return "", true
	}
	return f, true
}

// after returns the state after a text.
func (f fence) after(text string) fence {
	for line := range strings.Lines(text) {
		f, _ = f.next(line)
	}
	return f
}

// paragraph is a run of lines that may hold sentences: a list item, or lines that go on.
type paragraph struct {
	text string
	list bool
	mark string // the number or letter of a list item, if it has one
}

const wrapped = 70 // bytes of a line that may go on in the next one

// paragraphs returns the prose of a text, without code, tables, headings and quotations.
func paragraphs(text string, open fence) iter.Seq[paragraph] {
	return func(yield func(paragraph) bool) {
		var p paragraph
		last := ""
		flush := func() bool {
			done := p
			p = paragraph{}
			return done.text == "" || yield(done)
		}
		at := 0
		for line := range strings.Lines(text) {
			lo := at
			at += len(line)
			body, mark, list := listItem(line)
			var isCode bool
			open, isCode = open.next(line)
			switch {
			case isCode || body == "" || strings.IndexByte("|>#", body[0]) >= 0 && !list:
				if !flush() {
					return
				}
			case p.text != "" && !list && goesOn(last, line, p.list):
				p.text = text[lo-len(p.text) : at]
			default:
				if !flush() {
					return
				}
				p = paragraph{text: text[lo:at], list: list, mark: mark}
			}
			last = line
		}
		flush()
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

// listItem returns a line without the mark of a list item, and the number or letter of
// that mark.
func listItem(line string) (body, mark string, list bool) {
	body = strings.TrimSpace(line)
	for _, bullet := range []string{"- ", "* ", "+ ", "• ", "– "} {
		if rest, ok := strings.CutPrefix(body, bullet); ok {
			body, list = strings.TrimSpace(rest), true
		}
	}
	head, rest, found := strings.Cut(body, " ")
	mark = strings.Trim(head, "*().:")
	if found && mark != "" && mark != head && len(mark) <= 2 && (!hasLetter(mark) || len(mark) == 1) {
		return strings.TrimSpace(rest), mark, true
	}
	return body, "", list
}

func hasLetter(s string) bool { return strings.IndexFunc(s, unicode.IsLetter) >= 0 }

// sentences returns the sentences of a paragraph without list marks and emphasis
// around them.
func (p paragraph) sentences() iter.Seq[string] {
	return func(yield func(string) bool) {
		text, from, quoted := p.text, 0, false
		for i := 0; i < len(text); i++ {
			switch {
			case text[i] == '`':
				quoted = !quoted
			case !quoted && strings.IndexByte(".?!", text[i]) >= 0 && endsSentence(text, i):
				if s := bare(text[from : i+1]); s != "" && !yield(s) {
					return
				}
				from = i + 1
			}
		}
		if s := bare(text[from:]); s != "" {
			yield(s)
		}
	}
}

// endsSentence reports whether the mark at i ends a sentence.
func endsSentence(text string, i int) bool {
	rest := text[i+1:]
	if rest != "" && strings.IndexByte(".?!", rest[0]) >= 0 {
		return false
	}
	after := strings.TrimLeft(rest, `"')*_`)
	if after != "" && after[0] != ' ' && after[0] != '\n' && after[0] != '\r' && after[0] != '\t' {
		return false
	}
	if text[i] != '.' {
		return true
	}
	word := text[strings.LastIndexAny(text[:i], " \n\t(*")+1 : i]
	next := strings.TrimLeft(after, " \n\r\t")
	switch {
	case abbreviation(word), len(word) == 1 && unicode.IsUpper(rune(word[0])), strings.Trim(text[:i], "0123456789 *-\n") == "":
		return false
	case word != "" && len(word) <= 2 && !hasLetter(word):
		first, _, _ := strings.Cut(next, " ")
		return !month(first) && !wordByteLower(next)
	}
	return true
}

func wordByteLower(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r)
}

func month(word string) bool {
	switch strings.Trim(spelling.Replace(strings.ToLower(word)), ".,;:!?") {
	case "januar", "jaenner", "februar", "feber", "maerz", "april", "mai", "juni", "juli", "august", "september", "oktober", "november", "dezember":
		return true
	}
	return false
}

func abbreviation(word string) bool {
	switch strings.ToLower(strings.TrimLeft(word, "(\"'")) {
	case "e.g", "i.e", "etc", "vs", "approx", "dr", "mr", "mrs", "ms", "prof", "st", "no", "nr", "inc", "ltd", "cf", "resp", "fig", "jr", "sr",
		"z.b", "z", "d.h", "ca", "bzw", "usw", "evtl", "ggf", "inkl", "max", "min", "mind", "std", "tel", "u.a", "v.a", "o.ä", "hr", "fr", "st.gallen":
		return true
	}
	return false
}

// bare returns a sentence without the marks of lists and emphasis at its ends.
func bare(s string) string {
	s = strings.TrimSpace(s)
	if body, mark, list := listItem(s); list || mark != "" {
		s = body
	}
	if box, ok := strings.CutPrefix(s, "["); ok && len(box) > 2 && box[1] == ']' {
		s = strings.TrimSpace(box[2:])
	}
	return strings.TrimSpace(strings.Trim(strings.TrimLeft(s, "-*+#•> \t\""), "* _"))
}
