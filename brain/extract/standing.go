package extract

import "strings"

// A standing instruction is an order to the agent with a mark that it holds beyond this
// moment: "always", "from now on", "before every release", "when you write tests".

const (
	// verbs are what people tell agents to do. Manners of them say how, acts change something.
	verbs = manners + " " + acts + " tell show give make take check test explain begin start end return handle assume stop refer cite list sort pin mock lint verify confirm wait skip do be mark print translate quote link let notify " +
		"remind double-check provide omit escape validate ensure set move copy say stay think get have round group split wrap warn redact flag append estimate plan propose suggest summarize restart back read treat run send remember ask replace choose pick leave exclude"
	manners = "use write keep put prefix suffix name format answer reply respond talk speak prefer follow stick spell mention include document default sign avoid save store log call"
	acts    = "commit push merge deploy release ship tag squash rebase amend publish add change edit modify touch create delete remove drop rename install upgrade update bump refactor fix import implement open close review generate build migrate"
	// notAVerb words follow "always" or "never" in what is no order.
	notAVerb = "see mind heard seen had been was were saw knew known thought said got did went came made took found told gave left felt broke ran wrote sent built done won could would should can will must may might the a an this that these " +
		"those it its my your his her our their at to for from without by of again better more less too ever once before after sure ready good nice great bad wrong right fun nothing something anything i you he she we they there here same so such as " +
		"true false yes no not and or but if when because enough much many love hate feel wonder seem like hope know understand interested red green is are am everything forget worry"
	// steps of the work at hand, and words for things at hand.
	steps    = "are were is go get have can finish see think want need start begin continue do proceed done understand finished could did will would"
	definite = "the this that these those it its their them him her my yet now here one"

	lasting = " from now on | from now | from here on | from here on out | from today | from today on | from this point on | henceforth | starting now | as of now | as of today | as a rule | going forward | moving forward | in future | in the future | next time you |" +
		" next time please | every time | each time | every single time | at all times | no matter what | under no circumstances | under any circumstances | no exceptions | without exception | permanently | ab jetzt | ab sofort | in zukunft | künftig "
	general = " everywhere | by default | in general " // of an order that says how
	forNow  = " for now | right now | this time | for today | tonight | this one | for this | in this case | for the moment | just once | for once "
	// events are what the agent's work consists of, artefacts what it leads to.
	events    = "commit commits push merge release deploy deployment change edit pr prs mr build session task step answer reply response message messages migration migrations feature bugfix fix review refactoring ticket issue question"
	artefacts = "function functions file files test tests docs docstrings comments branches names explanations summaries scripts dates timestamps secrets dependencies imports modules titles descriptions emails invoices code"
	languages = "english british german french spanish italian dutch portuguese polish deutsch englisch"
	reported  = " said | says | saying | docs say | they say | people say | told me | tells | wrote | thinks | heard | asked me | replied | according | suppose | imagine | pretend | for example | e.g | what if | if we | lets say | sagte | sagt | meinte | schrieb | angenommen "
)

// order is a clause that may tell an agent to do something.
type order struct {
	rest                                      string // the words from the verb on
	not, always, please, asks, told, wish, we bool
	lasts                                     bool // a lasting phrase stands before the verb
}

// orderOf reads what stands before the verb of a clause.
func orderOf(words string) (o order) {
	o.rest = words
	for {
		switch {
		case cutPhrase(&o.rest, lasting):
			o.lasts = true
		case cutPhrase(&o.rest, " always | only ever "):
			o.always = true
		case cutPhrase(&o.rest, " never ever | never "), o.not && cutPhrase(&o.rest, " ever "):
			o.always, o.not = true, true
		case cutPhrase(&o.rest, " please | pls | plz | bitte "):
			o.please = true
		case cutPhrase(&o.rest, " can you | could you | would you | will you | can u | could u "):
			o.asks = true
		case cutPhrase(&o.rest, " dont | do not | you mustnt | you must not | you shouldnt | you should not | you cant | you cannot | you may not | you dont need to | you dont have to | no need to | theres no need to "):
			o.not, o.told = true, true
		case cutPhrase(&o.rest, " you must | you should | you have to | you need to | you shall | u must | u should | you | u | make sure to | make sure that | make sure | be sure to | remember to | make it a habit to | dont forget to "):
			o.told = true
		case cutPhrase(&o.rest, " i want you to | i need you to | i expect you to | i would like you to | id like you to | i prefer you to | id rather you "):
			o.told = true
		case cutPhrase(&o.rest, " i want | i need | i would like | id like | we want | we need "):
			o.wish = true
		case cutPhrase(&o.rest, " we "):
			o.we = true
		case !cutPhrase(&o.rest, leadIns) && !cutPhrase(&o.rest, " kindly | simply | then | rather | instead | first | just "):
			return o
		}
	}
}

// isOrder reports whether the words are an order, and not what somebody or something does.
func (o order) isOrder() bool {
	verb, object := firstOf(o.rest)
	switch {
	case o.wish:
		return verb != "to"
	case o.we:
		return inList(verbs, verb) && (o.lasts || (o.always || o.not) && object != " ")
	case o.always, o.told && o.not:
		return isBareVerb(o.rest)
	}
	return inList(verbs, verb)
}

// isBareVerb reports whether words begin with a verb that is an order: "use tabs", but not
// "happens", "worked" or "mind".
func isBareVerb(words string) bool {
	verb, rest := firstOf(words)
	bare := func(ending, but string) bool { return !strings.HasSuffix(verb, ending) || inList(but, verb) }
	return rest != " " && !inList(notAVerb, verb) && !strings.ContainsAny(verb, "0123456789/") &&
		bare("ly", "reply apply rely") && bare("ing", "bring ping") && (bare("ed", "embed shed") || strings.HasSuffix(verb, "eed")) && (bare("s", "focus alias") || strings.HasSuffix(verb, "ss"))
}

// standing returns where in a sentence a standing instruction begins. A question has one only
// if it asks the agent to do something.
func standing(all []clause, question bool) (start int, ok bool) {
	for i, c := range all {
		before, after := clause{words: " "}, clause{words: " "}
		if i > 0 {
			before = all[i-1]
		}
		if i < len(all)-1 {
			after = all[i+1]
		}
		if says(c.words, reported) {
			return 0, false
		}
		if o := orderOf(c.words); isRuleOfWork(c.words) || o.isOrder() && (o.asks || !question) && o.holds(c.words, before.words, after.words) {
			if isCondition(before.words) || begins(before.words, lasting) {
				return before.start, true
			}
			return c.start, true
		}
	}
	return 0, false
}

// holds reports whether a clause, or one of those around it, has a mark that its order holds
// beyond this moment.
func (o order) holds(words, before, after string) bool {
	verb, object := firstOf(o.rest)
	lasts := o.lasts || says(words, lasting) || begins(before, lasting) || begins(after, lasting) && wordCount(after) < 6
	switch {
	case says(words+after, forNow), begins(before, " next time i | next time we "):
		return false
	case o.always || begins(after, " always | never "):
		aboutOthers := isCondition(before) && !isGeneral(before) && !has(before, "you u i we")
		return !aboutOthers && (!o.asks || o.please || lasts)
	case lasts:
		return true
	case o.not && says(words+after, " again | anymore | any more | ever "):
		return wordCount(o.rest) > 4 || !has(object, "it this that")
	case o.not && begins(after, " unless | until | without "):
		return !begins(object, " it | that ")
	case o.not && inList("commit push merge deploy release publish amend rebase squash", verb):
		return object != " " && !has(object, definite)
	case verb == "stop":
		habit, what := firstOf(object)
		return strings.HasSuffix(habit, "ing") && what != " " && !has(what, "this that it")
	case inList("answer reply respond talk speak write", verb) && has(object, languages):
		return strings.Contains(object, " in ") && !has(object, definite)
	}
	return inList(manners, verb) && says(words, general) || onEvent(words) || onEvent(before) || isGeneral(before) || isGeneral(after)
}

// onEvent reports whether words name each event of a kind: "before every release".
func onEvent(words string) bool {
	for _, each := range []string{" every ", " each ", " any ", " all "} {
		before, rest, _ := strings.Cut(words, each)
		event, more := firstOf(rest + " ")
		second, _ := firstOf(more)
		if has(lastOf(before), "on with in after before for from") && (inList(events, event) || event == "new" && inList(events, second)) {
			return true
		}
	}
	return false
}

// lastOf returns the last word.
func lastOf(words string) string { return words[strings.LastIndexByte(words, ' ')+1:] }

func isCondition(words string) bool {
	first, _ := firstOf(words)
	return inList(conditions, first) || begins(words, " every time | each time | any time ")
}

// isGeneral reports whether a condition is about more than the work at hand: "when you write
// tests", but not "when you are done".
func isGeneral(words string) bool {
	whenever := cutPhrase(&words, " whenever | every time | each time | any time | anytime | whatever ")
	if !whenever && !cutPhrase(&words, " when | if | before | after ") {
		return false
	}
	switch {
	case cutPhrase(&words, " you | u "):
		verb, object := firstOf(words)
		return !inList(steps, verb) && (whenever || !has(object, definite))
	case whenever && begins(words, " i | we | a | an | something "):
		return true
	}
	return begins(words, " in doubt | unsure | publishing | committing | pushing | merging | deploying | releasing | i say | i ask | i tell ") && !has(words, definite)
}

// isRuleOfWork reports whether words are a rule about the work: "every PR needs a changelog entry".
func isRuleOfWork(words string) bool {
	if !cutPhrase(&words, " every | each | all our | all your | all ") {
		return false
	}
	first, rest := firstOf(words)
	second, _ := firstOf(rest)
	return (inList(events+" "+artefacts, first) || inList(events+" "+artefacts, second)) && says(rest, " must | needs | need | should | have to | has to ")
}
