// Package words splits text into words. Both stores, ranking and the comparison of
// texts use it, so that they agree on what a word is.
//
// Text is split by Unicode word segmentation (UAX 29) and then into runs of
// letters and digits: "brain_store.go" is three words. Each word is folded (case,
// diacritics, compatibility forms, umlauts in every spelling). A word that then consists
// of a to z only is stemmed as English by Porter2. Stop words are kept, unstemmed; a
// query leaves them out.
//
// Names with a sign are words of their own: C++ is cpp, C# csharp, F# fsharp, A* astar, .NET
// dotnet, and Objective-C is not C. A compound is found by its parts and, in the index, as one
// word: "pi-hole" also has the term pihole, "node.js" nodejs, "utf-8" utf8.
//
// Contractions are written out: "don't" and "do not" have the same terms, as have
// "can't", "cannot" and "can not". The endings 's and 'd of a pronoun are read as "is" and
// "would"; those of other words are dropped.
//
// In scripts written without blanks (Han, kana, Hangul, Thai, Lao, Khmer, Myanmar)
// each character and each pair of neighbours is a term, in text order: 東京都 is
// 東, 東京, 京, 京都, 都. So any part of such a run is found as a phrase, down to one
// character; a query ranks by the pairs.
//
// An emoji is a word of its own, and so is a joined sequence of them. Joiners,
// variation selectors and skin tones are dropped.
//
// All functions are pure and safe for concurrent use. Invalid UTF-8 separates
// words.
package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxRunes bounds a term, so that an endless "word" (a key, a data URL) does not
// make an endless index key. Longer words are found by their first maxRunes.
const maxRunes = 64

// Terms returns the stemmed, folded terms of text in order, with stop words, so
// that phrases and "to be or not to be" work.
//
// A term is not empty. It consists of letters, digits, other numbers, combining
// marks and emoji; no character is special in the query syntax of FTS5 or Lucene.
// It is at most 64 runes long. The capitals A to Z never occur, so neither do the
// operators AND, OR, NOT and NEAR. Terms may share memory with text; a caller that
// keeps single terms for long clones them.
func Terms(text string) []string {
	terms, _ := Split(text)
	return terms
}

// Split returns the terms of text and the compounds in it, each as one word.
func Split(text string) (terms, compounds []string) {
	s := scanner{terms: make([]string, 0, len(text)/5+1)}
	s.scan(text)
	return s.terms, s.wholes
}

// Index returns the terms of text, then its compounds as one word each, joined by single
// blanks: the field that stores index word by word, split at blanks and nowhere else.
func Index(text string) string {
	terms, compounds := Split(text)
	return strings.Join(append(terms, compounds...), " ")
}

// Key returns a title, subject or name in the form in which names are compared:
// Unicode NFC, case-folded (ß as ss), with each run of white space as one blank and
// none at the ends. Diacritics and punctuation count. Invalid UTF-8 becomes U+FFFD.
// Key of a key is that key.
func Key(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	blank := false
	for _, r := range norm.NFC.String(strings.ToValidUTF8(s, string(utf8.RuneError))) {
		if unicode.IsSpace(r) {
			blank = b.Len() > 0
			continue
		}
		if blank {
			b.WriteByte(' ')
			blank = false
		}
		if r = lower(r); r == 'ß' {
			b.WriteByte('s')
			r = 's'
		}
		b.WriteRune(r)
	}
	return norm.NFC.String(b.String())
}
