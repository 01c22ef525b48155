package similar

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/words"
)

// statement is what the guard compares of a text.
type statement struct {
	words    []string       // content words in order: stemmed, negations and numbers among them
	present  map[string]int // how often each word is there, light words too
	marks    [7][]string    // sorted, by kind: negation, number, date, version, path, URL, symbol
	names    []string       // words written as names inside a sentence
	symbolic []string       // identifiers, as they are written, folded
	subjects []string       // words that a sentence is about: what stands before its verb
	phrases  []modified
	openings []opening
	asks     bool     // it is a question
	spoken   []string // all words in order as they are written, folded
}

// opening is the first word of a sentence and the one after it.
type opening struct{ first, second string }

// modified is a word that tells a thing from others of its kind: heron in "the
// heron service", in "sessions of the heron" for the sessions.
type modified struct{ word, head string }

// The indices of marks, in the order of the bits of Difference.
const (
	negations = iota
	numbers
	dates
	versions
	paths
	urls
	symbols
)

// reader makes a statement from the words of a text, one by one.
type reader struct {
	statement
	starts  bool     // a sentence begins here
	opened  string   // the capital word that began the sentence
	subject []string // of the sentence, until its verb
	before  bool     // no verb came yet
	bare    bool     // it began without an article, maybe with a verb
	phrase  phrase
	counted bool // the word before was a number
}

// understand reads what a text says.
func understand(text string) *statement {
	r := reader{starts: true}
	r.present = make(map[string]int)
	for line := range strings.Lines(spelt(text)) {
		r.begin()
		for i, chunk := range strings.Fields(line) {
			r.chunk(chunk)
			r.symbols(chunk, i == 0)
		}
	}
	r.asks = strings.HasSuffix(strings.TrimRight(text, " \t\r\n\"'”’)"), "?")
	for _, marks := range r.marks {
		slices.Sort(marks)
	}
	return &r.statement
}

// chunk reads what stands between two blanks.
func (r *reader) chunk(chunk string) {
	word := trimmed(chunk)
	folded := strings.ToLower(word)
	switch kind := kindOf(folded); {
	case word == "":
		return
	case kind >= 0:
		r.mark(kind, folded)
		r.counted = kind == numbers
	default:
		if inCode(chunk) && !isIdentifier(word) {
			r.symbolic = append(r.symbolic, folded)
		}
		r.plain(word, lettered(word, chunk, r.starts))
	}
	r.starts = false
	switch last, _ := utf8.DecodeLastRuneInString(chunk); last {
	case '.', '!', '?', ':', '…':
		r.begin()
	case ',', ';', ')':
		r.phrase = phrase{}
	}
}

// begin begins a sentence.
func (r *reader) begin() {
	r.starts, r.subject, r.before, r.phrase = true, nil, false, phrase{}
}

// symbols adds what a chunk of letters has of symbols. What begins a line is a
// bullet or a heading if it stands alone.
func (r *reader) symbols(chunk string, first bool) {
	word := strings.ToLower(bare(chunk))
	if word == "" || kindOf(trimmed(word)) >= 0 {
		return
	}
	r.spoken = append(r.spoken, word)
	if first && strings.Trim(word, "*-+#>•") == "" {
		return
	}
	r.marks[symbols] = append(r.marks[symbols], symbolsOf(word)...)
}

// mark adds a chunk of a kind. It counts as one word.
func (r *reader) mark(kind int, folded string) {
	if kind == numbers {
		number, unit := cutUnit(folded)
		r.number(number)
		if unit != "" {
			r.unit(unit)
		}
		return
	}
	r.phrase = phrase{}
	r.marks[kind] = append(r.marks[kind], folded)
	for _, term := range words.Terms(folded) {
		r.add(term)
	}
}

func (r *reader) number(number string) {
	r.marks[numbers] = append(r.marks[numbers], number)
	r.add(number)
}

// unit adds the unit of the number before it, in one spelling.
func (r *reader) unit(unit string) {
	unit = unitName(unit)
	r.marks[numbers] = append(r.marks[numbers], "unit "+unit)
	r.add(unit)
}

// letterA is how an a that is no article counts.
const letterA = "a "

// lettered holds for an a that is no article, but a name: it stands before a
// mark, as in foo(b, a), or is a capital within a sentence.
func lettered(word, chunk string, starts bool) bool {
	return word == "A" && !starts || utf8.RuneCountInString(word) > 1 || chunk[len(chunk)-1]|0x20 != 'a'
}

// plain reads a chunk of letters; lettered tells that an a in it is a name.
func (r *reader) plain(word string, lettered bool) {
	terms := words.Terms(word)
	named := isName(word, r.starts)
	if isIdentifier(word) {
		r.symbolic = append(r.symbolic, strings.ToLower(word))
	}
	for i, term := range terms {
		if term == "a" && lettered {
			r.present[letterA]++
			r.words = append(r.words, letterA)
			continue
		}
		counts, ok := r.term(term)
		if named && ok {
			r.names = append(r.names, counts)
		}
		r.open(term, word, i)
		if counts != "" || words.Stop(term) {
			r.about(term, word, r.starts && i == 0)
			r.phrases = append(r.phrases, r.phrase.next(term, word)...)
		}
		r.counted = r.counted && i+1 < len(terms)
	}
}

// term adds one word, by what it is. It returns the word as it counts, and
// whether it could be a name: numbers, units, dates and light words are none.
func (r *reader) term(term string) (word string, name bool) {
	lexicon := allWords()
	if n, ok := lexicon.numbers[term]; ok {
		r.number(n)
		r.counted = true
		return "", false
	}
	if n, _ := cutUnit(term); n != "" && n != term || isDigits(term) {
		r.mark(numbers, term)
		return "", false
	}
	if r.counted && unitName(term) != term {
		r.unit(term)
		return "", false
	}
	switch {
	case lexicon.negations[term]:
		r.marks[negations] = append(r.marks[negations], term)
	case lexicon.dates[term]:
		r.marks[dates] = append(r.marks[dates], term)
	}
	word = r.add(term)
	return word, word != "" && !lexicon.dates[term] && !lexicon.negations[term]
}

// add adds a word that counts and returns it, or "" for a light one.
func (r *reader) add(term string) string {
	term = sameWord(term)
	if term != "" {
		r.present[term]++
		r.words = append(r.words, term)
	}
	return term
}

// open keeps the first two words of a sentence whose second reads like a verb.
func (r *reader) open(term, word string, i int) {
	if r.starts && i == 0 {
		r.opened = ""
		if first, _ := utf8.DecodeRuneInString(word); unicode.IsUpper(first) && !words.Stop(term) {
			r.opened = sameWord(term)
		}
		return
	}
	if r.opened == "" {
		return
	}
	if folded := strings.ToLower(word); likeVerb(folded) {
		r.openings = append(r.openings, opening{r.opened, folded})
	}
	r.opened = ""
}

// likeVerb holds for what follows a subject: a word with an s at its end, or an
// auxiliary.
func likeVerb(folded string) bool {
	return strings.HasSuffix(folded, "s") && !strings.HasSuffix(folded, "ss") || auxiliary(folded)
}

// about keeps what a sentence is about: the words before its verb. A sentence
// that begins without an article may begin with a verb, or with anything: it
// counts if a form of to be or its like follows.
func (r *reader) about(term, word string, first bool) {
	folded := strings.ToLower(word)
	switch begun := len(r.subject) > 0; {
	case first:
		r.subject, r.before, r.bare = nil, true, !article(term)
		if r.bare && !words.Stop(term) {
			r.subject = append(r.subject, sameWord(term))
		} else {
			r.before = !r.bare
		}
	case !r.before:
	case begun && r.bare && tobe(folded), begun && !r.bare && likeVerb(folded):
		r.subjects, r.before = append(r.subjects, r.subject...), false
	case words.Stop(term):
		r.before = false
	default:
		r.subject = append(r.subject, sameWord(term))
	}
}

// tobe holds for verbs that no noun is spelt like.
func tobe(word string) bool {
	switch word {
	case "is", "are", "was", "were", "has", "have", "had", "should", "could", "would":
		return true
	}
	return false
}

// article holds for the words that stand before a subject.
func article(term string) bool {
	switch term {
	case "the", "a", "an", "this", "that", "these", "those", "my", "our", "your", "its", "their":
		return true
	}
	return false
}

// trimmed returns a chunk without the marks around it.
func trimmed(chunk string) string {
	word := bare(chunk)
	return strings.Trim(word, "*|()[]{}<>\"'`,;")
}

// inCode holds for a word between backticks.
func inCode(chunk string) bool {
	_, word, found := strings.Cut(chunk, "`")
	return found && strings.IndexByte(word, '`') > 0
}

// isIdentifier holds for what programs are written with, where each letter
// counts: user_id, userId, --force, @alice.
func isIdentifier(word string) bool {
	bare := strings.TrimLeft(word, "-@")
	if marked := len(word) - len(bare); bare != "" && (marked == 2 && word[0] == '-' || marked == 1 && word[0] == '@') || strings.Contains(strings.Trim(word, "_"), "_") {
		return true
	}
	return camel(word)
}

// isName holds for what is written as a name: a capital inside a sentence, a
// capital after a small letter, an underscore, an at sign or a hyphen first.
func isName(word string, starts bool) bool {
	inner := false
	for i, r := range word {
		if i > 0 && (unicode.IsUpper(r) || r == '_') {
			inner = true
		}
	}
	first, _ := utf8.DecodeRuneInString(word)
	if strings.ContainsRune("@#", first) || strings.HasPrefix(word, "--") {
		return true
	}
	if strings.ToUpper(word) == word && unicode.IsUpper(first) && utf8.RuneCountInString(word) == 1 {
		return !starts && word != "I"
	}
	return inner || unicode.IsUpper(first) && !starts && !words.Stop(strings.ToLower(word))
}
