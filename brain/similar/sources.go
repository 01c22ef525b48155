package similar

import (
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain/words"
)

// Invented returns the features of a text that none of its sources has: a
// number, date, version, path, URL or name, or a negation, which turns a text
// around. It is 0 for a text made of its sources alone.
func Invented(text Text, sources ...Text) Difference {
	said, known := text.said(), together(sources)
	var d Difference
	for kind, marks := range said.marks[:symbols] { // symbols are a matter of style here
		if slices.ContainsFunc(marks, func(mark string) bool { return !slices.Contains(known.marks[kind], mark) }) {
			d |= 1 << kind
		}
	}
	if !said.named(known) {
		d |= Name
	}
	return d
}

// together returns what several texts say, in no order.
func together(texts []Text) *statement {
	all := &statement{count: map[string]int{}}
	for _, t := range texts {
		s := t.said()
		for kind, marks := range s.marks {
			all.marks[kind] = append(all.marks[kind], marks...)
		}
		for word, n := range s.count {
			all.count[word] += n
		}
		all.written = append(all.written, s.written...)
	}
	return all
}

// Lost returns the features that all sources have and a text made of them does
// not: a negation, number, date, version, path or URL.
func Lost(text Text, sources ...Text) Difference {
	if len(sources) == 0 {
		return 0
	}
	var d Difference
	for kind, marks := range sources[0].said().marks[:symbols] {
		lacks := func(t Text, mark string) bool { return !slices.Contains(t.said().marks[kind], mark) }
		for _, mark := range marks {
			if lacks(text, mark) && !slices.ContainsFunc(sources, func(t Text) bool { return lacks(t, mark) }) {
				d |= 1 << kind
			}
		}
	}
	return d
}

// Renamed returns a word of a source that the text has replaced by another one, so
// that the text may be about something else: otter, if a text speaks of "the heron
// service" and a source of "the otter service". General words such as big and large
// may replace each other. It returns "" if there is none.
func Renamed(text Text, sources ...Text) string {
	said := text.said()
	for _, t := range sources {
		source := t.said()
		replaced := said.subjects(source)
		for _, s := range source.subjects(said) {
			if slices.ContainsFunc(replaced, func(r subject) bool {
				return r.next == s.next && (!has(r.word, general) || !has(s.word, general))
			}) {
				return s.word
			}
		}
	}
	return ""
}

// subject is a word that may tell what a text is about, and the content word
// that follows it.
type subject struct{ word, next string }

// subjects returns the words of s that do not occur in other and that a content
// word follows, without names, numbers and dates, which the guard compares, and
// without words that limit what is said.
func (s *statement) subjects(other *statement) (all []subject) {
	for i, word := range s.words[:max(0, len(s.words)-1)] {
		if other.lacks(word) && !s.starts[i+1] && !limits(word) && !strings.ContainsAny(word, " 0123456789") && !slices.Contains(s.names, word) {
			all = append(all, subject{word, s.words[i+1]})
		}
	}
	return all
}

// MentionedIn reports whether a phrase has content words, and each of them occurs
// in one of the texts.
func MentionedIn(phrase string, texts ...Text) bool {
	phraseWords := read(phrase).words
	return len(phraseWords) > 0 && !slices.ContainsFunc(phraseWords, together(texts).lacks)
}

// NamedApart reports whether two texts are named after different things: each
// name has a word that does not occur in the other text.
func NamedApart(a, b Text) bool {
	return a.subject != b.subject &&
		slices.ContainsFunc(read(a.subject).words, b.said().lacks) && slices.ContainsFunc(read(b.subject).words, a.said().lacks)
}

// Words returns the content words of the text, stemmed, each once, in order.
func (t Text) Words() []string {
	var all []string
	for _, word := range t.said().words {
		if !slices.Contains(all, word) {
			all = append(all, word)
		}
	}
	return all
}

// Pattern returns the normalised text with a # for each word that has a digit or
// is a weekday or month: what the lines of a series, such as "deployed build
// 1234 to staging", have in common. It is "" if there is no such word.
func (t Text) Pattern() string {
	fields := strings.Fields(t.normalised)
	masked := false
	for i, word := range fields {
		if strings.ContainsAny(word, "0123456789") || slices.ContainsFunc(words.Terms(word), func(term string) bool { return has(term, dateWord) }) {
			fields[i], masked = "#", true
		}
	}
	if !masked {
		return ""
	}
	return strings.Join(fields, " ")
}
