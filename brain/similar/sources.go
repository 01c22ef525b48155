package similar

import (
	"slices"
	"strings"
)

// Invented returns the kinds of facts that occur in text but in none of its sources:
// numbers, dates, versions, paths, URLs, names and negations. It returns 0 if there are
// none.
func Invented(text Text, sources ...Text) Difference {
	stated, known := text.parsed(), union(sources)
	var d Difference
	for kind, marks := range stated.marks[:symbols] { // here symbols differ in style only
		if slices.ContainsFunc(marks, func(mark string) bool { return !slices.Contains(known.marks[kind], mark) }) {
			d |= 1 << kind
		}
	}
	if !stated.named(known) {
		d |= Name
	}
	return d
}

// union returns a statement of several texts that supports lacks, named and marks only.
func union(texts []Text) *statement {
	all := &statement{}
	for _, t := range texts {
		s := t.parsed()
		for kind, marks := range s.marks {
			all.marks[kind] = append(all.marks[kind], marks...)
		}
		all.words = append(all.words, s.words...)
		all.written = append(all.written, s.written...)
	}
	return all
}

// Lost returns the kinds of facts that every source states and text does not: negations,
// numbers, dates, versions, paths and URLs.
func Lost(text Text, sources ...Text) Difference {
	if len(sources) == 0 {
		return 0
	}
	var d Difference
	for kind, marks := range sources[0].parsed().marks[:symbols] {
		lacks := func(t Text, mark string) bool { return !slices.Contains(t.parsed().marks[kind], mark) }
		for _, mark := range marks {
			if lacks(text, mark) && !slices.ContainsFunc(sources, func(t Text) bool { return lacks(t, mark) }) {
				d |= 1 << kind
			}
		}
	}
	return d
}

// Renamed returns a source word that text replaces before the same following word, so
// that the text may be about something else: "otter" for the text "the heron service"
// and the source "the otter service". General words such as big and large may replace
// each other. It returns "" if there is none.
func Renamed(text Text, sources ...Text) string {
	stated := text.parsed()
	for _, t := range sources {
		source := t.parsed()
		replaced := stated.subjects(source)
		for _, s := range source.subjects(stated) {
			if slices.ContainsFunc(replaced, func(r subject) bool {
				return r.following == s.following && (!has(r.word, general) || !has(s.word, general))
			}) {
				return s.word
			}
		}
	}
	return ""
}

// subject is a candidate for the subject of a text, with the content word that follows.
type subject struct{ word, following string }

// subjects returns the words of s that do not occur in other and that precede a content
// word. It skips names, numbers and dates, which the guard compares, and qualifiers such
// as almost and if.
func (s *statement) subjects(other *statement) (all []subject) {
	for i, word := range s.words[:max(0, len(s.words)-1)] {
		if other.lacks(word) && !slices.Contains(s.starts, i+1) && !limits(word) && !strings.ContainsAny(word, " 0123456789") && !slices.Contains(s.names, word) {
			all = append(all, subject{word, s.words[i+1]})
		}
	}
	return all
}

// MentionedIn reports whether every content word of phrase occurs in one of the texts. It
// is false for a phrase without content words.
func MentionedIn(phrase string, texts ...Text) bool {
	phraseWords := read(phrase).words
	return len(phraseWords) > 0 && !slices.ContainsFunc(phraseWords, union(texts).lacks)
}
