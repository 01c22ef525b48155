package recall

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/words"
)

const (
	excerptLength = 300 // characters of an excerpt
	titleLength   = 70  // characters of the title that is shown above it
)

// Excerpt is a part of a text on one line.
type Excerpt struct {
	Text  string
	Marks []Mark // the words that matched, in order and without overlap
}

// Mark is a part of an excerpt, in bytes.
type Mark struct{ Start, End int }

// excerptOf returns the part of a text with the most words of a query, on one line and at
// most length characters long. Without any of the words it is the beginning of the text. An
// ellipsis marks each end at which text is left out.
func excerptOf(q words.Query, text string, length int) Excerpt {
	line := plaintext.OneLine(text)
	runes := []rune(line)
	matches := inRunes(line, q.Matches(line))
	from, to := 0, len(runes)
	if len(runes) > length {
		from, to = window(runes, matches, length-2*utf8.RuneCountInString(plaintext.Ellipsis))
	}
	head, tail := "", ""
	if from > 0 {
		head = plaintext.Ellipsis
	}
	if to < len(runes) {
		tail = plaintext.Ellipsis
	}
	e := Excerpt{Text: head + string(runes[from:to]) + tail}
	for _, m := range matches {
		start, end := max(m.Start, from), min(m.End, to)
		if start < end {
			e.mark(len(head)+len(string(runes[from:start])), len(head)+len(string(runes[from:end])))
		}
	}
	return e
}

// mark adds a mark, or extends the last one if the two touch or overlap.
func (e *Excerpt) mark(start, end int) {
	if n := len(e.Marks); n > 0 && start <= e.Marks[n-1].End && end > start {
		e.Marks[n-1].End = max(e.Marks[n-1].End, end)
		return
	}
	e.Marks = append(e.Marks, Mark{start, end})
}

// inRunes returns matches with their positions in characters.
func inRunes(line string, matches []words.Match) []words.Match {
	out := slices.Clone(matches)
	bytes, runes := 0, 0
	for i, m := range matches {
		runes += utf8.RuneCountInString(line[bytes:m.Start])
		bytes = m.Start
		out[i].Start, out[i].End = runes, runes+utf8.RuneCountInString(line[m.Start:m.End])
	}
	return out
}

// window returns a part of at most length characters of a longer text, around the densest
// group of matches, cut between words if possible.
func window(runes []rune, matches []words.Match, length int) (from, to int) {
	start, end := densest(matches, length)
	before := max(0, length-(end-start)) / 3
	from = max(0, min(start-before, len(runes)-length))
	to = min(len(runes), from+length)
	if from > 0 {
		from = wordStart(runes, from, start)
	}
	if to < len(runes) {
		to = wordEnd(runes, min(end, to), to)
	}
	return from, to
}

// densest returns the position of the best group of matches within length characters: the
// one with the most different terms, then with the most matches, then the first.
func densest(matches []words.Match, length int) (start, end int) {
	counts := map[string]int{}
	bestTerms, bestMatches, next := 0, 0, 0
	for i, m := range matches {
		for next < len(matches) && (next <= i || matches[next].End-m.Start <= length) {
			counts[matches[next].Term]++
			next++
		}
		if len(counts) > bestTerms || len(counts) == bestTerms && next-i > bestMatches {
			bestTerms, bestMatches = len(counts), next-i
			start, end = m.Start, matches[next-1].End
		}
		if counts[m.Term]--; counts[m.Term] == 0 {
			delete(counts, m.Term)
		}
	}
	return start, end
}

// wordStart returns where the first sentence between two positions starts. If none does, it
// returns where the first word starts, or else from.
func wordStart(runes []rune, from, to int) int {
	firstWord := from
	for i := from; i <= to; i++ {
		if i == 0 || runes[i-1] != ' ' {
			continue
		}
		if i > 1 && strings.ContainsRune(".!?", runes[i-2]) {
			return i
		}
		if firstWord == from {
			firstWord = i
		}
	}
	return firstWord
}

// wordEnd returns where the last word between two positions ends, or else to.
func wordEnd(runes []rune, from, to int) int {
	for i := to; i >= from; i-- {
		if runes[i] == ' ' {
			return i
		}
	}
	return to
}
