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
	choosers = leadIns + "| let s | lets | i | ill | id | we | well | us | wir | ich | think | will | would | want | like | to | do | take | go | going | use | pick | have | prefer | with | for | definitely | rather | make | lieber | dann | nehmen | nehme |" +
		" nehm | nimm | mach | mache | machen | möchte | wähle | no | option | number | nr | no. | variante | variant | nummer | plan | choice | the | die | den | das | der "
	afterChoice = "it for sounds looks with and but klingt is und aber then because"
)

// acceptedBy returns the options of an offer that an answer chooses, if it does: "yes, option
// 2". "2 questions" is not a choice.
func acceptedBy(answer, offer string) (a acceptance) {
	for p := range paragraphs(answer) {
		text := strings.TrimSpace(plaintext.FirstSentence(p.text))
		rest := wordsOf(text)
		all := wordCount(rest)
		for cutPhrase(&rest, choosers) {
		}
		options, marks := optionsOf(offer), []string{}
		for word, after := firstOf(rest); markOf(word) != ""; word, after = firstOf(after) {
			marks, rest = append(marks, markOf(word)), after
			if !cutPhrase(&after, " and | und ") {
				break
			}
		}
		cutPhrase(&rest, " one | option | please | pls | bitte | then | dann ")
		cutPhrase(&rest, " please | pls | bitte ")
		end := skipWords(text, 0, all-wordCount(rest))
		first, _ := firstOf(rest)
		closed := lastByte(text[:end])
		if len(marks) == 0 || closed == "?" || rest != " " && !inList(afterChoice, first) && !strings.ContainsAny(closed, ",;.:!-)") {
			break
		}
		for _, mark := range marks {
			if option := options[mark]; wordCount(option) > 2 && !strings.HasSuffix(option, "?") && !slices.Contains(a.options, option) {
				a.options = append(a.options, option)
			}
		}
		a.sentence, a.rest = stripMarkup(text), strings.Trim(text[end:], " ,;.:!-–—\n")
		a.restLimits = refines(a.rest) && closed != "."
		break // the next paragraph is about something else
	}
	return a
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
	offering = "option options choice choices way ways approaches alternative alternatives variants either which would could can want prefer recommend suggest or optionen möglichkeiten variante varianten wege welche welches können soll willst empfehle würde oder"
	// others are in the introductions of other lists.
	others = "reason reasons cause causes hypotheses problem problems issue issues question questions error errors finding findings symptoms risk risks gründe ursachen fragen probleme fehler risiken done changed fixed did erledigt geändert"
)

// optionMark matches the mark of an option: "(1)", "b)", "Option C:", "**Option D** –".
var optionMark = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^\W*|[\s(*])(?:(?:option|variante?|plan|choice) )?([1-9]|[a-f])\**(?:[.):]+\**|\s+[–—-])\s+`)
})

// options has the options of the last list of an offer, by number and letter.
type options struct {
	text          map[string]string
	n             int
	before, intro string // the last paragraph, and the one before the list
	listed        bool   // a list is open
}

func (o *options) add(text string, marks ...string) {
	if !o.listed || slices.Contains(marks, "1") && o.text["1"] != "" { // another list begins
		o.text, o.intro, o.n, o.listed = map[string]string{}, o.before, 0, true
	}
	for _, mark := range marks {
		o.text[mark] = text
	}
	o.n++
	if number := string(rune('0' + o.n)); o.text[number] == "" {
		o.text[number] = text // the second one of a and b, or of bullets
	}
}

// addPassages adds the options in a paragraph, which begins with one, or has several of which
// the first is 1 or a. It reports whether there are any.
func (o *options) addPassages(text string) bool {
	found := optionMark().FindAllStringSubmatchIndex(text, -1)
	if len(found) == 0 || found[0][0] > 0 && (len(found) == 1 || strings.IndexByte("1aA", text[found[0][2]]) < 0) {
		return false
	}
	o.listed = o.listed && len(found) == 1
	o.before += text[:found[0][0]]
	for i, m := range found {
		end := len(text)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		o.add(passage(text[m[1]:end]), strings.ToLower(text[m[2]:m[3]]))
	}
	return true
}

// optionsOf returns the options of the last list in an offer, by number and letter: list
// items, or passages of a paragraph such as "(1) … or (2) …". A text that is not an offer has none.
func optionsOf(offer string) map[string]string {
	o, around := options{}, ""
	for p := range paragraphs(offer) {
		if p.list {
			text, marks := stripMarkup(p.text), []string{markOf(strings.ToLower(p.mark))}
			if m := optionMark().FindStringSubmatch(text); len(m) > 0 && strings.HasPrefix(text, m[0]) {
				marks = append(marks, strings.ToLower(m[1]))
			}
			o.add(plaintext.FirstSentence(text), marks...)
			continue
		}
		around += p.text
		if !o.addPassages(p.text) {
			o.before = p.text
		}
	}
	if o.n < 2 || !isOffer(around) || has(wordsOf(o.intro), others) && !isOffer(o.intro) {
		return nil
	}
	return o.text
}

func isOffer(text string) bool { return strings.Contains(text, "?") || has(wordsOf(text), offering) }

// passage returns an option in a paragraph without the word that joins the next one.
func passage(text string) string {
	text = plaintext.FirstSentence(text)
	text = strings.TrimRight(text[:lenWithoutQuestion(text)], " ,;.(*?")
	for _, or := range []string{" or", " oder", " and", " und"} {
		text = strings.TrimRight(strings.TrimSuffix(text, or), " ,;")
	}
	return text
}
