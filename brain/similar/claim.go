package similar

import (
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain/words"
)

// claim is what a short text says of its subject: of "the deploy port is now
// 9090" that it is 9090. Two claims of one subject are comparable however little
// else the texts have in common.
type claim struct {
	about   string   // the subject as it is written
	subject []string // content words, sorted, each once
	values  []string // numbers, dates, versions, paths and URLs, sorted
	words   []string // the other content words of the value, in order
	denied  bool
}

const (
	claimWords   = 24 // of a text that may be one
	subjectWords = 6
	nameValue    = 2 // words of a value that is a name or a word
)

// claimed reads the claim of a text, or of a name and what stands under it; nil
// where it makes none.
func claimed(name, content string) *claim {
	fields := strings.Fields(content)
	if len(fields) == 0 || len(fields) > claimWords || strings.HasSuffix(content, "?") {
		return nil
	}
	for i, f := range fields[:len(fields)-1] {
		word := strings.ToLower(bare(f))
		if states(word) && i > 0 {
			return claimOf(fields[:i], fields[i+1:], strings.HasSuffix(word, "n't"))
		}
		if strings.HasSuffix(f, ":") {
			return claimOf(fields[:i+1], fields[i+1:], false)
		}
		if ends(f) {
			return nil
		}
	}
	if name != "" && len(fields) <= nameValue {
		return claimOf(strings.Fields(name), fields, false)
	}
	return nil
}

// states holds for what stands between a subject and what it is.
func states(word string) bool {
	switch word {
	case "is", "are", "isn't", "aren't", "equals", "=", ":=", "ist", "sind", "lautet", "beträgt":
		return true
	}
	return false
}

// ends holds for the last word of a sentence.
func ends(field string) bool { return strings.ContainsAny(field[len(field)-1:], ".!?;") }

func claimOf(subject, value []string, denied bool) *claim {
	if slices.ContainsFunc(value[:len(value)-1], ends) {
		return nil // more than one sentence
	}
	c := claim{denied: denied, about: strings.Join(subject, " ")}
	about := understand(c.about)
	for _, w := range about.words {
		if !ofNow(w) && !germanArticle(w) {
			c.subject = append(c.subject, w)
		}
	}
	slices.Sort(c.subject)
	c.subject = slices.Compact(c.subject)
	if len(c.subject) == 0 || len(c.subject) > subjectWords || len(about.marks[negations]) > 0 {
		return nil
	}
	c.value(understand(strings.Join(value, " ")))
	return &c
}

// value takes what is said of the subject.
func (c *claim) value(said *statement) {
	c.denied = c.denied != (len(said.marks[negations])%2 == 1)
	parts := map[string]bool{} // words that are part of a value
	for _, kind := range []int{numbers, dates, versions, paths, urls} {
		for _, mark := range said.marks[kind] {
			c.values = append(c.values, mark)
			parts[strings.TrimPrefix(mark, "unit ")] = true
			for _, term := range words.Terms(mark) {
				parts[term] = true
			}
		}
	}
	slices.Sort(c.values)
	for _, w := range said.words {
		if !parts[w] && !ofNow(w) && !allWords().negations[w] {
			c.words = append(c.words, w)
		}
	}
}

// ofNow holds for the words that say that something holds now, as a claim does
// without them.
func ofNow(term string) bool {
	switch term {
	case "now", "current", "still", "today", "alreadi", "present", "actual", "alway",
		"jetzt", "nun", "derzeit", "aktuell", "inzwischen", "weiterhin", "heut", "immer":
		return true
	}
	return false
}

// germanArticle holds for what says nothing of a subject. English articles are
// no content words.
func germanArticle(term string) bool {
	switch term {
	case "der", "die", "das", "dem", "den", "des", "ein", "eine", "einer":
		return true
	}
	return false
}

// Claim names the subject that the text makes a claim about, as in "the deploy
// port is 8080"; "" where it makes none.
func (t Text) Claim() string {
	if c := t.claims(); c != nil {
		return strings.Join(c.subject, " ")
	}
	return ""
}

// Claims returns the subject of that claim as it is written.
func (t Text) Claims() string {
	if c := t.claims(); c != nil {
		return c.about
	}
	return ""
}

func (t Text) claims() *claim {
	if t.claim == nil {
		return nil
	}
	return t.claim()
}

// Disagree reports whether two texts claim different things of one subject: two
// numbers, dates, paths and the like, two opposites, yes and no, or of a subject
// of two words and more two names or words. Of two names it is never the same
// subject. It is symmetric.
func Disagree(a, b Text) bool {
	x, y := a.claims(), b.claims()
	if x == nil || y == nil || !slices.Equal(x.subject, y.subject) || a.subject != b.subject && a.subject != "" && b.subject != "" {
		return false
	}
	same := slices.Equal(x.words, y.words)
	switch {
	case len(x.values) > 0 && len(y.values) > 0:
		return same && !slices.Equal(x.values, y.values)
	case len(x.values)+len(y.values) > 0:
		return false
	case same:
		return x.denied != y.denied && len(x.words) > 0
	case opposed(x.words, y.words):
		return x.denied == y.denied && max(len(x.words), len(y.words)) <= nameValue
	}
	return x.denied == y.denied && len(x.subject) > 1 && len(x.words) > 0 && len(y.words) > 0 &&
		max(len(x.words), len(y.words)) <= nameValue && !slices.ContainsFunc(x.words, func(w string) bool { return slices.Contains(y.words, w) })
}

// ClaimNamed is [Text.Claim] of a named text, in less time than it takes to
// prepare it.
func ClaimNamed(name, content string) string {
	if c := claimed(name, content); c != nil {
		return strings.Join(c.subject, " ")
	}
	return ""
}
