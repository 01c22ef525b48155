package similar

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/words"
)

// Claim is what a text says of its subject: "Moved staging to port 5500 because 5433 is
// taken" says that the port of staging is 5500. A nil Claim says nothing.
type Claim struct {
	sentence *reading // the first sentence that says something, with the words of the name
	joined   *reading // the name and the text as one: "release day: Tuesdays"
	name     *reading // the name alone, if it is a statement; nil else
	title    []item   // the words of a name that is only a subject
}

// reading is what a clause says of its subject.
type reading struct {
	items    []item
	rest     []value // what the text says besides
	polar    string  // group of the word that says yes or no: "on" in "is disabled"
	denied   bool
	changed  bool // the text says that something is so now
	moved    bool // the text has a verb of change
	adds     bool // the text says that something else is so too: "also"
	states   bool // has a verb
	optional bool // the text says what is possible: "can"
}

const (
	maxClaim      = 400 // bytes that are read
	maxClaimTerms = 5
	titleEnd      = "::" // behind the name in a text that both are joined to
)

// ClaimOf returns the claim of a text, or of a name and a text under it; nil if there
// is none.
func ClaimOf(name, content string) *Claim {
	title, text := claimTokens(name), claimTokens(content)
	c := &Claim{sentence: readClaim(text)}
	if c.joined = c.sentence; len(title) > 0 {
		c.readName(title, text)
	}
	if c.sentence == nil && c.joined == nil && c.name == nil {
		return nil
	}
	return c
}

// readName reads a name above a text: a statement, or the subject of one.
func (c *Claim) readName(title, text []token) {
	c.joined = readClaim(titled(title, text))
	if r := readClaim(title); r != nil && r.isStatement(title) {
		r.rest = append(r.rest, readRest(text)...)
		c.name, c.sentence, c.joined = r, r, r
		return
	}
	c.title = titleItems(title)
	if c.sentence != nil && slices.ContainsFunc(c.sentence.items, func(i item) bool { return i.role == subjectRole && i.telling() }) {
		c.sentence.items = append(c.sentence.items, c.title...)
	} else {
		c.sentence = cmp.Or(c.name, c.joined)
	}
}

// titleItems returns the words of a name that is only a subject.
func titleItems(title []token) []item {
	r := clause{tokens: title, linkAt: -1}
	for at := 0; at < len(title); {
		at += r.read(at)
	}
	r.finish()
	for i := range r.items {
		r.items[i].role = titleRole
	}
	return r.items
}

// germanWords are short words that most German sentences have one of, besides articles.
var germanWords = strings.Fields("auf im beim zum zur mit für von vom nicht kein wir und nach aus")

func isGerman(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return has(t.folded, article) || slices.Contains(germanWords, t.folded) })
}

// isStatement reports whether a name says something of a subject.
func (r *reading) isStatement(title []token) bool {
	labelled := func(i item) bool { return i.link == ":" && i.role == valueRole }
	placed := func(i item) bool { return i.prep != "" && i.role == valueRole }
	question := has(base(title[0].folded), question) && (title[0].folded != "do" || len(title) > 1 && has(title[1].folded, pronoun))
	speaks := func(t token) bool { return t.folded == "we" || t.folded == "wir" || has(t.folded, modal) }
	return !question && (r.has(subjectRole) || r.states && len(r.items) > 1) && !strings.HasSuffix(title[len(title)-1].chunk, "?") &&
		(r.states || r.denied || r.optional || len(title) > 2 && has(baseOf(title[0]), imperative) || slices.ContainsFunc(r.items, item.measured) || slices.ContainsFunc(r.items, labelled) || r.polar != "" || len(title) > 2 && slices.ContainsFunc(r.items, item.grouped) && slices.ContainsFunc(r.items, placed) || len(title) > 3 && (slices.ContainsFunc(r.items, placed) || hasVerb(title[:len(title)-1])) || slices.ContainsFunc(title, speaks) || has(title[0].folded, pronoun))
}

// hasVerb reports whether one of some words looks like a verb that says something: "polls",
// "stays", "bleibt".
func hasVerb(tokens []token) bool {
	german := isGerman(tokens)
	for i, t := range tokens {
		if t.kind != plain || t.first || strings.ToLower(t.text) != t.text {
			continue
		}
		adjective := i > 0 && has(tokens[i-1].folded, article)
		if strings.HasSuffix(t.text, "s") && !strings.HasSuffix(t.text, "ss") || german && !adjective && (strings.HasSuffix(t.text, "t") || strings.HasSuffix(t.text, "en")) {
			return true
		}
	}
	return false
}

// titled returns a title and a text as one: "release day: Tuesdays".
func titled(title, text []token) []token {
	all := slices.Concat(title, text)
	all[len(title)-1].chunk += titleEnd
	return all
}

// claimTokens returns the tokens of the beginning of a text.
func claimTokens(text string) (all []token) {
	text = strings.TrimLeft(text, " \t\r\n-*#>•")
	for line := range strings.Lines(text[:min(len(text), maxClaim)]) {
		all = append(all, tokens(line)...)
	}
	all = slices.DeleteFunc(all, func(t token) bool { return t.chunk == "" })
	for i := range all {
		all[i].terms = words.Terms(all[i].text)
	}
	return all
}

func (r *reading) has(role role) bool {
	return slices.ContainsFunc(r.items, func(i item) bool { return i.role == role })
}

// main returns the reading that says most.
func (c *Claim) main() *reading {
	if c == nil {
		return &reading{}
	}
	return cmp.Or(c.name, c.sentence, c.joined)
}

// Value returns the value as it is written, such as "5433"; "" if it cannot be told.
func (c *Claim) Value() string {
	values := without(c.main().items, func(i item) bool { return i.role != valueRole })
	if typed := without(values, func(i item) bool { return i.kind == "" }); len(typed) > 0 {
		values = typed
	}
	return written(values)
}

// written returns what items say, each text once.
func written(items []item) string {
	var all []string
	for _, i := range items {
		if !slices.Contains(all, i.text) {
			all = append(all, i.text)
		}
	}
	return strings.Join(all, " ")
}

// ValueUnlike returns what the claim says in place of what a later one says, as it is
// written, such as "Anna"; "" if it cannot be told.
func (c *Claim) ValueUnlike(later *Claim) string {
	if mine, others := c.contradicting(later); mine != nil {
		return written(compare(mine, others).exclusive())
	}
	if c.Value() == later.Value() {
		return ""
	}
	return c.Value()
}

// Terms returns the search terms, at most 5, that a claim about the same subject is
// likely to have, the most telling first. The other claim has another value.
func (c *Claim) Terms() (all []string) {
	items := slices.Clone(c.main().items)
	weight := func(i item) int {
		weight := utf8.RuneCountInString(i.word)
		if i.name {
			weight += 4
		}
		about := func(v item) bool { return v.role == valueRole && v.isAbout(i.word) }
		if i.role == valueRole || !i.telling() || slices.ContainsFunc(items, about) {
			weight -= maxClaim
		}
		return weight
	}
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(weight(b), weight(a)) })
	if subject := without(items, func(i item) bool { return i.role == valueRole }); len(subject) > 0 {
		items = subject
	}
	for _, i := range items {
		for _, term := range words.Terms(i.text) {
			if len(all) < maxClaimTerms && !words.Stop(term) && !slices.Contains(all, term) {
				all = append(all, term)
			}
		}
	}
	return all
}

// Claim returns the claim that the text makes; nil if it makes none.
func (t Text) Claim() *Claim {
	if t.claim == nil {
		return nil
	}
	return t.claim()
}
