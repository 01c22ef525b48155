package extract

import "strings"

// An order to the agent is a standing instruction if a mark says that it holds beyond this
// moment: "always", "from now on", "before every release", "when you write tests".

const (
	// verbs are what people tell agents to do; manners of them say how, and workVerbs change something.
	verbs = "point respect match honor choose pick replace ask tell show give make take check test explain begin start end return handle assume stop refer list cite sort indent pin mock lint verify confirm wait skip do be mark print translate quote link let notify " +
		"remind double-check provide omit escape validate ensure work set move copy say stay try think go look ping aim limit get have round group split wrap warn alert redact mask consult flag append reference estimate " +
		"plan propose suggest summarize summarise restart back save store avoid leave exclude read treat run send remember " + manners + " " + workVerbs
	manners   = "use write keep put prefix suffix name format answer reply respond talk speak prefer follow stick call spell mention include document address default sign avoid"
	workVerbs = "commit push merge deploy release ship tag squash rebase amend force-push publish add change edit modify touch create delete remove drop rename install upgrade update bump refactor fix import implement log open close review generate build migrate"
	// artefacts are what work leads to; with the events it consists of.
	events = "commit commits push pushes merge merges release releases deploy deploys deployment deployments change changes edit edits pr prs mr mrs pull build builds session sessions task tasks step steps answer answers reply replies response " +
		"responses message messages migration migrations feature features bug bugs bugfix fix fixes review reviews refactor refactoring ticket tickets issue issues question questions morning sprint endpoint iteration command"
	artefacts = "function file test commits commit pr prs requests docs documentation docstrings code tests test comments branches logs responses replies answers migrations releases functions variables variable names identifiers explanations summaries scripts " +
		"dates timestamps secrets dependencies imports files modules reviews production prod main master titles descriptions messages message emails invoices merges deploys pushes changelog chat"
	texts     = "commits branches names titles descriptions dates timestamps prs comments docstrings explanations messages summaries replies answers responses"
	languages = "english british german french spanish italian dutch portuguese polish deutsch englisch"

	// lasting phrases say how long an order holds. One of the firm ones makes a rule of any fragment; the wide ones need a verb of manner.
	lasting   = firm + "|" + wide + "| in future | in the future | next time | next times | no matter what | under no circumstances | under any circumstances | no exceptions | without exception | in zukunft | künftig "
	firm      = " from now on | from now | from here on out | from here on | from today on | from today | from this point on | from this point forward | from this point | henceforth | starting now | as of now | as of today | as a rule | as a general rule | going forward | moving forward | ab jetzt | ab sofort "
	wide      = " by default | everywhere | in general | across the board | at all times | every single time "
	youDo     = " you write | you add | you create | you touch | you change | you edit | you open | you generate "
	inProject = " in this repo | in this repository | in this project | in this codebase | in our repo | in our codebase "
	whatever  = " whatever you | anything you | everything you | wherever you | no matter what you "
	// What may stand before the verb.
	polite   = " also | simply | kindly | again | ever | explicitly | try to | then | rather | instead | its important to | just | first "
	careful  = " make sure to | make sure that | make sure | be sure to | be sure | remember that | remember to | remember | keep in mind that | keep in mind to | keep in mind | ensure that | ensure | see to it that | its important that | note that | dont forget to | do not forget to "
	habit    = " make it a habit to | make it a rule to | get into the habit of | get used to "
	agent    = " you must | you should | you have to | you need to | you shall | you may | you are to | youre to | you can | you ought to | youd better | u should | u must | u have to | u need to | u can | du sollst | du musst | du darfst "
	wishes   = " i want | i need | i expect | i would like | id like | i prefer | i would prefer | id prefer | id rather | i would rather | we want | we need "
	asking   = " can you | could you | would you | will you | can u | could u | would you mind "
	negative = " dont you | dont ever | dont | do not | not | you mustnt | you must not | you shouldnt | you should not | you cant | you cannot | you may not | you dont need to | you dont have to | you do not need to | you do not have to | no need to | theres no need to | there is no need to | you neednt | you are not allowed to | youre not allowed to " +
		"| i dont want | i do not want | i never want | i dont ever want | i dont need | we dont | we do not "
	notAVerb = "see mind heard seen had been was were saw knew known thought said got did went came made took found told gave left felt broke ran wrote sent built done met paid sat spoke bought brought began chose drew grew held kept led lost meant " +
		"stood taught understood won could would should can will must may might the a an this that these those it its my your his her our their in on at to for from with without by of again better more less too ever once before after " +
		"fear gonna sure ready good nice great bad wrong right late early fun nothing something anything i you he she we they there here same so such as happy sad sorry available possible true false yes no not and or but if when " +
		"because enough much many one two three love hate feel wonder struggle seem like hope dream wish know understand interested visible red green slow fast is are am been everything forget worry"
	finite   = "we you they is are was were will would has have had can could did does got gets fails seems i he she it they im ive its theyre"
	atHand   = "this these those above below following current"
	definite = "its their the this that these those it my yet now here first him her me them one"
	forNow   = " for now | right now | this time | for today | tonight | this one | for this | in this case | for the moment | just once | for once "
	reported = " said | says | saying | docs say | they say | people say | told me | tells | wrote | thinks | heard | asked me | replied | according | suppose | imagine | pretend | for example | e.g | what if | if we | lets say | sagte | sagt | meinte | schrieb | angenommen "
)

// order is what a clause tells an agent.
type order struct {
	rest   string // the words from the verb on
	not    bool   // what not to do
	always bool   // always or never, before the verb
	only   bool
	lasts  bool // a lasting phrase before the verb
	firm   bool // a firm one
	please bool
	asks   bool // can you
	told   bool // you must, don't
	free   bool // "make sure", "I want": the rest may be a statement
	wish   bool
	we     bool // a custom of the team
	you    bool // "you", with nothing that makes an order of it
}

// orderOf reads what stands before the verb of a clause.
func orderOf(words string) (o order) {
	o.rest = words
	o.please = strings.HasSuffix(words, " please ")
	for {
		switch before := o.rest; {
		case cutPhrase(&o.rest, firm):
			o.lasts, o.firm = true, true
		case cutPhrase(&o.rest, lasting), cutPhrase(&o.rest, habit):
			o.lasts = true
		case cutPhrase(&o.rest, " always | only ever "):
			o.always = true
		case cutPhrase(&o.rest, " never ever | never "):
			o.always, o.not = true, true
		case cutPhrase(&o.rest, " only "):
			o.only = true
		case cutPhrase(&o.rest, " please | pls | plz | bitte "):
			o.please = true
		case cutPhrase(&o.rest, asking):
			o.asks = true
		case cutPhrase(&o.rest, careful):
			o.free = true
		case cutPhrase(&o.rest, negative):
			o.not, o.told = true, true
			o.wish, o.we = begins(before, " i "), o.we || begins(before, " we ")
		case cutPhrase(&o.rest, inProject):
		case cutPhrase(&o.rest, agent):
			o.told = true
		case cutPhrase(&o.rest, " i always want | i always need | i always expect "):
			o.free, o.wish, o.lasts = true, true, true
		case cutPhrase(&o.rest, wishes):
			o.free, o.wish = true, true
		case o.wish && cutPhrase(&o.rest, " you to | that you | you "):
			o.told, o.wish = true, false
		case cutPhrase(&o.rest, " you | u "):
			o.you = !o.free
		case cutPhrase(&o.rest, " we | lets "):
			o.we = true
		case !cutPhrase(&o.rest, leadIns) && !cutPhrase(&o.rest, polite):
			return o
		}
	}
}

// standing returns where in a sentence a standing instruction begins.
func standing(all []clause, question bool) (start int, ok bool) {
	ordered := true // the clause before is an order, or there is none
	for i, c := range all {
		if says(strings.TrimLeft(c.words, " "), reported) && !says(c.words, " i say | i said | we say ") {
			return 0, false
		}
		s := situationAt(all, i)
		follows := c.joint != "and" || ordered || s.told || s.please || s.lasts
		if follows && (s.asks || !question) && (isRuleOfWork(c.words) || !isCondition(c.words) && s.holds() || s.splits() && s.holds()) {
			if i > 0 && (isCondition(s.before) || begins(s.before, lasting) || strings.HasSuffix(s.before, " always ")) {
				return all[i-1].start, true
			}
			return c.start, true
		}
		ordered = s.isOrder()
	}
	return 0, false
}

// situationAt returns the order of a clause. A lasting phrase at the end of the sentence
// counts as the clause after it.
func situationAt(all []clause, i int) situation {
	s := situation{order: orderOf(all[i].words), own: all[i].words, before: " ", after: " "}
	s.verb, s.object = firstOf(s.rest)
	if i > 0 {
		s.before = all[i-1].words
	}
	if last := all[len(all)-1]; i < len(all)-1 {
		s.after = all[i+1].words
		if wordCount(last.words) < 5 && begins(last.words, lasting) {
			s.after = last.words
		}
	}
	return s
}

// situation is an order between other clauses.
type situation struct {
	order
	own, before, after string // the words of its clause, and of those around it
	verb, object       string
}

// splits reads an order behind a condition without a comma: "before you push run the tests".
func (s *situation) splits() bool {
	heads := "please pls dont always never"
	if isCondition(s.own) {
		heads += " make use run ask add keep put tell give check update include explain show write"
	} else if !begins(s.own, " for | in | on | with ") {
		return false
	}
	for _, verb := range strings.Fields(heads) {
		at := strings.Index(s.own, " "+verb+" ")
		if at > 0 && wordCount(s.own[:at]) > 1 && !inList("to you we i they the a and or that which who will would can could should may might must", lastOf(s.own[:at])) {
			s.before, s.own = s.own[:at+1], s.own[at:]
			s.order = orderOf(s.own)
			s.verb, s.object = firstOf(s.rest)
			return true
		}
	}
	return false
}

// lastOf returns the last word.
func lastOf(words string) string { return words[strings.LastIndexByte(words, ' ')+1:] }

// holds reports whether the order is one, and holds beyond this moment.
func (s *situation) holds() bool {
	lasts := s.hasLasting()
	switch isOrder := s.isOrder(); {
	case says(s.own, forNow):
		return false
	case s.always && !s.you && (!s.asks || s.please || lasts):
		return s.isHabit()
	case lasts:
		return isOrder || (s.firm || says(s.own, firm) || begins(s.before, firm)) && isRule(s.rest)
	case !isOrder:
		return !s.asks && s.isFragmentRule()
	case s.we:
		return (s.not || s.only) && has(s.verb, workVerbs) && !has(s.object, definite) && s.object != " " || inList(manners, s.verb) && says(s.own, inProject)
	case s.verb == "stop" && s.object != " ":
		return s.stopsHabit()
	case has(s.own, atHand) && !says(s.own, inProject), !s.told && !s.free && has(s.object, "that which"):
		return false
	case has(s.own, "every each all any") && says(s.own, youDo):
		return true
	}
	return s.not && s.forbids() || s.onEvent() || s.onCondition() || s.isManner()
}

// hasLasting reports whether a phrase in or around the clause says how long the order holds.
func (s *situation) hasLasting() bool {
	return s.lasts || s.lastsIn(s.own) || begins(s.before, lasting) && s.lastsIn(s.before) || begins(s.after, lasting) && s.lastsIn(s.after) ||
		strings.HasSuffix(s.before, " always ") && inList(verbs, s.verb) || s.after == " always " || s.not && s.after == " ever "
}

// isHabit reports whether what is to be done always or never is an order: not what a program
// does, and not advice.
func (s *situation) isHabit() bool {
	switch {
	case s.we:
		return has(s.verb, workVerbs+" run write test use document store return handle check") && (s.object != " " || isCondition(s.after))
	case isCondition(s.before) && !s.isGeneral(s.before) && has(s.before, "user users"), begins(s.own, " you can | u can "), s.told && inList("get have be", s.verb):
		return false
	}
	return isBareVerb(s.rest) || inList(verbs, s.verb) && !inList("stop go try think be do look wait", s.verb)
}

// forbids reports whether something is forbidden in general: "don't push to main".
func (s *situation) forbids() bool {
	switch {
	case says(s.own, " again | anymore | any more | any longer | ever | every | each "):
		return wordCount(s.rest) > 4 || !has(s.object, "it this that")
	case has(s.verb, "commit push merge deploy release publish amend rebase squash force-push") && !has(s.object, definite+" anything everything") && s.object != " ":
		return true
	}
	return says(s.own, youDo) || inPlace(s.object)
}

// isOrder reports whether the words after the lead-ins are an order, or a wish.
func (s *situation) isOrder() bool {
	switch {
	case s.wish:
		return !begins(s.rest, " to ") || begins(s.rest, " to be | to see | to know | to review | to approve ")
	case s.free:
		return !has(s.verb, "it this that when i he she they")
	case s.told, s.always, s.asks:
		return isBareVerb(s.rest + "x ")
	}
	return inList(verbs, s.verb) || inList("dont never", s.verb)
}
