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
			option := pick(options, strings.ToLower(text[m[i]:m[i+1]]))
			if wordCount(option) > 1 && !strings.HasSuffix(option, "?") && !slices.Contains(a.options, option) {
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

// pick returns the text of the option that a choice names, "" for none.
func pick(options []option, choice string) string {
	n := ordinal(choice)
	for _, o := range slices.Backward(options) {
		if slices.ContainsFunc(o.marks, func(mark string) bool { return mark == choice || n > 0 && ordinal(mark) == n }) {
			return o.text
		}
	}
	if n > 0 && n <= len(options) && len(options) > 1 {
		return options[n-1].text
	}
	return ""
}

type option struct {
	marks []string // the numbers and letters before it
	text  string
}

type offerForms struct {
	mark      *regexp.Regexp // of an option: "(1)", "b)", "Option C:", "**Option D** –"
	separator *regexp.Regexp // between the options of a paragraph: ", or"
	offers    *regexp.Regexp // words around an offer
	others    *regexp.Regexp // words that introduce other lists
}

var formsOfOffers = sync.OnceValue(func() offerForms {
	return offerForms{
		mark:      regexp.MustCompile(`(?i)(?:^\W*|[\s(*])(?:(?:option|variante?|plan|choice|route) )?([1-9]|[a-f])\**(?:[.):]+\**|\s+[–—-])\s+`),
		separator: regexp.MustCompile(`(?: or| oder| and| und|[ ,;.(*?])+$`),
		offers:    regexp.MustCompile(`(?i)\?|\b(options?|choices?|ways|approaches|alternatives?|variants?|either|which|would|could|can|kann|want|prefer|recommend|suggest|or|optionen|möglichkeiten|varianten?|wege|welche\w?|können|könnten|soll|sollen|willst|empfehle|würde|oder)\b`),
		others:    regexp.MustCompile(`(?i)\b(reasons?|causes?|hypothes[ei]s|problems?|issues?|questions?|errors?|findings?|symptoms?|risks?|gründe?|ursachen?|fragen?|probleme?|fehler|risiken|done|changed|fixed|did|erledigt|geändert)\b`),
	}
})

// optionsOf returns the options of the last list of an offer: list items, or passages of a
// paragraph such as "(1) … or (2) …". A text that is not an offer has none.
func optionsOf(offer string) (options []option) {
	f := formsOfOffers()
	around, before, intro := "", "", ""
	listed := false
	for p := range paragraphs(offer) {
		found := f.optionsIn(p)
		if len(found) > 0 {
			if first := found[0].marks[0]; first == "1" || first == "a" || first == "" && !listed {
				options, intro = nil, before // another list begins
			}
		}
		options = append(options, found...)
		if listed = p.list; !listed {
			before = p.text
			around += p.text
		}
	}
	if !f.offers.MatchString(around) || f.others.MatchString(intro) && !f.offers.MatchString(intro) {
		return nil
	}
	return options
}

// optionsIn returns a list item as an option, or the options in a paragraph. A paragraph
// must begin with an option, or have at least two of which the first is 1 or a.
func (f offerForms) optionsIn(p paragraph) (options []option) {
	if p.list {
		for text := range p.sentences() {
			o := option{[]string{strings.ToLower(p.mark)}, text}
			if m := f.mark.FindStringSubmatch(text); len(m) > 0 && strings.HasPrefix(text, m[0]) {
				o.marks = append(o.marks, strings.ToLower(m[1]))
			}
			return []option{o}
		}
		return nil
	}
	marks := f.mark.FindAllStringSubmatchIndex(p.text, -1)
	if len(marks) == 0 || marks[0][0] > 0 && (len(marks) == 1 || strings.IndexByte("1aA", p.text[marks[0][2]]) < 0) {
		return nil
	}
	for i, m := range marks {
		end := len(p.text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		passage := plaintext.FirstSentence(p.text[m[1]:end])
		passage = f.separator.ReplaceAllString(passage[:lenWithoutQuestion(passage)], "")
		options = append(options, option{[]string{strings.ToLower(p.text[m[2]:m[3]])}, passage})
	}
	return options
}

// choiceForm matches an answer that begins with a choice of options. The first group is the
// whole choice, the next two are its options. "2 questions" is not a choice.
var choiceForm = sync.OnceValue(func() *regexp.Regexp {
	oneOf := func(words string) string { return `(?:` + strings.ReplaceAll(words, " ", "|") + `)` }
	before := `(?:` + oneOf("ok okay so and but well yeah yes yep yup fine also actually hey thanks great good perfect sure cool then sounds good ja nein gut und aber danke super genau klar passt no") + `\W+)*(?:(?:\S+ ){0,2}` + oneOf("let'?s i i'll i'd we we'll wir ich") + ` )?(?:` +
		oneOf("us wir ich think will would want like to do take go going use pick have prefer with for definitely rather make "+
			"lieber dann nehmen nehme nehm nimm mach mache machen möchte moechte wähle waehle") + ` )*`
	option := `(?:` + oneOf("the die den das der") + ` )?(?:` + oneOf("option number nr no variante? nummer plan route choice") + `\.? )?#?` +
		`([1-9a-f]|` + strings.ReplaceAll(strings.Join(ordinals, " "), " ", "|") + `)\b`
	after := `(?:,? ` + oneOf("one option please pls bitte then dann") + `\b)*`
	next := `(?:\W*$|\s*[^\s\w'’:-]|\s+[–—-]|\n|\s+` + oneOf("it for sounds looks with and but klingt is und aber") + `\b)`
	return regexp.MustCompile(`(?i)^\W*(` + before + option + `(?: (?:and|und) ` + option + `)?` + after + `)` + next)
})

// ordinals are the words for the numbers from one to five.
var ordinals = []string{
	"1 one first 1st eins erste ersten", "2 two second 2nd zwei zweite zweiten", "3 three third 3rd drei dritte dritten",
	"4 four fourth 4th vier vierte vierten", "5 five fifth 5th fuenf fuenfte fuenften",
}

// ordinal returns the number of a word in ordinals, 0 for other words.
func ordinal(word string) int {
	for n, forms := range ordinals {
		if inList(forms, word) {
			return n + 1
		}
	}
	return 0
}
