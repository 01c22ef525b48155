package extract

import (
	"fmt"
	"regexp"
	"strings"
)

// Pattern keeps the sentences that match it, whoever says them. Patterns come from
// ParsePatterns.
type Pattern struct {
	kind   Kind
	source string
	phrase phrase
	regex  *regexp.Regexp
}

// String returns the pattern as it was written.
func (p Pattern) String() string { return p.source }

// ParsePatterns reads patterns as people write them in notes.patterns: "kind: phrase" or
// "kind: /regular expression/". Both are found inside one sentence, in any case.
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
	name, text, found := strings.Cut(source, ":")
	p := Pattern{kind: Kind(strings.ToLower(strings.TrimSpace(name))), source: source}
	text = strings.TrimSpace(text)
	if !found || !p.kind.Known() {
		return p, fmt.Errorf("it must begin with one of %v and a colon", Kinds())
	}
	if len(text) > 1 && text[0] == '/' && text[len(text)-1] == '/' {
		regex, err := regexp.Compile("(?i)" + text[1:len(text)-1])
		if err != nil {
			return p, fmt.Errorf("correct the regular expression: %w", err)
		}
		if regex.MatchString("") {
			return p, fmt.Errorf("it matches an empty text; make it say more")
		}
		p.regex = regex
		return p, nil
	}
	if p.phrase = parsePhrase(text, parseElement); p.phrase == nil {
		return p, fmt.Errorf("write a phrase with a word, or a /regular expression/, after the colon")
	}
	return p, nil
}

func (p Pattern) match(text string) bool {
	if p.regex != nil {
		return p.regex.MatchString(text)
	}
	tokens := tokenize(nil, text)
	for at := range tokens {
		if _, ok := p.phrase.match(tokens, at, 0); ok {
			return true
		}
	}
	return false
}
