package extract

import (
	"iter"
	"regexp"
	"strings"
	"sync"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// statement is a sentence that was said or written.
type statement struct {
	text     string
	speaker  Speaker
	list     bool // in a list
	document bool // in a text with headings
}

// maxWords is how many words a statement may have.
const maxWords = 80

// explicitIn returns the kind of memory that a sentence explicitly is, and the title by the
// clause that says so; "" if it is none.
func explicitIn(s statement) (Kind, string) {
	text := plain(s.text)
	if n := wordCount(text); n < 2 || n > maxWords {
		return "", ""
	}
	if asked := politelyAsked(text); asked != "" && s.speaker != Assistant {
		return Preference, titleOf(asked)
	}
	if text = text[:lenWithoutQuestion(text)]; strings.HasSuffix(text, "?") {
		return "", ""
	}
	kind, rest := labelled(text)
	switch {
	case kind != "" && s.speaker == Assistant && (s.list || s.document || !hasEvidence(rest) || wordCount(rest) < 4 || advises(rest)):
		return "", ""
	case kind == Fact && s.speaker != Assistant && orderIn(rest):
		return Preference, titleOf(rest)
	case kind != "":
		return kind, titleOf(rest)
	case s.speaker != Assistant:
		return formIn(text)
	case !s.list && isReport(text):
		return Lesson, titleOf(text)
	}
	return "", ""
}

// orderIn reports whether a statement is a standing instruction: "Remember: never push".
func orderIn(text string) bool {
	kind, _ := formIn(text)
	return kind == Preference
}

// formIn returns the kind and the title of the first clause of a sentence that has a form.
func formIn(text string) (Kind, string) {
	for lead, clause := range clauses(text) {
		if unsure(lead) || reported(lead) {
			return "", ""
		}
		for _, f := range forms() {
			m := f.match.FindStringSubmatch(clause)
			if m == nil || f.kind == Decision && unsure(clause) {
				continue
			}
			object := m[len(m)-1]
			if f.holds != nil && !f.holds(object) {
				continue
			}
			if f.titled {
				return f.kind, titleOf(object)
			}
			return f.kind, titleOf(clause)
		}
	}
	return "", ""
}

// clauses yields the beginnings of clauses that may stand by themselves, without lead-ins,
// each with the text before it.
func clauses(text string) iter.Seq2[string, string] {
	return func(yield func(lead, clause string) bool) {
		start := leadInLen(text)
		if !yield(text[:start], text[start:]) {
			return
		}
		orders := begins(order + "|" + germanOrder)(text[start:])
		for _, m := range clauseStart().FindAllStringSubmatchIndex(text, -1) {
			lead, joint, clause := text[:m[0]], text[m[0]:m[1]], text[m[1]:]
			independent := strings.ContainsAny(joint, ";:–—-") || begins(`so|but|please|therefore|also|aber|bitte|deshalb|daher`)(strings.TrimLeft(joint, ", ")) || orders || wordCount(lead) < 4
			if m[1] > start && independent && !yield(lead, clause) {
				return
			}
		}
	}
}

var clauseStart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:[,;:–—.]| -|\))\s+(?:(?:but|and|so|also|then|please|therefore|just|aber|und|bitte|deshalb|daher)\s+)*|\s(?:but|and|so|aber|und)\s+(?:please\s+|bitte\s+)?`)
})

// leadInLen returns the length of the words at the beginning of a sentence that say nothing.
func leadInLen(text string) (n int) {
	for {
		m := leadIn().FindStringIndex(text[n:])
		if len(m) == 0 || n+m[1] >= len(text) {
			return n
		}
		n += m[1]
	}
}

var leadIn = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:(?:ok|okay|k|alright|right|so|and|but|well|yeah|yes|yep|yup|fine|oh|ah|hm+|also|anyways?|btw|actually|look|hey|hi|hello|thanks?|thank you|thx|great|good|perfect|nice|cool|lovely|sweet|awesome|` +
		`honestly|fyi|sure|true|then|now|today|yesterday|wait|sorry|plus|please|pls|plz|just|finally|again|important|reminder|one more thing|one thing|one last thing|another thing|sounds good|looks good|by the way|for the record|just so you know|` +
		`before i forget|note to self|i think|i guess|decision made|claude|codex|gemini|ja|nein|gut|na|und|aber|danke|super|genau|übrigens|ach|klar|passt|stimmt|hallo|bitte|noch was)(?:[,.!:;…]+\s*|\s+[–—-]+\s+|\s+)|(?:no|nope|nah)[,.!:;]+\s*|\d{4}-\d\d-\d\d\W+|\d\d:\d\d\W+|[^\pL\d"“„` + "`" + `]+)`)
})

// labels are the words that people write before a statement, with a colon.
var labels = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^[^\pL\d]*(?:(decision|decided|verdict|final decision|final answer|settled|agreed|entscheidung|beschluss|beschlossen)(?: (?:on|from|about|of) [^:]{2,40})?|(rule|preference|convention|standing instruction|regel|präferenz|konvention)|` +
		`(lessons?(?: learned)?|learned|takeaway|gotcha|root cause|erkenntnis|lektion|merke|ursache)|(fact|remember|remember this|note to self|fakt)|(todo|to-do|to do|aufgabe|zusage))(?: ?\([^)]{1,30}\))? ?[*_\]]*[:：][*_]* *(.*)$`)
})

// labelled returns the kind of a statement with a label, and the statement; "" without one.
func labelled(text string) (Kind, string) {
	m := labels().FindStringSubmatch(text)
	if len(m) == 0 || wordCount(withoutRemarks(m[6])) < 2 || placeholder(m[6]) {
		return "", ""
	}
	for i, kind := range []Kind{Decision, Preference, Lesson, Fact, Commitment} {
		if m[i+1] != "" {
			return kind, m[6]
		}
	}
	return "", ""
}

var (
	placeholder = begins(`none|nothing|pending|tbd|to be decided|see (?:above|below)|as discussed|keine|nichts|offen`)
	advises     = contains(`you|your|you're|you'll|please`)
	futureWords = contains(fromNow + `|going forward|moving forward|in (?:the )?future`)
)

// politelyAsked returns the standing instruction that a question is: "Can you please always
// answer in German?"; "" for other questions.
func politelyAsked(text string) string {
	m := politeForm().FindStringSubmatch(text)
	if len(m) == 0 || m[1]+m[2] == "" && !futureWords(text) || forNow(text) || !strings.HasSuffix(text, "?") {
		return ""
	}
	return strings.TrimRight(m[3], "?")
}

// politeForm matches a standing instruction that is put as a question.
var politeForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:\pL+[,!]? ){0,2}?(please )?(?:can|could|would|will) you (please )?((?:always|never|stop [a-z]+ing) .+|.+ (?:` + fromNow + `|going forward|moving forward|in (?:the )?future)(?: please)?[?])$`)
})

// isReport reports whether a sentence of the assistant says what the cause of a fault was
// and how it was fixed, with evidence.
func isReport(text string) bool {
	return hasEvidence(text) && causes(text) && fixes(text) && !plans(text) && !advises(text)
}

var (
	causes = contains(`root cause|caused by|cause was|because|due to|turned out|came from|(?:issue|problem|bug|error|failure|crash|leak|race|culprit) was`)
	fixes  = contains(`fixed|resolved|solved|corrected|patched|(?:replaced|removed|added|changed|moved|switched|now uses?|now checks?)`)
	plans  = contains(`would|could|should|may|might|probably|likely|perhaps|maybe|possibly|if|i'll|i will|let me|let's|going to|needs? to|want|try|suspect|seems?|appears?|suppose|can|must|will|to fix|not fixed`)
)

// isInstruction reports whether a sentence that refuses a tool call or a plan says how
// things are to be done.
func isInstruction(text string) bool {
	text = plain(text)
	text = text[leadInLen(text):]
	return wordCount(text) > 2 && !strings.HasSuffix(text, "?") && !pronoun(text) && !begins(`wait|stop|hold on|let me|not (?:now|yet)|no|never ?mind|i (?:don't|do not|will|need|want)`)(text) &&
		(wordCount(text) > 6 || !contains(`it|this|that`)(text))
}

// isGoAhead reports whether an answer only lets the agent go on.
func isGoAhead(answer string) bool {
	rest := begins(`yes|no|ok|okay|sure|continue|proceed|go ahead|skip|later|cancel|none|other|n/a|not now|y|n|ja|nein|weiter`)
	return answer == "" || rest(answer) && wordCount(answer) < 4
}

// candidateKind returns the kind of a sentence that states a value or a wish, "" for others.
func candidateKind(text string) Kind {
	text = plain(text)
	n := leadInLen(text)
	text = text[n:]
	if words := wordCount(text); words < 4 || words > 40 || strings.HasSuffix(text, "?") || pronoun(text) || asks(text) {
		return ""
	}
	switch {
	case wishes(text):
		return Preference
	case states(text) && (hasEvidence(text) || isNamed(text[1:])):
		return Fact
	}
	return ""
}

var (
	asks   = begins(`can you|could you|would you|will you|what|why|how|where|when|which|who|if|let me|i'm (?:trying|getting|not)|i am (?:trying|getting|not)|i need (?:help|you)|there (?:is|are)|help|hi|hello|kannst du|könntest du|was|warum|wie|wo`)
	wishes = contains(`(?:i|we)(?:'d| would)? (?:really )?(?:want|need|like|prefer|expect|decided|chose|agreed|plan|always|never)|should|must(?:n't)?|has to|have to|needs? to|don't want|rather|soll(?:en|te)?|müssen|muss|will|wollen|möchten?`)
	states = contains(`is|are|has|have|uses?|runs?|listens?|lives?|costs?|takes|needs|supports?|expires?|starts|ends|owns|handles|belongs|goes|moved|ist|sind|hat|haben|läuft|liegt|kostet|gehört`)
)

// plain returns a sentence on one line, without emphasis.
func plain(s string) string {
	return strings.NewReplacer("**", "", "__", "").Replace(plaintext.OneLine(s))
}

// hasEvidence reports whether a text has a number, an identifier, a path or the text of an error.
func hasEvidence(text string) bool {
	return strings.ContainsAny(text, "0123456789`/_") || identifier().MatchString(text)
}

var identifier = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[\p{Ll}\d]\p{Lu}|\w[.]\w\w|\w\(\)`)
})

// isNamed reports whether a text names something: with a capital letter or an identifier.
func isNamed(text string) bool { return capital().MatchString(text) || hasEvidence(text) }

var capital = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|[\s("'])\p{Lu}[\pL\d]`) })

func wordCount(text string) int { return len(strings.Fields(text)) }

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

// inList reports whether a word is in a list of words that are separated by blanks.
func inList(list, word string) bool {
	return word != "" && !strings.Contains(word, " ") && strings.Contains(" "+list+" ", " "+word+" ")
}
