// Package similar compares texts: how alike two are, whether they contradict
// each other, and whether they are duplicates.
//
// Similarity is the larger of two Jaccard indices, of the sets of stemmed words
// and of the sets of character 5-grams. Two texts that are nearly the same can
// still say opposite things. Guard names the features in which they differ (a
// negation, a number, a date, …), and Duplicate turns both into a verdict. Texts
// that differ in such a feature are never merged by rule.
//
// A Claim is what a text says of its subject, so that two claims can be found to
// conflict however unlike the texts are. A claim is read and compared in four steps:
//
//  1. A clause is read from left to right. It ends at a comma, a reason or the end of
//     the sentence. Each word or value that counts becomes an item.
//  2. Links ("is", "use") and prepositions ("to", "on") give each item a role: it is
//     part of the subject, or it is a value, or it is rejected ("from 5433").
//  3. Of two clauses, the shared items are evidence for one subject. What only one of
//     them says is left as runs of adjacent items.
//  4. They conflict if a run of one excludes a run of the other, and the evidence
//     outweighs all else that they do not share.
//
// "The port of staging is 5500" and "Staging listens on port 5433" share the subject
// staging and the word port. The runs that are left are 5500 of the one, and "listens"
// and 5433 of the other. A thing hardly ever has two ports, and "listens" tells no
// subjects apart, so they conflict.
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
// and Italian too. Claims are read in English and German. Any other text is compared
// by its words and characters.
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
	claim      func() *Claim     // likewise
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
		claim:      sync.OnceValue(func() *Claim { return ClaimOf(name, content) }),
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
