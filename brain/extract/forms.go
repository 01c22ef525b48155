package extract

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// statement is a sentence that was said or written.
type statement struct {
	text       string
	speaker    Speaker
	list       bool // in a list
	hasHeading bool // in a text with headings
}

const maxWords = 80 // of a statement

// explicitIn returns the kind of memory that a sentence explicitly is, and its title by the
// clause that says so; "" if it is none.
func explicitIn(s statement) (Kind, string) {
	text := plain(s.text)
	if n := wordCount(text); n < 2 || n > maxWords {
		return "", ""
	}
	if kind, rest := labelled(text); kind != "" && !strings.HasSuffix(rest, "?") {
		if s.speaker == Assistant && (s.list || s.hasHeading || !hasEvidence(rest) || wordCount(rest) < 4 || has(wordsOf(rest), advice)) {
			return "", ""
		}
		if order, _ := formIn(rest); kind == Fact && order == Preference { // "Remember: never push"
			kind = Preference
		}
		return kind, titleOf(rest)
	}
	if s.speaker == Note && mentionsLabel(text) {
		return "", ""
	}
	if s.speaker != Assistant {
		return formIn(text)
	}
	if words := wordsOf(text); !s.list && hasEvidence(text) && says(words, causes) && has(words, fixes) && !has(words, plans) && !has(words, advice) {
		return Lesson, titleOf(text)
	}
	return "", ""
}

// formIn returns the kind and the title of the first clause of a sentence of a person that
// has a form.
func formIn(text string) (Kind, string) {
	question := strings.HasSuffix(text, "?")
	if question {
		if at, ok := standing(clausesOf(ownWords(text)), true); ok {
			return Preference, titleOf(strings.TrimRight(text[at:], "?"))
		}
		if text = text[:lenWithoutQuestion(text)]; strings.HasSuffix(text, "?") {
			return "", ""
		}
	}
	lead := leadInLen(text)
	own := ownWords(text)
	all := clausesOf(own[lead:])
	if at, ok := standing(all, false); ok {
		if utf8.RuneCountInString(text[lead:]) <= titleRunes {
			at = 0 // what comes before may say where it holds
		}
		return Preference, titleOf(text[lead+at:])
	}
	for i, c := range all {
		if says(c.words, reported) {
			break
		}
		whole := wordsOf(own[lead+c.start:])
		switch {
		case has(c.words, unsure):
		case germanOrder(c.words), prefers(c.words, whole):
			return Preference, titleOf(text[lead+c.start:])
		case begins(c.words, lets) && decides(c.words, whole):
			n := wordCount(c.words)
			cutPhrase(&c.words, lets)
			cutPhrase(&c.words, choosing)
			return Decision, titleOf(text[skipWords(text, lead+c.start, n-wordCount(c.words)):])
		case decides(c.words, whole), i == 0 && isComparison(c.words):
			return Decision, titleOf(text[lead+c.start:])
		}
		if isCondition(c.words) && i == 0 && !begins(c.words, " after ") {
			break
		}
	}
	return "", ""
}

const (
	lets          = " lets | let us "
	choosing      = " go with | stick with | stick to | switch to | settle on | pick | picked | choose | chose | went with | adopt | agree on | standardize on | standardise on | use | keep "
	decidedGerman = "entschieden beschlossen vereinbart geeinigt festgelegt"
	private       = "lunch dinner breakfast brunch drinks beers pizza movie movies film beach holiday holidays vacation birthday wedding married party trip hotel flight flights mom mum dad mother father parents wife husband girlfriend boyfriend kids " +
		"children baby tonight weekend meet eat sleep travel mittagessen abendessen urlaub geburtstag kino essen"
	personal = " to meet | to eat | to have | to grab | to leave | to wait | to sleep | to watch | to visit | to stay | to come | to call | to talk | to order | to get | to see | to ask | to play | to travel | to fly | to walk | to try | to check | to look |" +
		" to live | to quit | to tell | to go to | to go home | to go out | to go on | to go for | to do it | to do this | to do that | to do so | to disagree | that it | that this | on it | on this | on that | against it | for it | to it | to that "
	pronouns = " it | its | this | that | these | those | them | they | he | she | one | him | her | mine | yours | neither | either | both | all of | what | something | anything | everything | nothing | your | my | the first | the second | the third | the last |" +
		" the latter | the former | the other | the same | the following | the next | the previous | the original | option | number | das | es "
	compares = " instead of | rather than | and not | statt | anstatt | als | than "
	unsure   = "maybe perhaps probably possibly might lol haha lmao kidding vielleicht wahrscheinlich noch wed"
	causes   = " root cause | caused by | cause was | because | due to | turned out | came from | issue was | problem was | bug was | error was | failure was | crash was | leak was | race was | culprit was "
	fixes    = "fixed resolved solved corrected patched replaced removed added changed moved switched"
	plans    = "would could should may might probably likely perhaps maybe possibly if ill will let lets going need needs want try suspect seems appears suppose can must not"
	advice   = "you your youre youll please"
)

// decides reports whether a clause says that something was decided. whole has the words up to
// the end of the sentence.
func decides(words, whole string) bool {
	object := whole
	if at := strings.Index(words, " we "); at > 0 && begins(words, " after | in | at | during ") { // where it was decided
		object = whole[at:]
	}
	ours := false
	for cutPhrase(&object, " we | ive | weve | were | well | i | im | ill | the team | our team | have | are | am | will | now | just | finally | also | all | both | simply | then | rather ") {
		ours = true
	}
	switch {
	case begins(words, " wir haben | ich habe ") && has(whole, decidedGerman):
		return !has(words, private+" nichts nicht noch")
	case begins(words, " wir nehmen | wir nutzen | wir verwenden | nehmen wir | lass uns "):
		return says(whole, compares)
	case ours && cutPhrase(&object, " decided | agreed | settled | opted "):
		return begins(object, " to | on | that | against | for | not | in | we | after | with | today | yesterday | together ") && wordCount(object) > 2 && !begins(object, personal) && !has(object, private)
	case cutPhrase(&object, " going with | sticking with | switching to "):
		return isChoice(object)
	case cutPhrase(&object, lets), ours:
		return cutPhrase(&object, choosing) && isChoice(object)
	}
	return false
}

// isChoice reports whether an object is named or compared, and no step of the work at hand.
func isChoice(object string) bool {
	first, rest := firstOf(object)
	named := !inList("the a an some more another different", first) && wordCount(rest) < 4
	return !begins(object, pronouns) && !has(object, private) && (named || says(object, compares+"| because | since | for the | for our | for all | everywhere "))
}

// isComparison reports whether a short sentence is a choice: "SQLite instead of Redis".
func isComparison(words string) bool {
	told := cutPhrase(&words, " use | prefer | pick | choose | go with | switch to | take ")
	for _, compares := range []string{" instead of ", " rather than "} {
		chosen, other, found := strings.Cut(words, compares)
		if found && (told || wordCount(chosen) < 3) && wordCount(other) < 5 && !begins(words, pronouns) {
			return !has(words, private+" is are was were it gives returns prints shows get gets got getting error output this that i you a he she they now here today there") && !strings.HasSuffix(lastOf(chosen), "ing")
		}
	}
	return false
}

// prefers reports whether a clause says what the person prefers about the work. whole has the
// words up to the end of the sentence.
func prefers(words, whole string) bool {
	object := whole
	if cutPhrase(&object, " i really | i much | i strongly | i generally | i usually | i personally | i also | i still | i always ") {
		object = " i" + object
	}
	switch {
	case cutPhrase(&object, " i like | i love | i hate | i dislike | i appreciate | i dont like | i do not like "):
		return begins(object, " it when you | when you | it if you | if you | that you ")
	case cutPhrase(&object, " i would prefer | id prefer | id rather | i would rather "):
		return says(object, compares+"| over ") && !begins(object, pronouns+"| understand | know | see | wait | talk ") && !has(object, private)
	case cutPhrase(&object, " i prefer | ich bevorzuge | my preference is "):
		return !begins(object, pronouns+"| to | not | the | a | an ") && !has(object, private) && !says(object, forNow)
	}
	return begins(words, " ich mag es | ich hasse es | mir ist | mir sind ") && says(whole, " wenn du | lieber ")
}

// germanOrder reports whether a German clause is a standing instruction.
func germanOrder(words string) bool {
	const marks = "immer stets grundsätzlich nie niemals künftig"
	first, rest := firstOf(words)
	last := strings.TrimSpace(words[strings.LastIndexByte(strings.TrimRight(words, " "), ' '):])
	if inList(marks, first) { // with an infinitive at the end
		return wordCount(rest) > 1 && strings.HasSuffix(last, "n") && !strings.HasPrefix(last, "ge") && !has(rest, "noch wenn mehr ist sind war waren haben muss kann")
	}
	return inList("nutze nutz verwende benutze nimm schreib schreibe antworte mach mache halte lass führe frag frage lege setze gib zeig zeige achte pushe merge teste formatiere denk denke sag sage sprich bleib starte erstelle lösche prüfe füge nenne", first) && has(rest, marks)
}

type labelKind struct {
	kind   Kind
	labels string
}

// labelKinds are the words that people write before a statement, with a colon.
var labelKinds = []labelKind{
	{Decision, " decision | decided | verdict | final decision | final answer | final call | settled | agreed | entscheidung | beschluss | beschlossen |"},
	{Preference, " rule | preference | convention | standing instruction | regel | präferenz | konvention |"},
	{Lesson, " lesson | lessons | lesson learned | lessons learned | learned | takeaway | gotcha | root cause | erkenntnis | lektion | merke | ursache |"},
	{Fact, " fact | remember | remember this | note to self | fakt |"},
	{Commitment, " todo | to-do | to do | aufgabe | zusage |"},
}

// labelled returns the kind of a statement with a label, and the statement; "" without one.
func labelled(text string) (Kind, string) {
	head, rest, ok := strings.Cut(strings.Replace(text, "：", ":", 1), ":")
	rest = strings.TrimLeft(rest, " *_")
	if !ok || len(head) > 60 || wordCount(withoutRemarks(rest)) < 2 || begins(wordsOf(rest), " none | nothing | pending | tbd | to be decided | see above | see below | as discussed | keine | nichts | offen ") {
		return "", ""
	}
	label := wordsOf(withoutRemarks(head))
	cutPhrase(&label, " quick | general | new | house | important | team | project | our | my | one more | another ")
	if label == " " { // "Important: …" is not a label by itself
		return "", ""
	}
	for _, one := range labelKinds {
		if strings.Contains(one.labels, label+"|") || one.kind == Decision && begins(label, " decision on | decision about | decision from | decision of ") {
			return one.kind, rest
		}
	}
	return "", ""
}

// mentionsLabel reports whether the first half of a sentence ends with a label: "The wording
// follows the rule: never push". It tells of a statement and makes none.
func mentionsLabel(text string) bool {
	const longestLabel = 3
	head, _, ok := strings.Cut(text, ":")
	last := " " + lastOf(strings.TrimSpace(wordsOf(head))) + " |"
	return ok && wordCount(head) > longestLabel && slices.ContainsFunc(labelKinds, func(k labelKind) bool { return strings.Contains(k.labels, last) })
}

// isInstruction reports whether a sentence that refuses a tool call or a plan says how
// things are to be done.
func isInstruction(text string) bool {
	text = plain(text)
	text = text[leadInLen(text):]
	words := wordsOf(text)
	return wordCount(text) > 2 && !strings.HasSuffix(text, "?") && !begins(words, pronouns+"| wait | stop | hold on | let me | not now | not yet | no | never mind | nevermind | i dont | i do not | i will | i need | i want ") &&
		(wordCount(text) > 6 || !has(words, "it this that"))
}

// isGoAhead reports whether an answer only lets the agent go on.
func isGoAhead(answer string) bool {
	return answer == "" || wordCount(answer) < 4 && begins(wordsOf(answer), " yes | no | ok | okay | sure | continue | proceed | go ahead | skip | later | cancel | none | other | n/a | not now | y | n | ja | nein | weiter ")
}

// candidateKind returns the kind of a sentence that states a value or a wish, "" for others.
func candidateKind(text string) Kind {
	text = plain(text)
	text = text[leadInLen(text):]
	words := wordsOf(text)
	if n := wordCount(text); n < 4 || n > 40 || strings.HasSuffix(text, "?") || begins(words, pronouns+asks) {
		return ""
	}
	switch {
	case says(words, hopes):
		return Preference
	case has(words, states) && (hasEvidence(text) || strings.ContainsFunc(text[1:], isCapital)):
		return Fact
	}
	return ""
}

const (
	asks  = "| can you | could you | would you | will you | what | why | how | where | when | which | who | if | let me | im | i am | i need help | i need you | there is | there are | help | kannst du | könntest du | was | warum | wie | wo "
	hopes = " i want | we want | i need | we need | i like | we like | i prefer | we prefer | we expect | i expect | i decided | we decided | we chose | we agreed | we plan | i always | we always | i never | we never | should | must | has to | have to | need to | needs to | dont want | rather |" +
		" id like | i would like | we would like | soll | sollen | sollte | müssen | muss | wollen | möchten | möchte "
	states = "is are has have uses use runs run listens lives costs takes needs supports expires starts ends owns handles belongs goes moved ist sind hat haben läuft liegt kostet gehört"
)

func isCapital(r rune) bool { return r >= 'A' && r <= 'Z' }

// plain returns a sentence on one line, without emphasis.
func plain(s string) string {
	return boldMark().ReplaceAllString(plaintext.OneLine(s), "$1$2")
}

// hasEvidence reports whether a text has a number, an identifier, a path or the text of an error.
func hasEvidence(text string) bool {
	return strings.ContainsAny(text, "0123456789`/_") || identifier().MatchString(text)
}

var identifier = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[\p{Ll}\d]\p{Lu}|\w[.]\w\w|\w\(\)`)
})

// withoutRemarks returns a text without what is in brackets.
func withoutRemarks(text string) string {
	for {
		before, rest, open := strings.Cut(text, "(")
		_, after, closed := strings.Cut(rest, ")")
		if !open || !closed {
			return text
		}
		text = before + after
	}
}
