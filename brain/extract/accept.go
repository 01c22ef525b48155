package extract

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// accepted returns the option of an offer that an answer accepts, as it was offered; ""
// if it accepts none.
func accepted(answer, offer string) string {
	if offer == "" {
		return ""
	}
	choice, last := chosen(answer)
	if choice == "" && !last {
		return ""
	}
	options := optionsOf(offer)
	for _, o := range slices.Backward(options) {
		if o.mark == choice {
			return o.text
		}
	}
	n := ordinal(choice)
	if n > 0 && n <= len(options) && len(options) > 1 {
		return options[n-1].text
	}
	if last && len(options) > 1 {
		return options[len(options)-1].text
	}
	return ""
}

// option is something that was offered.
type option struct {
	mark string // the number or letter before it
	text string
}

// optionsOf returns the items of the last list of a text, and sentences that begin with
// "Option A".
func optionsOf(offer string) []option {
	var options []option
	listed := false
	for p := range paragraphs(offer, "", nil) {
		for s := range p.sentences() {
			o := option{mark: cmp.Or(namedOption(s), strings.ToLower(p.mark)), text: s}
			if o.mark == "1" || o.mark == "a" || o.mark == "" && !listed {
				options = nil // another list begins
			}
			if o.mark != "" || p.list {
				options = append(options, o)
			}
			if p.list {
				break
			}
		}
		listed = p.list
	}
	return options
}

// namedOption returns A of a sentence that begins with "Option A".
func namedOption(s string) string {
	words := strings.Fields(strings.ToLower(strings.NewReplacer("*", "", ":", " ", "(", "", ")", " ", ",", "").Replace(s)))
	if len(words) > 2 && slices.Contains([]string{"option", "variante", "plan", "choice", "route", "variant"}, words[0]) && len(words[1]) == 1 {
		return words[1]
	}
	return ""
}

// choices are the phrases that accept an option; the word after them names it.
var choices = sync.OnceValue(func() []phrase {
	var all []phrase
	for _, text := range []string{
		"^ option|number|nr|no|variant|variante|nummer|plan|route|#?", "^ the|die|den|das|der",
		"^ go|going with|for option|number|variant|plan|route?", "^ <use> the|die|den|das|option|number|variante?",
		"let 's|us do|take|go|use|pick|have with|for? the|option|number?",
		"i|we 'll|'d|will|would|want|like take|have|prefer|go|like|pick|do? with|for? the|option|number?",
		"^ lieber|dann|nehmen|machen|nimm|nehm wir? die|den|das|variante|option|nummer?",
	} {
		all = append(all, parsePhrase(strings.ReplaceAll(text, "<use>", "use|do|take|pick|definitely|rather|make|let|prefer|have")))
	}
	return all
})

// chosen returns the number or letter of the option that an answer accepts. last reports
// that it accepts the last one.
func chosen(answer string) (choice string, last bool) {
	for p := range paragraphs(answer, "", nil) {
		text := strings.TrimSpace(p.text)
		tokens := tokenize(nil, text)
		if len(tokens) == 0 {
			break
		}
		for _, at := range choiceAt(tokens) {
			if at < len(tokens) && lastOne(tokens[at].word) {
				return "", true
			}
			if at < len(tokens) && isChoice(tokens, at, text) {
				return tokens[at].word, false
			}
		}
		break // what follows is about something else
	}
	return "", false
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

func lastOne(word string) bool { return word == "last" || word == "latter" || word == "letzte" }

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
	return next.before != 0 && next.before != '-' && next.before != '\'' || strings.ContainsAny(text[tokens[at].hi:next.lo], "\n") ||
		slices.Contains([]string{"please", "pls", "bitte", "then", "it", "for", "sounds", "looks", "with", "and", "but", "dann", "klingt", "one", "option", "is", "und", "aber"}, next.word)
}

// ordinal returns the number that a word means, 0 for none.
func ordinal(word string) int {
	for n, forms := range []string{
		"1 one first 1st eins erste ersten", "2 two second 2nd zwei zweite zweiten", "3 three third 3rd drei dritte dritten",
		"4 four fourth 4th vier vierte vierten", "5 five fifth 5th fuenf fuenfte fuenften",
	} {
		if slices.Contains(strings.Fields(forms), word) {
			return n + 1
		}
	}
	return 0
}
