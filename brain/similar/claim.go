package similar

import (
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain/words"
)

// Claim is what a short text says of its subject: "the deploy port is now 9090"
// says that the deploy port is 9090. Two claims about one subject can be compared
// however unlike the texts are. A nil Claim says nothing.
type Claim struct {
	about   string   // the subject as written
	subject []string // content words, sorted, each once
	values  []string // numbers, dates, versions, paths and URLs, sorted
	words   []string // other content words of the value, in order
	denied  bool
}

const (
	maxClaimWords   = 24
	maxSubjectWords = 6
	maxValueWords   = 2 // of a value that is a name or another word
)

// ClaimOf returns the claim of a text, or of a name and a short text under it; nil
// if there is none.
func ClaimOf(name, content string) *Claim {
	fields := strings.Fields(content)
	if len(fields) == 0 || len(fields) > maxClaimWords || strings.HasSuffix(content, "?") {
		return nil
	}
	for i, field := range fields[:len(fields)-1] {
		verb := strings.ToLower(bare(field))
		switch {
		case i > 0 && isCopula(verb):
			return newClaim(fields[:i], fields[i+1:], strings.HasSuffix(verb, "n't"))
		case strings.HasSuffix(field, ":"):
			return newClaim(fields[:i+1], fields[i+1:], false)
		case endsSentence(field):
			return nil
		}
	}
	if name != "" && len(fields) <= maxValueWords {
		return newClaim(strings.Fields(name), fields, false)
	}
	return nil
}

// isCopula reports whether a word links a subject and its value.
func isCopula(word string) bool {
	switch word {
	case "is", "are", "isn't", "aren't", "equals", "=", ":=", "ist", "sind", "lautet", "beträgt":
		return true
	}
	return false
}

func endsSentence(field string) bool { return strings.ContainsAny(field[len(field)-1:], ".!?;") }

func newClaim(subject, value []string, denied bool) *Claim {
	if slices.ContainsFunc(value[:len(value)-1], endsSentence) {
		return nil // more than one sentence
	}
	c := Claim{about: strings.Join(subject, " "), denied: denied}
	about := read(c.about)
	for _, word := range about.words {
		if !has(word, nowWord|article) {
			c.subject = append(c.subject, word)
		}
	}
	slices.Sort(c.subject)
	c.subject = slices.Compact(c.subject)
	if len(c.subject) == 0 || len(c.subject) > maxSubjectWords || len(about.marks[negations]) > 0 {
		return nil
	}
	c.setValue(read(strings.Join(value, " ")))
	return &c
}

// setValue sets what is said of the subject.
func (c *Claim) setValue(said *statement) {
	c.denied = c.denied != (len(said.marks[negations])%2 == 1)
	parts := map[string]bool{} // words that are part of a number, date and so on
	for kind := numbers; kind <= urls; kind++ {
		for _, mark := range said.marks[kind] {
			c.values = append(c.values, mark)
			parts[mark] = true
			for _, term := range words.Terms(mark) {
				parts[base(term)] = true
			}
		}
	}
	slices.Sort(c.values)
	for _, word := range said.words {
		if !parts[word] && !has(word, nowWord|negation) {
			c.words = append(c.words, word)
		}
	}
}

// Key returns a key of the subject, such as "the deploy port" in "the deploy port is
// 8080"; "" without a claim. Claims about the same subject have the same key.
func (c *Claim) Key() string {
	if c == nil {
		return ""
	}
	return strings.Join(c.subject, " ")
}

// Subject returns the subject as it is written; "" without a claim.
func (c *Claim) Subject() string {
	if c == nil {
		return ""
	}
	return c.about
}

// Claim returns the claim that the text makes; nil if it makes none.
func (t Text) Claim() *Claim {
	if t.claim == nil {
		return nil
	}
	return t.claim()
}

// Disagree reports whether two texts claim different things about one subject: two
// numbers, dates, paths and the like, opposites, or yes and no; two names or other
// words only if the subject has two words or more. Texts with different names have
// different subjects. It is symmetric.
func Disagree(a, b Text) bool {
	x, y := a.Claim(), b.Claim()
	if x == nil || y == nil || !slices.Equal(x.subject, y.subject) || a.subject != b.subject && a.subject != "" && b.subject != "" {
		return false
	}
	same := slices.Equal(x.words, y.words)
	short := max(len(x.words), len(y.words)) <= maxValueWords
	switch {
	case len(x.values) > 0 && len(y.values) > 0:
		return same && !slices.Equal(x.values, y.values)
	case len(x.values)+len(y.values) > 0:
		return false
	case same:
		return x.denied != y.denied && len(x.words) > 0
	case x.denied != y.denied || !short:
		return false
	case opposed(x.words, y.words):
		return true
	}
	return len(x.subject) > 1 && min(len(x.words), len(y.words)) > 0 &&
		!slices.ContainsFunc(x.words, func(w string) bool { return slices.Contains(y.words, w) })
}
