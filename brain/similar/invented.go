package similar

import "slices"

// Invented returns what a text says that none of its sources does: a number, a
// date, a version, a path, a URL or a name; a negation too, as it turns a text
// around. It is 0 for a text made of its sources alone.
func Invented(text Text, sources ...Text) Difference {
	said := text.said()
	var d Difference
	for kind, marks := range said.marks[:symbols] { // how it is written may differ
		if !allIn(marks, func(mark string) bool { return anySays(sources, kind, mark) }) {
			d |= 1 << kind
		}
	}
	known := func(word string) bool {
		return slices.ContainsFunc(sources, func(s Text) bool { return s.said().present[word] > 0 })
	}
	written := func(id string) bool {
		return slices.ContainsFunc(sources, func(s Text) bool { return slices.Contains(s.said().spoken, id) })
	}
	if !allIn(said.names, known) || !allIn(said.symbolic, written) || slices.ContainsFunc(said.openings, func(o opening) bool { return !known(o.first) }) {
		d |= Name
	}
	return d
}

// Lost returns what all sources say and a text made of them does not: a
// negation, a number, a date, a version, a path or a URL.
func Lost(text Text, sources ...Text) Difference {
	if len(sources) == 0 {
		return 0
	}
	said := text.said()
	var d Difference
	for kind, marks := range sources[0].said().marks[:symbols] {
		for _, mark := range marks {
			if slices.Contains(said.marks[kind], mark) || !allSay(sources, kind, mark) {
				continue
			}
			d |= 1 << kind
		}
	}
	return d
}

// Renamed returns a word that a source is about and that a text made of it
// leaves out while it is about something else: of two texts on two services the
// service that is lost, wherever it stands; "" where there is none.
func Renamed(text Text, sources ...Text) string {
	said := text.said()
	for _, source := range sources {
		theirs := source.said()
		lost := without(theirs.subjects, said.present)
		if len(lost) > 0 && misses(said.subjects, theirs.present) {
			return lost[0]
		}
		if word := renamed(theirs, said); word != "" {
			return word
		}
	}
	return ""
}

// anySays reports whether some text has a mark.
func anySays(texts []Text, kind int, mark string) bool {
	return slices.ContainsFunc(texts, func(t Text) bool {
		return slices.Contains(t.said().marks[kind], mark)
	})
}

func allSay(texts []Text, kind int, mark string) bool {
	return allIn(texts, func(t Text) bool { return slices.Contains(t.said().marks[kind], mark) })
}

func allIn[T any](list []T, ok func(T) bool) bool {
	return !slices.ContainsFunc(list, func(v T) bool { return !ok(v) })
}

// SpeakOf reports whether each word of a phrase that says something is in one of
// the texts. They do not speak of nothing: of an empty phrase it is false.
func SpeakOf(phrase string, texts ...Text) bool {
	words := understand(phrase).words
	for _, word := range words {
		if !slices.ContainsFunc(texts, func(t Text) bool { return t.said().present[word] > 0 }) {
			return false
		}
	}
	return len(words) > 0
}
