package extract

import "strings"

// isBareVerb reports whether words begin with a verb that is an order: "use tabs", but not
// "happens", "worked" or "mind".
func isBareVerb(words string) bool {
	verb, rest := firstOf(words)
	if rest == " " || inList(notAVerb, verb) || strings.ContainsAny(verb, "0123456789/") {
		return inList("in with on", verb) && wordCount(rest) > 1 && !begins(rest, " the | my | a ")
	}
	switch {
	case strings.HasSuffix(verb, "ly") && !inList("reply apply supply rely", verb): // "always explicitly name it"
		return isBareVerb(rest)
	case strings.HasSuffix(verb, "ing") && !inList("bring ping string", verb),
		strings.HasSuffix(verb, "ed") && !inList("need feed seed embed proceed exceed shed speed", verb),
		strings.HasSuffix(verb, "s") && !strings.HasSuffix(verb, "ss") && !inList("focus alias", verb):
		return false
	}
	return true
}

// lastsIn reports whether words have a lasting phrase that belongs to an order.
func (s *situation) lastsIn(words string) bool {
	if says(words, " next time i | next time im | next time we | next time the ") {
		return false
	}
	return says(words, lasting) && (!says(words, wide) || begins(words, wide) || inList(manners+" assume ask run skip", s.verb) && !has(words, "it this"))
}

// isRule reports whether words behind "from now on" are a rule, and not what will happen.
func isRule(words string) bool {
	if begins(words, " all | every | each | new ") {
		return true
	}
	return wordCount(words) > 1 && !has(words, finite) && !begins(words, " of | you | act | pretend | this | that | there | things ")
}

// stopsHabit reports whether "stop doing" is about more than the work at hand.
func (s *situation) stopsHabit() bool {
	habit, object := firstOf(s.object)
	return strings.HasSuffix(habit, "ing") && !inList("running working listening worrying trying thinking crying playing looking", habit) &&
		(object != " " && (habit == "using" || !begins(object, " the | this | that | it | my | him | her ")) || inList("apologizing apologising guessing asking explaining repeating", habit))
}

// onEvent reports whether words name each event of a kind: "before every release".
func (s *situation) onEvent() bool {
	for _, words := range []string{s.own, s.after, s.before} {
		if says(words, " per commit | per pr | per change ") {
			return true
		}
		for _, each := range []string{" every ", " each ", " any ", " all "} {
			before, rest, found := strings.Cut(words, each)
			if found && (s.wish || s.free || inList("on with in after before to from", lastOf(before)) || lastOf(before) == "for" && (s.told || s.please || words != s.own || begins(rest, "new"))) &&
				s.isEvent(each, rest+" ") {
				return true
			}
		}
	}
	return false
}

// isEvent reports whether the words behind "every" or "all" name events, or what a wish or a
// convention is about.
func (s *situation) isEvent(each, words string) bool {
	first, more := firstOf(words)
	second, _ := firstOf(more)
	named := events
	if each == " all " && !s.wish && !inList("use prefix suffix name format sign keep", s.verb) {
		return false
	}
	if (s.wish || each == " all ") && first != "the" {
		named += " " + artefacts
	}
	return inList(named, first) || inList(named, second) || first == "new" && each != " all "
}

func isCondition(words string) bool {
	first, _ := firstOf(words)
	return inList(conditions, first) || begins(words, " every time | each time | any time | for every | for each | for any | on every | on each | with every | with each | in every | in each | at every |"+whatever)
}

// onCondition reports whether the order is for all cases of a condition.
func (s *situation) onCondition() bool {
	return isCondition(s.before) && s.isGeneral(s.before) || isCondition(s.after) && s.isGeneral(s.after)
}

// isGeneral reports whether a condition is about more than the work at hand.
func (s *situation) isGeneral(words string) bool {
	cond, rest := firstOf(words)
	if inList("every each any", cond) {
		_, rest = firstOf(rest)
		cond = "whenever"
	}
	subject, what := firstOf(rest)
	whenever := inList("whenever anytime", cond)
	switch {
	case begins(words, whatever):
		return true
	case inList("unless until", cond):
		return (s.not || s.only) && !begins(s.object, " it | that ")
	case has(rest, "this these those here yet now following") || has(rest, "that it") && !whenever && cond != "without":
		return false
	case cond == "without":
		return s.not || s.only || s.told || begins(s.own, " no ")
	case whenever && has(subject, "possible needed necessary applicable relevant"):
		return true
	case rest == " ":
		return whenever && (s.not || s.told || s.please || s.asks || inList("run test check ask tell verify confirm update read look", s.verb))
	case says(rest, " in doubt | unsure | not sure "), s.only && !has(rest, definite):
		return true
	}
	return s.isGeneralCase(cond, subject, what, whenever)
}

// isGeneralCase reports whether the subject of a condition does something again and again.
func (s *situation) isGeneralCase(cond, subject, what string, whenever bool) bool {
	verb, object := firstOf(what)
	switch {
	case inList("you u we youre", subject):
		return whenever && verb != "are" || isGeneralAct(cond, verb, object)
	case subject == "i":
		return inList("ask say tell paste send mention give", verb) && (whenever || !has(object, definite))
	case strings.HasSuffix(subject, "ing"):
		return isWorkGerund(subject) && !has(what, definite)
	case inList("before after", cond):
		name, _ := firstOf(what)
		return inList(events, subject) && what == " " || inList("every each any a an new", subject) && (inList(events, name) || name == "new")
	case inList("tests ci lint builds something", subject), inList("a an any", subject) && inList("test build check migration pipeline hook command", verb):
		return whenever || inList("when if", cond)
	}
	return whenever && (inList("something anything theres there", subject) || inList(events+" "+artefacts, subject))
}

// isGeneralAct reports whether what the agent does is no step of the work at hand: "before you
// push", not "when you are done".
func isGeneralAct(cond, verb, object string) bool {
	switch {
	case inList("finish start begin get complete make", verb) && begins(object, " a | an | any | each | every "):
		return true
	case inList("are were have get can finish see think want need know like start begin continue do proceed done go understand finished could did will would re", verb):
		return false
	case has(object, definite):
		return inList("when if", cond) && inList("change add edit modify touch update", verb)
	}
	return object != " " || inList(workVerbs, verb)
}

// isWorkGerund reports whether a word is one of the work verbs with -ing.
func isWorkGerund(word string) bool {
	stem := strings.TrimSuffix(word, "ing")
	all := workVerbs + " make write use name answer reply respond run mock handle test"
	return inList(all, stem) || inList(all, stem+"e") || len(stem) > 2 && inList(all, stem[:len(stem)-1])
}

// isManner reports whether an order says how work of a kind is done: "answer in German".
func (s *situation) isManner() bool {
	first, rest := firstOf(s.object)
	switch {
	case begins(s.after, " never | always | not ever "):
		return inList(manners, s.verb)
	case inList("answer reply respond talk speak", s.verb), s.verb == "write" && has(s.object, artefacts) && has(s.object, languages) && !has(s.object, "a an the"):
		return strings.Contains(s.object, " in ") && has(s.object, languages)
	case inList("call address", s.verb) && first == "me":
		return rest != " " && !has(rest, "back when if at later")
	case s.verb == "keep":
		cutPhrase(&s.object, " all your | all our | all | your | our | my ")
		first, rest = firstOf(s.object)
		second, _ := firstOf(rest)
		return inList(texts+" functions tests", first) || inList(texts, second) && first != "the"
	}
	for range 2 { // "write commit messages in the past tense"
		next, more := firstOf(rest)
		if inList(texts, first) && inList(manners, s.verb) && (inList("in as with after like", next) || inList("prefix suffix name sign", s.verb)) {
			return !begins(s.object, " the | a | this | these ")
		}
		first, rest = next, more
	}
	return inList(manners, s.verb) && inPlace(s.object) && !has(s.object, definite+" a an")
}

// inPlace reports whether words name a kind of artefacts as the place: "in commit messages".
func inPlace(words string) bool {
	before := ""
	place := false
	for word := range strings.FieldsSeq(words) {
		if place && inList(artefacts, word) {
			return true
		}
		place = inList("in to into on for", word) || place && inList("in to into on for", before) && !inList(definite+" a an your his all", word)
		before = word
	}
	return says(words, inProject)
}

// isRuleOfWork reports whether words are a rule about artefacts: "every PR needs a changelog entry".
func isRuleOfWork(words string) bool {
	all := cutPhrase(&words, " every | each | all our | all | no ")
	if cutPhrase(&words, " nobody | no one ") {
		cutPhrase(&words, " may | should | must | is allowed to | ever ")
		verb, object := firstOf(words)
		return (inList(workVerbs, strings.TrimSuffix(verb, "s")) || inList(workVerbs, strings.TrimSuffix(verb, "es"))) && wordCount(object) > 1 && !has(object, definite)
	}
	if begins(words, whatever) && has(words, "should must needs goes") {
		return true
	}
	cutPhrase(&words, " our | your | my | new ")
	named := false
	for range 4 {
		if named {
			cutPhrase(&words, youDo)
		}
		if named && cutPhrase(&words, " must always | must never | should always | should never | always need | always go | always get | always use | always have | always in | always with | never in | may only ") {
			return true
		}
		if named && all && cutPhrase(&words, " must | should | need | needs | has to | have to | gets | without ") {
			return words != " "
		}
		word, rest := firstOf(words)
		named, words = inList(artefacts+" "+events, word), rest
	}
	return false
}

// isFragmentRule reports whether words without a verb are a rule: "no emojis in commit messages".
func (s *situation) isFragmentRule() bool {
	rest := s.rest
	if !cutPhrase(&rest, " no ") || has(rest, finite) || wordCount(rest) > 12 {
		return false
	}
	more := cutPhrase(&rest, " more ")
	return more && rest != " " && !has(rest, "errors issues problems questions bugs failures time room space warnings changes idea") || inPlace(rest) || s.please || s.after == " please " || strings.HasSuffix(rest, " ever ") || s.after == " ever " ||
		isCondition(s.after) && s.isGeneral(s.after)
}
