package extract

import (
	"regexp"
	"strings"
	"sync"
)

// form is a way to say what a statement is. A clause that begins with it, and that meets
// its condition, is kept.
type form struct {
	kind Kind
	text string // a regular expression; its last group, if it has one, is the object
	// holds reports whether the object makes the clause a statement; nil: always.
	holds func(object string) bool
	// titled reports that the object is the title.
	titled bool

	match *regexp.Regexp
}

// forms returns the table of forms of a person.
var forms = sync.OnceValue(func() []form {
	all := []form{
		// Standing instructions.
		{kind: Preference, text: `(?:always|never(?: ever)?) (.+)`, holds: isHabit},
		{kind: Preference, text: fromNow + `,? (?:please |bitte )?(.+)`, holds: isRule},
		{kind: Preference, text: inFuture + `,? (?:please |bitte )?(?:you (?:must|should|can|will|need)|i want|(?:all |our |the )?` + workThings + `|` + order + `)\b.+`},
		{kind: Preference, text: `(?:` + order + `)\b.*(?:(?:,|,? and|,? but) never\b.*|[, ](?:` + fromNow + `|going forward|moving forward|in future|everywhere|ever again|no matter what|at all times|always|under (?:no|any) circumstances|` +
			`without (?:asking|my)\b.*|(?:unless|until) i (?:say|ask|tell|explicitly|approve)\b.*|(?:every time|whenever) (?:you|i|we)\b.*|(?:before|after) (?:every|each|any) (?:new )?` + workThings + `\b.*|` +
			`(?:in|on|for|with) (?:every|each|all) (?:commit|pr|pull request|release|response|answer|reply|message|session)\b.*))[.! ]*$`},
		{kind: Preference, text: `(?:ask|tell|answer|reply|respond|remember|avoid|check|don't|do not|let me know)\b.* in the future[.! ]*$`},
		{kind: Preference, text: `(?:don't|do not|dont)(?: you)?(?: ever)? (.+) (?:again|anymore|any more|ever)\b[^,]*$`, holds: isWhole},
		{kind: Preference, text: `(?:don't|do not|dont) ever (.+)`, holds: isBareVerb},
		{kind: Preference, text: `(?:don't|do not|dont) (?:` + order + `|touch|change|edit)\b.* (?:unless|without) .+`},
		{kind: Preference, text: `(?:(?:you|u) (?:must|should|shall|have to|need to|are to|may)|i(?:'d| would)? (?:want|need|expect|like|prefer) you to|i(?:'d| would) rather you|(?:make sure|be sure|remember|try|ensure)(?: that)?(?: you| to)?)` +
			`(?: please)? (?:always|never) (?:to )?(.+)`, holds: isBareVerb},
		{kind: Preference, text: `i(?:'d| would)? (?:want|need|expect|like|prefer) you to .+\b(?:` + fromNow + `|going forward|in (?:the )?future|every time|whenever)\b`},
		{kind: Preference, text: `(?:whenever|every time|each time|any ?time) (?:you|i (?:ask|say|tell|mention|paste|send|type|write)|we)\b[^,]*, (?:then )?(?:please )?(?:you (?:must|should|have to|need to)|` + order + `)\b.+`},
		{kind: Preference, text: `when you ([^,]{3,60}?),? (?:please )?(?:` + order + `)\b.+`, holds: isGeneral},
		{kind: Preference, text: `(?:when|if|before|after|for|in|on|with|while|unless) [^,]{2,80}, (?:please )?(?:always|never) (.+)`, holds: isBareVerb},
		{kind: Preference, text: `(?:answer|reply|respond|talk|speak)(?: to me)?(?: only)? in (?:(?:british|american|plain|simple) )?(?:english|german|french|spanish|italian|dutch|portuguese|deutsch)\b.*`},
		{kind: Preference, text: `keep (?:all |your |my |our )?(?:answers|replies|responses|comments|commit messages|commits|explanations|summaries|functions|prs|pull requests) .+`},
		{kind: Preference, text: `(?:call|address) me (?:as )?\pL.*`},
		{kind: Preference, text: `(?:don't|do not|dont) (?:commit|push|deploy|merge|release) (.+)`, holds: isGeneral},
		{kind: Fact, text: `(?:remember|keep in mind) that ((?:we|our|the|i|my|all|every) .+)`, titled: true},
		{kind: Preference, text: `stop ([a-z-]+ing\b.+)`, holds: isHabitToStop},
		{kind: Preference, text: `we (?:always (?:run|write|review|test|document|use)|(?:always|never|don't ever) (?:deploy|merge|commit|push|release|squash|rebase|tag|pin|format|sign|ship))\b .+`},
		{kind: Preference, text: `(?:nobody|no one|we (?:don't|do not|only))(?: (?:may|should|must|is allowed to|ever))? (?:merges?|push(?:es)?|deploys?|commits?|releases?|ships?|edits?|deletes?)\b (.+)`, holds: isGeneral},
		{kind: Preference, text: `(?:all |our |your |my |the )?(?:[\w-]+ )?` + workThings + ` (?:must|should|shall|have to|has to|may|need to) (?:always|never) .+`},
		{kind: Preference, text: `(?:every|each|all) (?:[\w-]+ )?` + workThings + ` (?:must|needs?|has to|have to) .+`},
		{kind: Preference, text: `(?:immer|stets|grundsätzlich|nie|niemals|nie wieder) (.+)`, holds: isGermanHabit},
		{kind: Preference, text: `(?:` + germanOrder + `)\b.*[ ,](?:immer|stets|grundsätzlich|nie|niemals|nie wieder|nie mehr|nicht mehr|` + fromNow + `|` + inFuture + `)\b.*`},
		{kind: Preference, text: `(?:du (?:sollst|musst|darfst|solltest)|ich (?:möchte|will|erwarte),? dass du)(?: mir| bitte| mich| dabei)* (?:immer|stets|nie|niemals|nicht mehr|` + fromNow + `) .+`},
		// Decisions.
		{kind: Decision, text: meeting + `(?:(?:we|the team|our team|my team)(?:'ve| have)? )?(?:(?:all|both|now|just|finally|also|already|jointly) )?(?:decided|agreed|settled|opted)` +
			`(?:,[^,]{3,90},| today| yesterday| together| internally| unanimously| (?:in|at|after) (?:the|today's|our) [\w-]+| with [\w-]+)*,? ((?:to|on|that|against|for|not to|in favou?r of) .+)`, holds: isProjectMatter},
		{kind: Decision, text: `i(?:'ve| have)? (?:now |just |finally |also )?decided (?:that )?(?:to|on|against|not to|we) (?:` + workVerbs + `)\b (.+)`, holds: isProjectMatter},
		{kind: Decision, text: `(?:let's|lets|let us) (?:just |simply |then |rather |instead )?(?:go with|use|stick (?:with|to)|switch to|settle on|pick|choose|adopt|agree on|standardi[sz]e on) (.+)`, holds: isChoice, titled: true},
		{kind: Decision, text: `(?:let's|lets|let us) (?:just |simply |then |rather )?(?:keep|take|do|drop|move to|make it|have|store|put|write|build|call it) (.+)`, holds: isCompared, titled: true},
		{kind: Decision, text: meeting + `(?:we|i)(?:'ll|'re| will| are|'m| am)?(?: now| just| then| going to)* (?:use|using|go with|stick (?:with|to)|switch to|keep|take|took|chose|picked|went with) (.+)`, holds: isCompared},
		{kind: Decision, text: meeting + `(?:we|i)(?:'re|'m| are| am)? (?:now )?(?:going with|sticking with|switching to|standardi[sz]ing on|settled on|chose) (.+)`, holds: isChoice},
		{kind: Decision, text: `(?:use|prefer|pick|choose|go with|take|switch to) (.+)`, holds: isPlainComparison},
		{kind: Decision, text: `([^ ]+(?: [^ ]+)? (?:instead of|rather than) [^ ,.]+(?: [^ ,.]+){0,2}(?:[.!]|,? (?:because|for|since|as|so|it)\b.*)?)$`, holds: isPlainComparison},
		{kind: Decision, text: `(?:wir|ich) haben?(?: uns| wir| jetzt| gestern| heute| gemeinsam| im [\w-]+)*,? (?:entschieden|beschlossen|vereinbart|geeinigt|festgelegt)\b(.+)`, holds: isProjectMatter},
		{kind: Decision, text: `wir haben (.{8,200} (?:entschieden|beschlossen|vereinbart|geeinigt|festgelegt))[.!]?$`, holds: isProjectMatter},
		{kind: Decision, text: `(?:lass uns|wir (?:nehmen|nutzen|verwenden|bleiben bei|machen)|nehmen wir) (.+ (?:statt|anstatt|anstelle|und nicht)\b.+)`},
		// Preferences.
		{kind: Preference, text: `i (?:(?:really|much|strongly|generally|usually|personally|also|still|always) )*prefer (.+)`, holds: isPreferred},
		{kind: Preference, text: `i(?:'d| would) (?:(?:really|much|strongly|generally|always) )*prefer (.+)`, holds: isCompared},
		{kind: Preference, text: `i (?:(?:really|don't|do not) )?(?:like|love|hate|dislike|prefer|appreciate) it (?:when|if|that) you (.+)`},
		{kind: Preference, text: `my (?:preference|(?:preferred|favou?rite) [\w-]+(?: [\w-]+)?) (?:is|are) (.+)`, holds: isPreferred},
		{kind: Preference, text: `ich (?:bevorzuge (.+)|(?:mag|hasse|schätze) es(?: nicht)?, wenn du .+|ziehe .+ vor\b.*)`},
		{kind: Preference, text: `mir (?:ist|sind) .+ lieber(?: als .+)?[.!]?$`},
	}
	for i := range all {
		all[i].match = expression(`^(?i:` + all[i].text + `)`)
	}
	return all
})

// Parts of forms. An order begins with a verb that people tell agents.
const (
	fromNow  = `(?:from (?:now|here|today|this point) on(?:wards?|ward)?|from now|henceforth|starting (?:now|today)|as of (?:now|today)|ab (?:jetzt|sofort|heute|nun)|von (?:jetzt|nun) an)`
	inFuture = `(?:in (?:the )?future|going forward|moving forward|next time|in zukunft|künftig|zukünftig)`
	// meeting is where something was decided.
	meeting = `(?:(?:after|in|at|during) (?:the|today's|yesterday's|our) [^,]{3,40}?,? )?`
	order   = `use|write|add|answer|reply|respond|call|keep|put|run|ask|tell|show|give|make|take|check|test|commit|push|merge|deploy|format|name|prefix|include|exclude|leave|avoid|stick|send|read|` +
		`create|remove|delete|update|document|explain|speak|talk|address|treat|start|begin|end|open|close|save|store|log|wrap|return|handle|follow|prefer|assume|default|stop|refer|mention|list|cite|sign|` +
		`sort|indent|squash|rebase|tag|pin|bump|mock|lint|review|verify|confirm|wait|skip|do|be|don't|do not|dont|never|always|mark|generate|print|translate|spell|summari[sz]e|quote|link|let|notify|` +
		`remind|double-check|provide|omit|escape|validate|ensure|remember|only|work|set|move|copy|say|type|make sure|feel free|please`
	workVerbs = `use|run|deploy|merge|commit|push|release|write|name|ship|log|store|squash|rebase|test|review|tag|pin|format|sign|document|version|mock|keep|drop|switch|move to|stick|adopt|replace|remove|` +
		`split|rename|migrate|support|cache|host|go with|build|encrypt|back up|return|bill|invoice|publish|approve`
	workThings = `(?:commits?|commit messages?|push(?:es)?|merges?|releases?|deploy(?:s|ments?)?|changes?|edits?|prs?|pull requests?|builds?|refactor(?:ing|s)?|tests?|branch(?:es)?|migrations?|functions?|` +
		`comments?|docs?|docstrings?|files?|variables?|responses?|answers?|replies|messages?|errors?|logs?|secrets?|dates?|imports?|endpoints?|names?|sessions?|tasks?|mails?|emails?|invoices?|summar(?:y|ies))`
	germanOrder = `nutze|nutz|verwende|benutze?|nimm|schreibe?|antworte|mache?|halte?|lass|führe?|frage?|lege?|setze?|gib|zeige?|achte|pushe|merge|teste|formatiere|denke?|vergiss|sage?|sprich|bleibe?|` +
		`starte|erstelle|lösche|prüfe?|füge?|nenne?|baue?|rede|duze|warte|ändere|fasse?|melde|kürze|rufe?|nenn|erkläre?|übersetze?|bitte`
)

// expression compiles a regular expression in which an apostrophe is also a typographic one.
func expression(text string) *regexp.Regexp {
	return regexp.MustCompile(strings.ReplaceAll(text, "'", "['’]"))
}

// begins returns a function that reports whether a text begins with one of the expressions.
func begins(expressions string) func(text string) bool {
	match := sync.OnceValue(func() *regexp.Regexp { return expression(`^(?i:` + expressions + `)(?:[^\pL\d]|$)`) })
	return func(text string) bool { return match().MatchString(text) }
}

// contains returns a function that reports whether a text contains one of the expressions as words.
func contains(expressions string) func(text string) bool {
	match := sync.OnceValue(func() *regexp.Regexp {
		return expression(`(?i)(?:^|[^\pL\d])(?:` + expressions + `)(?:[^\pL\d]|$)`)
	})
	return func(text string) bool { return match().MatchString(text) }
}

var (
	notAVerb = begins(`mind|heard|seen|had|been|was|were|saw|knew|known|thought|said|got|did|went|came|made|took|found|told|gave|left|felt|broke|ran|wrote|sent|built|done|met|paid|sat|spoke|bought|brought|` +
		`began|chose|drew|grew|held|kept|led|lost|meant|stood|taught|understood|won|could|would|should|can|will|must|may|might|the|a|an|this|that|these|those|it|its|my|your|his|her|our|their|in|on|at|to|for|` +
		`from|with|without|by|of|again|better|more|less|too|ever|once|before|after|fear|gonna|sure|ready|good|nice|great|bad|wrong|right|late|early|fun|nothing|something|anything|i|you|he|she|we|they|there|` +
		`here|same|so|such|as|happy|sad|sorry|available|possible|true|false|yes|no|not|and|or|but|if|when|because|enough|much|many|one|two|three|say never|give up|give in|look back|love|hate|feel|wonder|` +
		`struggle|seem|like|hope|dream|wish|know|understand|have i|do (?:i|we)|get (?:it|this|that|to)|been|interested|visible|red|green|slow|fast`)
	pronoun = begins(`it|its|this|that|these|those|them|they|he|she|one|ones|him|her|mine|yours|neither|either|both|all of|what|something|anything|everything|nothing|` +
		`the (?:first|second|third|last|latter|former|other|same|following|above|below|next|previous|original|new|old) ?(?:one|option|version|way|approach|idea)?|option|number|\d+[.)]?$|dies\w*|das|es`)
	private = contains(`lunch|dinner|breakfast|brunch|drinks?|beers?|pizza|movies?|film|beach|holidays?|vacation|birthday|wedding|married|divorced?|party|trip|hotel|flights?|mom|mum|dad|mother|father|parents|wife|husband|` +
		`girlfriend|boyfriend|kids?|children|baby|dog|cat|tonight|last (?:night|week|weekend|summer|winter|year|month)|years? ago|as a kid|school|college|meet|meet up|eat|sleep|get together|hang out|break up|` +
		`mittagessen|abendessen|urlaub|geburtstag|treffen|kino|essen`)
	unsure   = contains(`maybe|perhaps|probably|possibly|not sure|i guess|or something|might|lol|haha+|lmao|kidding|vielleicht|wahrscheinlich|noch (?:nicht|nichts|keine?)`)
	reported = contains(`said|says|told|wrote|thinks?|thought|heard|asked|replied|according|suppose|imagine|pretend|example|e\.g\.?|what if|sagte|sagt|meinte|schrieb|angenommen`)
	compares = contains(`instead of|rather than|over (?:an?|the )?[\pL\d` + "`" + `./]{3,}|and not|statt|anstatt|als`)
	overAll  = contains(`over (?:there|here|again|time|all|the (?:weekend|next|last|years?|phone)|and over)`)
	personal = begins(`(?:not )?to (?:meet|eat|have|grab|leave|wait|sleep|watch|visit|stay|come|call|talk|order|get|see|ask|celebrate|play|marry|travel|fly|drive|walk|hang|head|sit|rest|give|try|check|look|` +
		`live|quit|resign|tell|surprise|help|return|part|disagree|take (?:a|the|some|it)|go(?: to| home| out| on| back| for|$)|start (?:over|a family|dating)|do (?:it|this|that|so)|let (?:it|him|her))|(?:that|on|for|against) (?:it|this|that|he|she|they|him|her|them|all|everything|both)`)
	forNow = contains(`here|today|tonight|now|this time|this one|for this|in this case|hier|heute`)
	scope  = contains(`because|since|weil|(?:for|as|in|on) (?:the|our|all|every|each)|für (?:den|die|das|alle)`)
)

// isBareVerb reports whether a text begins with a verb that is an order: "use tabs", but not
// "happens", "worked" or "mind".
func isBareVerb(text string) bool {
	word, rest, _ := strings.Cut(text, " ")
	if strings.HasSuffix(word, "ly") && !notAVerb(text) && rest != "" { // "always explicitly name it"
		return isBareVerb(rest)
	}
	word = strings.ToLower(strings.TrimRight(word, ".,;:!"))
	switch {
	case rest == "", notAVerb(text), strings.ContainsAny(word, "0123456789`/'’"):
		return false
	case strings.HasSuffix(word, "ing") && !inList("bring ping string", word),
		strings.HasSuffix(word, "ed") && !inList("need feed seed embed proceed exceed shed speed", word),
		strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !inList("focus alias", word):
		return false
	}
	return true
}

// isHabit reports whether what is to be done always or never is an order.
func isHabit(text string) bool {
	return isBareVerb(text) || begins(`with|in|on|as|after|before`)(text) && wordCount(text) > 2 && !begins(`in (?:the mood|trouble|my life)|on (?:my|his|her) mind|with (?:the|these|those|you)|as (?:if|always)|after|before`)(text)
}

func isHabitToStop(text string) bool {
	verb, object, _ := strings.Cut(text, " ")
	return !inList("running working listening worrying trying thinking crying playing looking", verb) && !pronoun(object)
}

// isGermanHabit reports whether a text ends in an infinitive: "Kundendaten loggen".
func isGermanHabit(text string) bool {
	last := strings.TrimRight(text[strings.LastIndexByte(text, ' ')+1:], ".!")
	return wordCount(text) > 1 && strings.HasSuffix(last, "n") && !strings.HasPrefix(last, "ge") && !begins(`noch|wenn|dies\w*|die (?:gleiche|selbe)n?|mehr|ist|sind|war(?:en)?|habe?n?|muss|kann`)(text)
}

func isRule(text string) bool {
	return wordCount(text) > 1 && !begins(`he|she|they|there|you (?:are|will (?:act|be|play|pretend))|act`)(text)
}

// isWhole reports whether it is said what not to do again.
func isWhole(text string) bool { return wordCount(text) > 5 || !contains(`it|this|that`)(text) }

// isGeneral reports whether a clause is about more than the work at hand: "when you write
// tests", but not "when you are done".
func isGeneral(clause string) bool {
	return !begins(`are|were|have|get|can|finish|see|think|want`)(clause) && !contains(`the|this|that|these|those|it|done|yet|now|anything|first`)(clause)
}

func isProjectMatter(object string) bool {
	return wordCount(object) > 2 && !personal(object) && !private(object)
}

func isCompared(object string) bool {
	return compares(object) && !overAll(object) && !pronoun(object) && !private(object)
}

// isChoice reports whether an object is named, and is no step of the work at hand.
func isChoice(object string) bool {
	return !pronoun(object) && !private(object) && !begins(`an?|your|my|his|her`)(object) && (isCompared(object) || scope(object) || isNamed(object))
}

func isPlainComparison(object string) bool {
	return contains(`instead of|rather than`)(object) && !pronoun(object) && !forNow(object) && !private(object) &&
		!begins(`an?|my|your|i|we|you|he|she|they|there|got|getting|see|sees|error|output|is|are|[a-z]+ing`)(object) &&
		!contains(`is|are|was|were|it|gives|returns|prints|shows|gets?|got|this|that|i|you`)(object) && wordCount(object) <= 14
}

func isPreferred(object string) bool {
	switch {
	case pronoun(object) && !begins(`it (?:when|if) you`)(object):
		return false
	case compares(object) || contains(`to the|to an?`)(object):
		return true
	}
	return !begins(`to|not to|the|a|an|my|your|his|her`)(object) && !forNow(object) && wordCount(object) <= 10
}
