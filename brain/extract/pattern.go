package extract

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain/words"
)

// Pattern says which sentences become items of a type. Patterns comes from
// Defaults and ParsePatterns.
type Pattern struct {
	typ      Type
	source   string
	elements []element
	regex    *regexp.Regexp
	user     bool // only what the user says
	any      bool // whoever says it
	ask      bool // also in a question
	at       int  // the element that a text is searched for,
	width    int  // and how many after each other: 1, or 2 where one word would be common
}

// String is the pattern as it was written.
func (p Pattern) String() string { return p.source }

type kind uint8

const (
	literal kind = iota
	anyWord      // *
	gap          // ...
	capital      // Name
	number       // N
	first        // ^
)

type element struct {
	kind     kind
	words    []string
	optional bool
	not      bool
}

const (
	maxGap     = 5    // words that "..." may stand for
	maxPattern = 1000 // bytes
)

// ParsePatterns reads patterns as people write them in notes.patterns. Each is
// "type: phrase" or "type: /regular expression/", matched inside one sentence,
// in any case.
//
// In a phrase, "a|b" stands for one of several words, "a|b?" may be missing,
// "!a|b" is a word that must not come next, "*" is any word, "..." up to five
// words, "Name" a capitalised word that is no common one, "N" a word with a digit, "^" the beginning
// of the sentence. The options @user (only what the user says), @any (whoever says it) and
// @ask (also in a question) come before the phrase. Contractions are two words: we 've, do n't.
func ParsePatterns(list []string) ([]Pattern, error) {
	patterns := make([]Pattern, 0, len(list))
	for _, source := range list {
		p, err := parsePattern(source)
		if err != nil {
			return nil, fmt.Errorf("read the pattern %q: %w", source, err)
		}
		patterns = append(patterns, p)
	}
	return patterns, nil
}

func parsePattern(source string) (Pattern, error) {
	name, phrase, found := strings.Cut(source, ":")
	p := Pattern{typ: Type(strings.ToLower(strings.TrimSpace(name))), source: source}
	phrase = strings.TrimSpace(phrase)
	switch {
	case !found || !p.typ.Known():
		return p, fmt.Errorf("it must begin with one of %v and a colon", Types())
	case strings.Trim(phrase, "|!? ") == "":
		return p, fmt.Errorf("write a phrase or a /regular expression/ after the colon")
	case len(phrase) > maxPattern:
		return p, fmt.Errorf("it is longer than %d bytes; make it shorter", maxPattern)
	case len(phrase) > 1 && phrase[0] == '/' && phrase[len(phrase)-1] == '/':
		return p.withRegex(phrase[1 : len(phrase)-1])
	}
	return p.withPhrase(phrase)
}

func (p Pattern) withRegex(expression string) (Pattern, error) {
	regex, err := regexp.Compile("(?i)" + expression)
	if err != nil {
		return p, fmt.Errorf("mend the regular expression: %w", err)
	}
	if regex.MatchString("") {
		return p, fmt.Errorf("it matches an empty text; make it say more")
	}
	p.regex = regex
	return p, nil
}

func (p Pattern) withPhrase(phrase string) (Pattern, error) {
	for field := range strings.FieldsSeq(phrase) {
		switch field {
		case "@user":
			p.user = true
		case "@any":
			p.any = true
		case "@ask":
			p.ask = true
		default:
			p.elements = append(p.elements, parseElements(field)...)
		}
	}
	p.at, p.width = p.rarest()
	if p.width == 0 {
		return p, fmt.Errorf("it needs at least one word that may not be missing")
	}
	return p, nil
}

// parseElements reads one field; a word that the tokeniser cuts ("we've",
// "follow-up") becomes several.
func parseElements(field string) []element {
	switch field {
	case "*":
		return []element{{kind: anyWord}}
	case "...":
		return []element{{kind: gap}}
	case "Name":
		return []element{{kind: capital}}
	case "N":
		return []element{{kind: number}}
	case "^":
		return []element{{kind: first}}
	}
	e := element{}
	if len(field) > 1 {
		field, e.optional = strings.CutSuffix(field, "?")
		field, e.not = strings.CutPrefix(field, "!")
	}
	e.words = slices.DeleteFunc(strings.Split(lowerASCII(field), "|"), func(w string) bool { return w == "" })
	if len(e.words) == 0 {
		return nil
	}
	if len(e.words) > 1 || !plainWord(field) {
		return []element{e}
	}
	var list []element
	for _, t := range tokenise(nil, field, lowerASCII(field), 0) {
		list = append(list, element{words: []string{t.word}, optional: e.optional, not: e.not})
	}
	return list
}

// maxPairs bounds the pairs of words that a text is searched for.
const maxPairs = 600

// rarest picks what a text is searched for: the rarest word, or a pair of
// neighbours where every single word is common.
func (p Pattern) rarest() (at, width int) {
	best := 0
	for i, e := range p.elements {
		if worth := e.worth(); worth > best {
			best, at, width = worth, i, 1
		}
	}
	if best > commonWorth {
		return at, width
	}
	for i := range p.elements[:max(0, len(p.elements)-1)] {
		a, b := p.elements[i], p.elements[i+1]
		if a.worth() > 0 && b.worth() > 0 && len(a.words)*len(b.words) <= maxPairs && a.worth()+b.worth() > best {
			best, at, width = a.worth()+b.worth(), i, 2
		}
	}
	return at, width
}

// hashes returns the hashes of the words that a text is searched for.
func (p Pattern) hashes() []uint64 {
	var list []uint64
	for _, word := range p.elements[p.at].words {
		if p.width == 1 {
			list = append(list, hashWord(word))
			continue
		}
		for _, next := range p.elements[p.at+1].words {
			list = append(list, hashPair(hashWord(word), hashWord(next)))
		}
	}
	return list
}

// What an element is worth as a thing to search for.
const (
	stopWorth = 1 + iota
	commonWorth
	rareWorth
)

func (e element) worth() int {
	if e.kind != literal || e.optional || e.not {
		return 0
	}
	least := 40
	for _, w := range e.words {
		if punctuationMark(w) {
			return 0
		}
		worth := rareWorth + min(len(w), 10)
		switch {
		case w == "please": // a stop word of questions, yet rare
			worth = rareWorth
		case words.Stop(w), w[0] == '\'', w == "n't":
			worth = stopWorth
		case common(w), len(w) <= 3:
			worth = commonWorth
		}
		least = min(least, worth)
	}
	return least
}

// plainWord reports whether w stays as it is: it is no punctuation and no
// second half of a contraction.
func plainWord(w string) bool {
	return w != "" && w[0] != '\'' && w != "n't" && !punctuationMark(w)
}

func punctuationMark(w string) bool { return w == "," || w == ":" }
