package similar

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/words"
)

// Claim is what the first clause of a text says of its subject: "Moved staging to port
// 5500 because 5433 is taken" says that the port of staging is 5500. A nil Claim says
// nothing.
type Claim struct {
	items   []item
	rest    []value // what the text says besides
	polar   string  // group of the word that says yes or no: "on" in "is disabled"
	denied  bool
	changed bool // the text says that something is so now
	moved   bool // the text has a verb of change
	states  bool // has a verb

	readings readings
}

const (
	maxClaim      = 400 // bytes that are read
	maxClaimTerms = 4
)

// ClaimOf returns the claim of a text, or of a name and a text under it; nil if there
// is none. It is the claim of the name, or that of the first sentence if the name is
// only a subject.
func ClaimOf(name, content string) *Claim {
	title, text := claimTokens(name), claimTokens(content)
	c := parseClaim(title, text)
	if c == nil {
		c = &Claim{}
	}
	if c.readings = readAll(title, text); len(c.readings.both[1].words) < 2 {
		return nil
	}
	return c
}

// parseClaim tells the subject from the value; nil if it cannot.
func parseClaim(title, text []token) *Claim {
	c, ok := readClaim(text)
	switch {
	case len(title) == 0 && !ok:
		return nil
	case len(title) == 0:
		return c
	}
	t, stated := readClaim(title)
	asks := has(base(title[0].folded), question)
	if stated && !asks && t.has(subjectRole) && (t.states || t.denied || t.polar != "") {
		t.rest = append(t.rest, readRest(text)...)
		return t
	}
	if !ok || !slices.ContainsFunc(c.items, func(i item) bool { return i.role == subjectRole && i.telling() }) {
		return parseClaim(nil, titled(title, text))
	}
	for _, i := range t.items {
		i.role = titleRole
		c.items = append(c.items, i)
	}
	return c
}

// titled returns a title and a text as one: "release day: Tuesdays".
func titled(title, text []token) []token {
	if len(title) == 0 {
		return text
	}
	all := slices.Concat(title, text)
	all[len(title)-1].chunk += ":"
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

func (c *Claim) has(role role) bool {
	return slices.ContainsFunc(c.items, func(i item) bool { return i.role == role })
}

// Value returns the value as it is written, such as "5433"; "" if it cannot be told.
func (c *Claim) Value() string {
	if c == nil {
		return ""
	}
	typed := count(c.items, func(i item) bool { return i.role == valueRole && i.kind != "" }) > 0
	var all []string
	for _, i := range c.items {
		if i.role == valueRole && (i.kind != "") == typed && !slices.Contains(all, i.text) {
			all = append(all, i.text)
		}
	}
	return strings.Join(all, " ")
}

// Terms returns the search terms, at most 8, that a claim about the same subject is
// likely to have, the most telling first.
func (c *Claim) Terms() (all []string) {
	if c == nil {
		return nil
	}
	var texts []string
	for _, i := range c.telling() {
		if i.role != valueRole { // the other claim has another value
			texts = append(texts, i.text)
		}
	}
	if len(texts) == 0 {
		for _, w := range c.readings.both[1].words {
			texts = append(texts, w.text)
		}
	}
	for _, text := range texts {
		for _, term := range words.Terms(text) {
			if len(all) < maxClaimTerms && !words.Stop(term) && !slices.Contains(all, term) {
				all = append(all, term)
			}
		}
	}
	return all
}

// telling returns the items of the claim, those that tell most about the subject first.
func (c *Claim) telling() []item {
	if c == nil {
		return nil
	}
	items := slices.Clone(c.items)
	weight := func(i item) int {
		weight := utf8.RuneCountInString(i.word)
		if i.name {
			weight += 4
		}
		if i.role == valueRole || !i.telling() {
			weight -= maxClaim
		}
		return weight
	}
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(weight(b), weight(a)) })
	return items
}

// Claim returns the claim that the text makes; nil if it makes none.
func (t Text) Claim() *Claim {
	if t.claim == nil {
		return nil
	}
	return t.claim()
}
