package extract

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// parts splits text into pieces of at most limit bytes, which joined are the
// text. An empty text has none.
func parts(text string, limit int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(text) > 0 {
			n := len(text)
			if n > limit {
				n = cutAt(text, limit)
			}
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}

// cutAt finds the best end of a piece within the first limit bytes: of a
// paragraph, a line, a sentence, a word, in this order, if that leaves a piece
// that is not a mere crumb, else of a character.
func cutAt(text string, limit int) int {
	head := text[:limit]
	for _, end := range []string{"\n\n", "\n", ". ", "? ", "! ", "。", " "} {
		if at := strings.LastIndex(head, end); at >= limit/4 {
			return at + len(end)
		}
	}
	n := limit
	for n > limit-utf8.UTFMax && n > 1 && !utf8.RuneStart(text[n]) {
		n--
	}
	if !utf8.RuneStart(text[n]) {
		return limit // not UTF-8 here
	}
	return n
}
