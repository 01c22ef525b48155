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
	Marks []Mark // the words that matched, in order and apart from each other
}

// Mark is a part of an excerpt, in bytes.
type Mark struct{ Start, End int }

// excerptOf returns the part of a text with the most words of a query, at most length
// characters long, on one line. If the text has none of them, it returns its beginning. An
// ellipsis marks text that is left out at an end.
func excerptOf(q words.Query, text string, length int) Excerpt {
	line := plaintext.OneLine(text)
	all := []rune(line)
	matches := inRunes(line, q.Matches(line))
	from, to := 0, len(all)
	if len(all) > length {
		from, to = window(all, matches, length-2*utf8.RuneCountInString(plaintext.Ellipsis))
	}
	head, tail := "", ""
	if from > 0 {
		head = plaintext.Ellipsis
	}
	if to < len(all) {
		tail = plaintext.Ellipsis
	}
	e := Excerpt{Text: head + string(all[from:to]) + tail}
	for _, m := range matches {
		start, end := max(m.Start, from), min(m.End, to)
		if start < end {
			e.mark(len(head)+len(string(all[from:start])), len(head)+len(string(all[from:end])))
		}
	}
	return e
}

// mark adds a mark, or extends the last one if they overlap.
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

// window returns a part of at most room characters of a longer text, around the densest
// group of matches, cut between words if possible.
func window(all []rune, matches []words.Match, room int) (from, to int) {
	start, end := densest(matches, room)
	before := max(0, room-(end-start)) / 3
	from = max(0, min(start-before, len(all)-room))
	to = min(len(all), from+room)
	if from > 0 {
		from = wordStart(all, from, start)
	}
	if to < len(all) {
		to = wordEnd(all, min(end, to), to)
	}
	return from, to
}

// densest returns the position of the group of matches within room characters that has the
// most different terms, then the most matches, then the first.
func densest(matches []words.Match, room int) (start, end int) {
	counts := map[string]int{}
	bestTerms, bestMatches, next := 0, 0, 0
	for i, m := range matches {
		for next < len(matches) && (next <= i || matches[next].End-m.Start <= room) {
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

// wordStart returns the first start of a sentence between two positions, else of a word,
// else from.
func wordStart(all []rune, from, to int) int {
	found := from
	for i := from; i <= to; i++ {
		if i == 0 || all[i-1] != ' ' {
			continue
		}
		if i > 1 && strings.ContainsRune(".!?", all[i-2]) {
			return i
		}
		if found == from {
			found = i
		}
	}
	return found
}

// wordEnd returns the last end of a word between two positions; without one, to.
func wordEnd(all []rune, from, to int) int {
	for i := to; i >= from; i-- {
		if all[i] == ' ' {
			return i
		}
	}
	return to
}
