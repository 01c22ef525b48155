package similar

import (
	"slices"
	"strings"
)

// Invented returns the kinds of facts that occur in text but in none of its sources:
// numbers, dates, versions, paths, URLs, names and negations. It returns 0 if there are
// none.
func Invented(text Text, sources ...Text) (d Difference) {
	for _, f := range InventedFacts(text, sources...) {
		d |= f.Kind
	}
	return d
}

// Fact is a fact of a text in lower case, as it is compared: a name is in its base form.
type Fact struct {
	Kind Difference // one bit
	Text string
}

// InventedFacts returns the facts that [Invented] finds.
func InventedFacts(text Text, sources ...Text) (all []Fact) {
	stated, known := text.parsed(), union(sources)
	add := func(kind Difference, facts []string, isKnown func(string) bool) {
		for _, f := range facts {
			if !isKnown(f) {
				all = append(all, Fact{kind, strings.TrimPrefix(f, "unit ")})
			}
		}
	}
	for kind, marks := range stated.marks[:symbols] { // here symbols differ in style only
		add(1<<kind, marks, func(mark string) bool { return slices.Contains(known.marks[kind], mark) })
	}
	add(Name, stated.names, func(name string) bool { return !known.lacks(name) })
	add(Name, stated.identifiers, func(id string) bool { return slices.Contains(known.written, id) })
	return all
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
