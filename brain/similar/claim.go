package similar

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/words"
)

// Claim is what a text says of its subject: "Moved staging to port 5500 because 5433 is
// taken" says that the port of staging is 5500. A nil Claim says nothing.
type Claim struct {
	items    []*item
	rest     func() []value // the other words and values of the text, read on demand
	polar    string         // group of the word that says yes or no: "on" in "is disabled"
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

// ClaimOf returns the claim of a name if that is a statement, else of the name and the text
// under it as one; nil if there is none.
func ClaimOf(name, content string) *Claim {
	title := claimTokens(nil, name)
	if c, used := readClaim(title); c != nil && c.isStatement(title) {
		c.rest = sync.OnceValue(func() []value {
			return append(readRest(claimTokens(nil, name)[used:]), readRest(claimTokens(nil, content))...)
		})
		return c
	}
	c, used := readClaim(titled(title, content))
	if c != nil {
		c.rest = sync.OnceValue(func() []value { return readRest(titled(claimTokens(nil, name), content)[used:]) })
	}
	return c
}

// germanWords are short words that most German sentences have one of, besides articles.
var germanWords = strings.Fields("auf im beim zum zur mit für von vom nicht kein wir und nach aus")

func isGerman(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return has(t.folded, article) || slices.Contains(germanWords, t.folded) })
}

// isStatement reports whether a name says something of a subject: "Logs are kept for 30
// days", rather than "Log retention".
func (c *Claim) isStatement(title []token) bool {
	return !title[0].is(question) && (c.states || c.denied || c.optional || c.has(valueRole) || len(title) > 3 && hasVerb(title[:len(title)-1]))
}

// hasVerb reports whether one of some words looks like a verb that says something: "polls",
// "stays", "bleibt".
func hasVerb(tokens []token) bool {
	german := isGerman(tokens)
	return slices.ContainsFunc(tokens, func(t token) bool {
		return t.text == t.folded && (strings.HasSuffix(t.text, "s") || german && (strings.HasSuffix(t.text, "t") || strings.HasSuffix(t.text, "en")))
	})
}

// titled returns the tokens of a title and a text as those of one: "release day: Tuesdays".
func titled(title []token, text string) []token {
	all := claimTokens(slices.Clip(title), text) // title itself stays as it is
	if len(title) > 0 {
		all[len(title)-1].chunk += titleEnd
	}
	return all
}

// claimTokens appends the tokens of the beginning of a text.
func claimTokens(all []token, text string) []token {
	text = strings.TrimLeft(text, " \t\r\n-*#>•")
	text = text[:min(len(text), maxClaim)]
	all = slices.Grow(all, 1+len(text)/bytesPerToken)
	begin := len(all)
	for line := range strings.Lines(text) {
		all = tokens(all, line)
	}
	return append(all[:begin], mainFirst(all[begin:])...)
}

// mainFirst moves a reason that begins a text behind what it gives a reason for.
func mainFirst(tokens []token) []token {
	end := 1 + slices.IndexFunc(tokens, func(t token) bool { return strings.ContainsAny(t.chunk[len(t.chunk)-1:], ",.;") })
	if end == 0 || !tokens[0].is(reason) && tokens[0].folded != "as" {
		return tokens
	}
	return slices.Concat(tokens[end:], tokens[:end])
}

func (c *Claim) has(role role) bool {
	return slices.ContainsFunc(c.items, func(i *item) bool { return i.role == role })
}

// Value returns the value as it is written, such as "5433"; "" if it cannot be told.
func (c *Claim) Value() string {
	if c == nil {
		return ""
	}
	values := without(c.items, func(i *item) bool { return i.role != valueRole })
	if typed := without(values, func(i *item) bool { return i.kind == "" }); len(typed) > 0 {
		values = typed
	}
	return written(values)
}

// written returns what items say, each text once.
func written(items []*item) string {
	var all []string
	for _, i := range items {
		all = appendNew(all, i.text)
	}
	return strings.Join(all, " ")
}

// appendNew appends a text that a list does not have.
func appendNew(all []string, text string) []string {
	if slices.Contains(all, text) {
		return all
	}
	return append(all, text)
}

// ValueUnlike returns what the claim says in place of what a later one says, as it is
// written, such as "Anna"; "" if it cannot be told.
func (c *Claim) ValueUnlike(later *Claim) string {
	if c.Conflicts(later) {
		return written(compare(c, later).exclusive())
	}
	if c.Value() == later.Value() {
		return ""
	}
	return c.Value()
}

// Terms returns the search terms, at most 5, that a claim about the same subject is
// likely to have, the most telling first. The other claim has another value.
func (c *Claim) Terms() (all []string) {
	if c == nil {
		return nil
	}
	items := slices.Clone(c.items)
	weight := func(i *item) int {
		weight := utf8.RuneCountInString(i.word)
		if i.name {
			weight += 4
		}
		about := func(v *item) bool { return v.role == valueRole && v.isAbout(i.word) }
		if i.role == valueRole || !i.telling() || slices.ContainsFunc(items, about) {
			weight -= maxClaim
		}
		return weight
	}
	slices.SortStableFunc(items, func(a, b *item) int { return cmp.Compare(weight(b), weight(a)) })
	for _, i := range items {
		most := maxClaimTerms - 3*step(i.role == valueRole) // a value only if the subject has few words
		for _, term := range words.Terms(i.text) {
			if len(all) < most && !words.Stop(term) {
				all = appendNew(all, term)
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
