package similar

import (
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain/words"
)

// statement is what the guard compares of a text.
type statement struct {
	words       []string    // content words in order: base forms, negations and numbers among them
	marks       [7][]string // sorted, by kind
	names       []string    // content words that are written as names
	identifiers []string    // as written, in lower case
	written     []string    // all words in order, as written, in lower case
	starts      []int       // places in words where a sentence begins
	question    bool

	counted bool // while reading: the last word was a number, so a unit may follow
}

// read returns what a text says.
func read(text string) *statement {
	s := &statement{}
	var all []token
	for line := range strings.Lines(text) {
		all = tokens(all[:0], line)
		for i, t := range all {
			next := ""
			if i+1 < len(all) {
				next = all[i+1].folded
			}
			s.add(t, next)
		}
	}
	for _, marks := range s.marks {
		slices.Sort(marks)
	}
	s.question = strings.HasSuffix(strings.TrimRight(text, " \t\r\n\"'”’)"), "?")
	return s
}

// add adds a token; next is the word that follows it.
func (s *statement) add(t token, next string) {
	if t.first {
		s.starts = append(s.starts, len(s.words))
	}
	switch t.kind {
	case plain:
		s.addPlain(t, next)
	case numbers:
		s.addNumber(t.folded)
	default:
		s.counted = false
		s.marks[t.kind] = append(s.marks[t.kind], t.folded)
		for _, term := range words.Terms(t.folded) {
			s.addWord(base(term))
		}
	}
}

// addNumber adds a number, which a unit may follow without a blank.
func (s *statement) addNumber(text string) {
	number, unit, _ := cutNumber(text)
	s.marks[numbers] = append(s.marks[numbers], number)
	s.addWord(number)
	if s.counted = true; unit != "" {
		s.addUnit(unit)
	}
}

func (s *statement) addUnit(unit string) {
	if name, ok := known().units[unit]; ok {
		unit = name
	}
	s.marks[numbers] = append(s.marks[numbers], "unit "+unit)
	s.addWord("unit " + unit)
}

// letterA is the word for an "a" that is not an article.
const letterA = "letter a"

func (s *statement) addPlain(t token, next string) {
	s.written = append(s.written, t.folded)
	if t.symbol {
		s.marks[symbols] = append(s.marks[symbols], symbolic(bare(t.chunk)))
	}
	if t.isIdentifier() {
		s.identifiers = append(s.identifiers, t.folded)
	}
	named := t.isName(next)
	for _, term := range words.Terms(t.text) {
		if term == "a" && !t.isArticle() {
			term = letterA
		}
		if word, ok := s.addTerm(term); ok && named {
			s.names = append(s.names, word)
		}
	}
}

// addTerm adds a term. It returns the content word, and whether that can be a
// name: numbers, units, dates, negations and light words cannot.
func (s *statement) addTerm(term string) (word string, name bool) {
	counted := s.counted
	s.counted = false
	if number, ok := known().numbers[term]; ok {
		term = number
	}
	if isNumber(term) {
		s.addNumber(term)
		return "", false
	}
	if _, unit := known().units[term]; unit && counted {
		s.addUnit(term)
		return "", false
	}
	switch word = base(term); {
	case has(word, negation):
		s.marks[negations] = append(s.marks[negations], word)
	case has(word, dateWord):
		s.marks[dates] = append(s.marks[dates], word)
	default:
		name = !has(word, light)
	}
	return s.addWord(word), name
}

// addWord adds a content word, or joins it to the one before. It returns the
// content word of the two.
func (s *statement) addWord(word string) string {
	if has(word, light) {
		return word
	}
	if n := len(s.words) - 1; n >= 0 && !slices.Contains(s.starts, n+1) {
		if whole := known().join(s.words[n], word); whole != "" {
			if m := len(s.names) - 1; m >= 0 && s.names[m] == s.words[n] {
				s.names[m] = whole
			}
			s.words[n] = whole
			return whole
		}
	}
	s.words = append(s.words, word)
	return word
}
