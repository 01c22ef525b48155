package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Finder finds some terms in texts. It is safe for concurrent use.
type Finder struct{ terms map[string]int }

// NewFinder returns a finder of terms.
func NewFinder(terms []string) *Finder {
	f := &Finder{terms: make(map[string]int, len(terms))}
	for i, t := range terms {
		f.terms[t] = i
	}
	return f
}

// Find calls found with the index of each of the terms in a text, and returns the number of
// words. Stop words do not count, unless they are among the terms.
func (f *Finder) Find(text string, found func(term int)) (length int) {
	terms, compounds := Split(text)
	for _, t := range terms {
		at, wanted := f.terms[t]
		if wanted {
			found(at)
		}
		if wanted || !stopWord(t) {
			length++
		}
	}
	for _, t := range compounds { // their parts count
		if at, wanted := f.terms[t]; wanted {
			found(at)
			length = max(length, 1)
		}
	}
	return length
}

// Match is a word of a text that a query asks for.
type Match struct {
	Term       string // of the query
	Start, End int    // of the word in the text, in bytes
}

// Matches returns the words of a text that have terms of the query, in the order of
// the text. In scripts written without blanks, the matches of neighbouring pairs
// overlap. A word has a match for each of its terms.
func (q Query) Matches(text string) []Match {
	m := matcher{finder: NewFinder(q.Terms), text: text, misses: map[string]bool{}}
	for i := 0; i < len(text); {
		if _, end := nameAt(text, i); end > 0 {
			m.add(i, end, anyOf)
			i = end
			continue
		}
		if end := compoundAt(text, i); end > 0 {
			m.compound(i, end)
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if !inWord(r) || r >= utf8.RuneSelf && invisible(r) {
			i += n
			continue
		}
		start := i
		for i < len(text) && inWord(r) {
			i += n
			r, n = utf8.DecodeRuneInString(text[i:])
		}
		m.run(start, i)
	}
	return m.found
}

// compound adds a compound if the query asks for it as one word.
func (m *matcher) compound(start, end int) {
	m.scanner.wholes = m.scanner.wholes[:0]
	m.scanner.compound(strings.ToLower(m.text[start:end]))
	for _, t := range m.scanner.wholes {
		if _, wanted := m.finder.terms[t]; wanted {
			m.found = append(m.found, Match{t, start, end})
		}
	}
}

// inWord reports whether r can occur in a word, in either case.
func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '\'' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	return wordRune(lower(r)) || unicode.IsMark(r) || apostrophe(r) || pictograph(r) || invisible(r)
}

type matcher struct {
	finder  *Finder
	text    string
	scanner scanner
	misses  map[string]bool // words that have none of the terms
	found   []Match
}

// run adds the matches in a run of letters, which may have several scripts.
func (m *matcher) run(start, end int) {
	for start < end {
		rest := m.text[start:end]
		n := plainPrefix(rest)
		if n > 0 {
			m.plain(start, start+n)
			start += n
			continue
		}
		n = characterLen(rest)
		if next := rest[n:]; plainPrefix(next) == 0 && next != "" {
			m.add(start, start+n+characterLen(next), pairOf)
		}
		m.add(start, start+n, firstOf)
		start += n
	}
}

// The places of the terms of two characters of a script without blanks. The third term is the
// second character.
const (
	anyOf   = -1 // of a word of another script
	firstOf = 0  // the first character
	pairOf  = 1  // both
)

// plain adds a word of a script that is written with blanks, without quotes around it.
func (m *matcher) plain(start, end int) {
	word := m.text[start:end]
	if m.misses[word] {
		return
	}
	bare := strings.TrimLeftFunc(word, apostrophe)
	start = end - len(bare)
	before := len(m.found)
	m.add(start, start+len(strings.TrimRightFunc(bare, apostrophe)), anyOf)
	m.misses[word] = len(m.found) == before
}

// add adds a part of the text for each term at this place that the query asks for.
func (m *matcher) add(start, end, place int) {
	m.scanner.terms = m.scanner.terms[:0]
	m.scanner.scan(m.text[start:end])
	for i, t := range m.scanner.terms {
		if _, wanted := m.finder.terms[t]; wanted && (place == anyOf || place == i) {
			m.found = append(m.found, Match{t, start, end})
		}
	}
}
