package extract

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// acceptance is what an answer accepts of an offer.
type acceptance struct {
	options  []string // as they were offered
	sentence string   // of the answer that accepts them
	rest     string   // what the sentence says behind that
	limits   bool     // the rest limits the options: "but not before May"
}

// accepted returns what an answer accepts of an offer. It has no options if the answer is
// about something else.
func accepted(answer, offer string) (a acceptance) {
	if offer == "" {
		return a
	}
	a, choices := chosen(answer)
	if len(choices) == 0 {
		return a
	}
	options := optionsOf(offer)
	for _, choice := range choices {
		text := pick(options, choice)
		if text != "" && !strings.HasSuffix(text, "?") && !slices.Contains(a.options, text) {
			a.options = append(a.options, text)
		}
	}
	return a
}

// pick returns the text of the option that a choice names, "" for none.
func pick(options []option, choice string) string {
	n := ordinal(choice)
	for _, o := range slices.Backward(options) {
		if o.mark == choice || o.name == choice || n > 0 && ordinal(o.mark) == n {
			return o.text
		}
	}
	switch {
	case len(options) < 2:
	case listed("last latter letzte", choice):
		return options[len(options)-1].text
	case n > 0 && n <= len(options):
		return options[n-1].text
	}
	return ""
}

// option is something that was offered.
type option struct {
	mark string // the number or letter before it
	name string // A of "Option A"
	text string
}

// offerForms are the forms of offers.
type offerForms struct {
	mark   *regexp.Regexp // of an option inside a paragraph: "(1)", "b)", "Option C:"
	joint  *regexp.Regexp // what joins such an option to the next
	named  *regexp.Regexp // the beginning of a sentence: "Option A"
	offers *regexp.Regexp // words around an offer
	others *regexp.Regexp // words before lists of something else
}

var formsOfOffers = sync.OnceValue(func() offerForms {
	return offerForms{
		mark:   regexp.MustCompile(`(?i)(?:^|[\s(*])(?:(?:option|variante?|plan|choice|route) )?([1-9]|[a-f])[.):]+\**\s+`),
		joint:  regexp.MustCompile(`(?: or| oder| and| und|[ ,;.(*?])+$`),
		named:  regexp.MustCompile(`(?i)^\W*(?:option|variante?|plan|choice|route)\W+([1-9a-f])\b\W*\w`),
		offers: regexp.MustCompile(`(?i)\?|\b(options?|choices?|ways|approaches|alternatives?|variants?|either|which|would|could|can|kann|want|prefer|recommend|suggest|or|optionen|möglichkeiten|varianten?|wege|welche\w?|können|könnten|soll|sollen|willst|empfehle|würde|oder)\b`),
		others: regexp.MustCompile(`(?i)\b(reasons?|causes?|hypothes[ei]s|problems?|issues?|questions?|errors?|findings?|symptoms?|risks?|gründe?|ursachen?|fragen?|probleme?|fehler|risiken|done|changed|fixed|did|erledigt|geändert)\b`),
	}
})

// optionsOf returns the options of the last list of a text, none if it is not an offer: its
// items, passages such as "(1) … or (2) …", or sentences that begin with "Option A".
func optionsOf(offer string) (options []option) {
	f := formsOfOffers()
	around, before, intro := "", "", ""
	listed := false
	for p := range paragraphs(offer, nil) {
		found := f.inSentences(p)
		if inline := f.inline(p); len(inline) > len(found) {
			found = inline
		}
		if len(found) > 0 {
			first := cmp.Or(found[0].mark, found[0].name)
			if first == "1" || first == "a" || p.list && first == "" && !listed {
				options, intro = nil, before // another list begins
			}
			options = append(options, found...)
		}
		if !p.list {
			before = p.text
		}
		if !p.list || len(found) > 0 && found[0].name != "" {
			around += p.text
		}
		listed = p.list
	}
	if !f.offers.MatchString(around) || f.others.MatchString(intro) && !f.offers.MatchString(intro) {
		return nil
	}
	return options
}

// inSentences returns a list item as an option, or the sentences of a paragraph that begin
// with "Option A".
func (f offerForms) inSentences(p paragraph) (options []option) {
	for s := range p.sentences() {
		o := option{mark: strings.ToLower(p.mark), text: s}
		if m := f.named.FindStringSubmatch(s); len(m) > 1 {
			o.name = strings.ToLower(m[1])
		}
		if p.list {
			return []option{o}
		}
		if o.name != "" {
			options = append(options, o)
		}
	}
	return options
}

// inline returns the options inside a paragraph, none unless there are a first and a second.
func (f offerForms) inline(p paragraph) (options []option) {
	marks := f.mark.FindAllStringSubmatchIndex(p.text, -1)
	if p.list || len(marks) < 2 || !strings.Contains("1aA", p.text[marks[0][2]:marks[0][3]]) {
		return nil
	}
	for i, m := range marks {
		end := append(marks, []int{len(p.text)})[i+1][0]
		passage := plaintext.FirstSentence(p.text[m[1]:end])
		passage = f.joint.ReplaceAllString(passage[:withoutQuestion(passage)], "")
		options = append(options, option{mark: strings.ToLower(p.text[m[2]:m[3]]), text: passage})
	}
	return options
}

// choices are the phrases that accept an option; the word after them names it.
var choices = sync.OnceValue(func() []phrase {
	var all []phrase
	for _, text := range []string{
		"^ option|number|nr|no|variant|variante|nummer|plan|route|#?", "^ the|die|den|das|der",
		"^ go|going with|for option|number|variant|plan|route?", "^ <use> the|die|den|das|option|number|variante?",
		"let 's|us do|take|go|use|pick|have with|for? the|option|number?",
		"i|we 'll|'d|will|would|want|like take|have|prefer|go|like|pick|do? with|for? the|option|number?",
		"^ lieber|dann|nehmen|machen|mach|mache|nimm|nehm wir? die|den|das|variante|option|nummer?",
		"ich nehme|will|moechte|waehle die|den|das|variante|option|nummer?",
	} {
		all = append(all, parsePhrase(strings.ReplaceAll(text, "<use>", "use|do|take|pick|definitely|rather|make|let|prefer|have")))
	}
	return all
})

// chosen returns the numbers or letters of the options that an answer accepts, and the
// sentence that names them.
func chosen(answer string) (a acceptance, choices []string) {
	for p := range paragraphs(answer, nil) {
		text := strings.TrimSpace(plaintext.FirstSentence(p.text))
		a.sentence = bare(text)
		tokens := tokenize(nil, text)
		if len(tokens) == 0 {
			break
		}
		for _, at := range choiceAt(tokens) {
			named, end := choicesAt(tokens, at, text)
			if len(named) == 0 {
				continue
			}
			behind := text[tokens[end-1].hi:]
			a.rest = strings.Trim(behind, " ,;.:!-–—\n")
			a.limits = refines(a.rest) && behind[0] != '.'
			return a, named
		}
		break // what follows is about something else
	}
	return acceptance{}, nil
}

// choicesAt returns the options that the tokens from at on name, joined by "and", and the
// token behind them.
func choicesAt(tokens []token, at int, text string) (choices []string, end int) {
	for end = at; end < len(tokens) && (listed("last latter letzte", tokens[end].word) || isChoice(tokens, end, text)); end++ {
		choices = append(choices, tokens[end].word)
		if end+2 >= len(tokens) || tokens[end+1].word != "and" && tokens[end+1].word != "und" || !isChoice(tokens, end+2, text) {
			end++
			break
		}
		end++
	}
	for end > at && end < len(tokens) && listed("one option please pls bitte then dann", tokens[end].word) {
		end++
	}
	return choices, end
}

// choiceAt returns the tokens that may name the option: the first one that is not a
// filler, and those after a phrase of choice.
func choiceAt(tokens []token) []int {
	start := sentenceStart(tokens)
	all := []int{start}
	for _, c := range choices() {
		for at := range min(len(tokens), start+3) {
			if end, ok := c.match(tokens, at, start); ok {
				all = append(all, end)
			}
		}
	}
	return all
}

// isChoice reports whether a token alone names an option: what follows does not belong to
// it.
func isChoice(tokens []token, at int, text string) bool {
	word := tokens[at].word
	letter := len(word) == 1 && word[0] >= 'a' && word[0] <= 'f'
	if ordinal(word) == 0 && !letter {
		return false
	}
	if at+1 == len(tokens) {
		return !strings.HasSuffix(text, "?")
	}
	next := tokens[at+1]
	return next.before != 0 && !strings.ContainsRune("-':", rune(next.before)) || strings.ContainsAny(text[tokens[at].hi:next.lo], "\n") ||
		listed("please pls bitte then it for sounds looks with and but dann klingt one option is und aber", next.word)
}

// ordinal returns the number that a word means, 0 for none.
func ordinal(word string) int {
	for n, forms := range []string{
		"1 one first 1st eins erste ersten", "2 two second 2nd zwei zweite zweiten", "3 three third 3rd drei dritte dritten",
		"4 four fourth 4th vier vierte vierten", "5 five fifth 5th fuenf fuenfte fuenften",
	} {
		if listed(forms, word) {
			return n + 1
		}
	}
	return 0
}
