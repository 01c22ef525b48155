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

const (
	choicePrefixes = leadIns + "| let s | lets | i | ill | id | we | well | us | wir | ich | think | will | would | want | like | to | do | take | go | going | use | pick | have | prefer | with | for | definitely | rather | make | lieber | dann | nehmen | nehme |" +
		" nehm | nimm | mach | mache | machen | möchte | wähle | no | option | number | nr | no. | variante | variant | nummer | plan | choice | the | die | den | das | der "
	afterChoice = "it for sounds looks with and but klingt is und aber then because"
)

// acceptedBy returns the options of an offer that an answer chooses, if it does: "yes, option
// 2". "2 questions" is not a choice. Only the first sentence of the answer can choose.
func acceptedBy(answer, offer string) (a acceptance) {
	text := ""
	for p := range paragraphs(answer) {
		text = strings.TrimSpace(plaintext.FirstSentence(p.text))
		break
	}
	rest := wordsOf(text)
	total := wordCount(rest)
	for cutPhrase(&rest, choicePrefixes) {
	}
	var marks []string
	for word, after := firstOf(rest); markOf(word) != ""; word, after = firstOf(after) {
		marks, rest = append(marks, markOf(word)), after
		if !cutPhrase(&after, " and | und ") {
			break
		}
	}
	cutPhrase(&rest, " one | option | please | pls | bitte | then | dann ")
	cutPhrase(&rest, " please | pls | bitte ")
	end := skipWords(text, 0, total-wordCount(rest))
	lastMark := lastByte(text[:end])
	if len(marks) == 0 || lastMark == "?" || !mayFollowChoice(rest, lastMark) {
		return a
	}
	list := optionsOf(offer)
	for _, mark := range marks {
		if option := list.option(mark); wordCount(option) > 2 && !strings.HasSuffix(option, "?") && !slices.Contains(a.options, option) {
			a.options = append(a.options, option)
		}
	}
	a.sentence, a.rest = stripMarkup(text), strings.Trim(text[end:], " ,;.:!-–—\n")
	a.restLimits = refines(a.rest) && lastMark != "."
	return a
}

// mayFollowChoice reports whether the words before rest, which end with lastMark, are a choice:
// nothing follows, or another clause. "Step 2 fails" has neither.
func mayFollowChoice(rest, lastMark string) bool {
	next, _ := firstOf(rest)
	return next == "" || inList(afterChoice, next) || strings.ContainsAny(lastMark, ",;.:!-)")
}

// markOf returns the number, or the letter in lower case, that a word stands for; "" if none.
func markOf(word string) string {
	for n, forms := range ordinals {
		if inList(forms, word) {
			return string(rune('1' + n))
		}
	}
	if len(word) == 1 && (word[0] >= '1' && word[0] <= '9' || word[0] >= 'a' && word[0] <= 'f') {
		return word
	}
	return ""
}

// ordinals are the words for the numbers from one to five.
var ordinals = []string{
	"1 one first 1st eins erste ersten", "2 two second 2nd zwei zweite zweiten", "3 three third 3rd drei dritte dritten",
	"4 four fourth 4th vier vierte vierten", "5 five fifth 5th fünf fünfte fünften",
}

const (
	offerWords = "option options choice choices way ways approaches alternative alternatives variants either which would could can want prefer recommend suggest or optionen möglichkeiten variante varianten wege welche welches können soll willst empfehle würde oder"
	// notOptionWords introduce a list that is not a choice, such as causes or risks.
	notOptionWords = "reason reasons cause causes hypotheses problem problems issue issues question questions error errors finding findings symptoms risk risks gründe ursachen fragen probleme fehler risiken done changed fixed did erledigt geändert"
)

// optionMark matches the mark of an option: "(1)", "b)", "Option C:", "**Option D** –".
var optionMark = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^\W*|[\s(*])(?:(?:option|variante?|plan|choice) )?([1-9]|[a-f])\**(?:[.):]+\**|\s+[–—-])\s+`)
})

// optionList is the last list of an offer.
type optionList struct {
	texts         []string
	marked        map[string]string // the text of a written number or letter
	before, intro string            // the last paragraph of prose, and that before the list
	ended         bool              // prose follows, so that a bullet begins another list
}

// option returns the option of a number or letter, "" if there is none. The second option is 2
// even if it is marked b or with a bullet.
func (o *optionList) option(mark string) string {
	if n := int(mark[0] - '1'); o.marked[mark] == "" && mark[0] <= '9' && n < len(o.texts) {
		return o.texts[n]
	}
	return o.marked[mark]
}

// add adds an option with its marks, if it has any. Another list begins where a mark is used
// again, and after prose with 1, a or a bullet.
func (o *optionList) add(text string, marks ...string) {
	used := func(mark string) bool { return o.marked[mark] != "" }
	if slices.ContainsFunc(marks, used) || o.ended && (len(marks) == 0 || slices.Contains(marks, "1") || slices.Contains(marks, "a")) {
		o.begin()
	}
	for _, mark := range marks {
		o.marked[mark] = text
	}
	o.texts, o.ended = append(o.texts, text), false
}

// begin begins another list.
func (o *optionList) begin() {
	*o = optionList{marked: map[string]string{}, before: o.before, intro: o.before}
}

// addPassages adds the options in a paragraph and reports whether there are any. The paragraph
// must begin with a mark, or contain at least two, the first of them 1 or a.
func (o *optionList) addPassages(text string) bool {
	found := optionMark().FindAllStringSubmatchIndex(text, -1)
	if len(found) == 0 || found[0][0] > 0 && (len(found) == 1 || strings.IndexByte("1aA", text[found[0][2]]) < 0) {
		return false
	}
	o.before += text[:found[0][0]]
	if len(found) > 1 {
		o.begin()
	}
	for i, m := range found {
		end := len(text)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		o.add(passage(text[m[1]:end]), strings.ToLower(text[m[2]:m[3]]))
	}
	return true
}

// optionsOf returns the last list in an offer: list items, or passages of a paragraph such as
// "(1) … or (2) …". It is empty for a text that is not an offer.
func optionsOf(offer string) optionList {
	o, around := optionList{marked: map[string]string{}}, ""
	for p := range paragraphs(offer) {
		if p.list {
			text, marks := stripMarkup(p.text), []string{}
			if mark := markOf(strings.ToLower(p.mark)); mark != "" {
				marks = append(marks, mark)
			}
			if m := optionMark().FindStringSubmatch(text); len(m) > 0 && strings.HasPrefix(text, m[0]) {
				marks = append(marks, strings.ToLower(m[1]))
			}
			o.add(plaintext.FirstSentence(text), marks...)
			continue
		}
		around += p.text
		if !o.addPassages(p.text) {
			o.before, o.ended = p.text, true
		}
	}
	if len(o.texts) < 2 || !isOffer(around) || has(wordsOf(o.intro), notOptionWords) && !isOffer(o.intro) {
		return optionList{}
	}
	return o
}

func isOffer(text string) bool { return strings.Contains(text, "?") || has(wordsOf(text), offerWords) }

// passage returns an option in a paragraph without a final "or" or "and".
func passage(text string) string {
	text = plaintext.FirstSentence(text)
	text = strings.TrimRight(text[:lenWithoutQuestion(text)], " ,;.(*?")
	for _, or := range []string{" or", " oder", " and", " und"} {
		text = strings.TrimRight(strings.TrimSuffix(text, or), " ,;")
	}
	return text
}
