// Package similar compares texts: how alike two are, whether they contradict
// each other, and whether they are duplicates.
//
// Similarity is the larger of two Jaccard indices, of the sets of stemmed words
// and of the sets of character 5-grams. Two texts that are nearly the same can
// still say opposite things. Guard names the features in which they differ (a
// negation, a number, a date, …), and Duplicate turns both into a verdict. Texts
// that differ in such a feature are never merged by rule.
//
// A text is read as a sequence of tokens: words, numbers, dates, versions, paths,
// URLs, names and identifiers. No grammar is parsed. A pair that this is not
// enough to decide is left to a person or a model.
//
// A text that is compared with many is prepared once. Preparing takes some tens
// of microseconds, comparing two prepared texts of 200 characters about one. A
// prepared text takes about five bytes a character.
//
// All functions are pure and safe for concurrent use. The word lists are mostly
// English; they have numbers, negations and weekdays in German, French, Spanish
// and Italian too. Any other text is compared by its words and characters.
package similar

import (
	"sync"

	"github.com/brainbridge/brainbridge/brain/words"
)

// Text is a text prepared for comparison. The zero value is the empty text.
type Text struct {
	subject    string
	normalised string
	terms      []uint32          // hashes of stemmed words, sorted, each once
	grams      []uint32          // hashes of character 5-grams, sorted, each once
	statement  func() *statement // made at first use, since most texts are never guarded
}

// Prepare prepares a text without a name.
func Prepare(text string) Text { return PrepareNamed("", text) }

// PrepareNamed prepares a named text. Name and content are compared together; the
// name alone is the subject.
func PrepareNamed(name, content string) Text {
	text := joinName(name, content)
	normalised := Normalise(text)
	return Text{
		subject:    words.Key(name),
		normalised: normalised,
		terms:      set(hashTerms(text)),
		grams:      set(hashGrams(normalised)),
		statement:  sync.OnceValue(func() *statement { return read(text) }),
	}
}

// joinName returns the name and content of a text as one.
func joinName(name, content string) string {
	if name == "" {
		return content
	}
	return name + "\n" + content
}

// parsed returns the statement of the text.
func (t Text) parsed() *statement {
	if t.statement == nil {
		return &statement{}
	}
	return t.statement()
}

// Subject returns the name of the text in the form of [words.Key].
func (t Text) Subject() string { return t.subject }

// Normalised returns the normalised text.
func (t Text) Normalised() string { return t.normalised }

// Similarity returns how alike two texts are, in [0, 1]. It is symmetric, and 1
// for texts of the same words or characters.
func (t Text) Similarity(other Text) float64 {
	if t.normalised == other.normalised {
		return 1
	}
	return max(jaccard(t.terms, other.terms), jaccard(t.grams, other.grams))
}
