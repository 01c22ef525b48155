package extract

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// acceptance is a choice from the options of an offer.
type acceptance struct {
	options    []string // the chosen ones, in the words of the offer
	sentence   string   // the sentence of the answer that chooses them
	rest       string   // the text of the sentence after the choice
	restLimits bool     // rest limits the options: "but not before May"
}

// acceptedBy returns the options of an offer that an answer chooses, if it does.
func acceptedBy(answer, offer string) (a acceptance) {
	for p := range paragraphs(answer) {
		text := strings.TrimSpace(plaintext.FirstSentence(p.text))
		m := choiceForm().FindStringSubmatchIndex(text)
		if len(m) == 0 || text[m[3]:] == "?" {
			break
		}
		options := optionsOf(offer)
		for i := 4; i < len(m) && m[i] >= 0; i += 2 {
			option := options[markOf(text[m[i]:m[i+1]])]
			if wordCount(option) > 2 && !strings.HasSuffix(option, "?") && !slices.Contains(a.options, option) {
				a.options = append(a.options, option)
			}
		}
		after := text[m[3]:]
		a.sentence, a.rest = stripMarkup(text), strings.Trim(after, " ,;.:!-–—\n")
		a.restLimits = refines(a.rest) && after[0] != '.'
		break // the next paragraph is about something else
	}
	return a
}

// markOf returns the number, or the letter in lower case, that a word stands for.
func markOf(word string) string {
	word = strings.ToLower(word)
	for n, forms := range ordinals {
		if inList(forms, word) {
			return string(rune('1' + n))
		}
	}
	return word
}

// ordinals are the words for the numbers from one to five.
var ordinals = []string{
	"1 one first 1st eins erste ersten", "2 two second 2nd zwei zweite zweiten", "3 three third 3rd drei dritte dritten",
	"4 four fourth 4th vier vierte vierten", "5 five fifth 5th fünf fünfte fünften",
}

type offerForms struct {
	mark   *regexp.Regexp // of an option: "(1)", "b)", "Option C:", "**Option D** –"
	offers *regexp.Regexp // words around an offer
	others *regexp.Regexp // words that introduce other lists
}

var formsOfOffers = sync.OnceValue(func() offerForms {
	return offerForms{
		mark: regexp.MustCompile(`(?i)(?:^\W*|[\s(*])(?:(?:option|variante?|plan|choice|route) )?([1-9]|[a-f])\**(?:[.):]+\**|\s+[–—-])\s+`),
		offers: regexp.MustCompile(`(?i)\?|\b(options?|choices?|ways|approaches|alternatives?|variants?|either|which|would|could|can|kann|want|prefer|recommend|suggest|or|optionen|möglichkeiten|varianten?|wege|` +
			`welche\w?|können|könnten|soll|sollen|willst|empfehle|würde|oder)\b`),
		others: regexp.MustCompile(`(?i)\b(reasons?|causes?|hypothes[ei]s|problems?|issues?|questions?|errors?|findings?|symptoms?|risks?|gründe?|ursachen?|fragen?|probleme?|fehler|risiken|done|changed|fixed|did|erledigt|geändert)\b`),
	}
})

// options has the options of the last list of an offer, by number and letter.
type options struct {
	text   map[string]string
	n      int
	before string // the paragraph before the open list
	intro  string // and before the last one
	listed bool   // a list is open
}

func (o *options) add(text string, marks ...string) {
	unmarked := strings.Join(marks, "") == ""
	first := slices.Contains(marks, "1") || slices.Contains(marks, "a") || unmarked && !o.listed
	if o.text == nil || first && o.text["1"]+o.text["a"] != "" {
		o.text, o.intro, o.n = map[string]string{}, o.before, 0 // another list begins
	}
	if o.n++; unmarked {
		marks = []string{string(rune('0' + o.n))}
	}
	for _, mark := range marks {
		o.text[mark] = text
	}
	if number := string(rune('0' + o.n)); o.text[number] == "" {
		o.text[number] = text // the second one of a and b
	}
}

// optionsOf returns the options of an offer: list items, or passages of a paragraph such as
// "(1) … or (2) …". A text that is not an offer has none.
func optionsOf(offer string) map[string]string {
	f, around, o := formsOfOffers(), "", options{}
	for p := range paragraphs(offer) {
		if !p.list {
			around += p.text
			f.passages(p.text, o.add)
			o.before = p.text
		}
		for text := range p.sentences() {
			marks := []string{markOf(p.mark)}
			if m := f.mark.FindStringSubmatch(text); len(m) > 0 && strings.HasPrefix(text, m[0]) {
				marks = append(marks, markOf(m[1]))
			}
			if p.list {
				o.add(text, marks...)
			}
			break
		}
		o.listed = p.list
	}
	if o.n < 2 || !f.offers.MatchString(around) || f.others.MatchString(o.intro) && !f.offers.MatchString(o.intro) {
		return nil
	}
	return o.text
}

// passages adds the options in a paragraph, which begins with one, or has at least two of
// which the first is 1 or a.
func (f offerForms) passages(text string, add func(text string, marks ...string)) {
	marks := f.mark.FindAllStringSubmatchIndex(text, -1)
	if len(marks) == 0 || marks[0][0] > 0 && (len(marks) == 1 || strings.IndexByte("1aA", text[marks[0][2]]) < 0) {
		return
	}
	for i, m := range marks {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		passage := plaintext.FirstSentence(text[m[1]:end])
		passage = strings.TrimRight(passage[:lenWithoutQuestion(passage)], " ,;.(*?")
		for _, or := range []string{" or", " oder", " and", " und"} {
			passage = strings.TrimRight(strings.TrimSuffix(passage, or), " ,;")
		}
		add(passage, markOf(text[m[2]:m[3]]))
	}
}

// choiceForm matches an answer that begins with a choice of options. The first group is the
// whole choice, the next two are its options. "2 questions" is not a choice.
var choiceForm = sync.OnceValue(func() *regexp.Regexp {
	oneOf := func(words string) string { return `(?:` + strings.ReplaceAll(words, " ", "|") + `)` }
	option := `(?:(?:the|die|den|das|der) )?(?:` + oneOf("option number nr no variante? nummer plan route choice") + `\.? )?#?` +
		`([1-9a-f]|` + strings.ReplaceAll(strings.Join(ordinals, " "), " ", "|") + `)\b`
	return regexp.MustCompile(`(?i)^\W*((?:` + oneOf("ok okay so and but well yeah yes yep yup fine great good perfect sure cool then thanks sounds ja nein gut super genau klar passt no") + `\W+)*(?:(?:\S+ ){0,2}` +
		oneOf("let'?s i i'll i'd we we'll wir ich") + ` )?(?:` + oneOf("us wir ich think will would want like to do take go going use pick have prefer with for definitely rather make lieber dann nehmen nehme nehm nimm mach mache machen möchte wähle") + ` )*` +
		option + `(?: (?:and|und) ` + option + `)?(?:,? ` + oneOf("one option please pls bitte then dann") + `\b)*)(?:\W*$|\s*[^\s\w'’:-]|\s+[–—-]|\n|\s+` + oneOf("it for sounds looks with and but klingt is und aber") + `\b)`)
})
