package extract

import (
	"slices"
	"strings"
)

const (
	minWords    = 3
	maxWords    = 70
	nearWords   = 4 // how far before a phrase a word still speaks of it
	maxCodePart = 12
)

// fillers open a sentence without saying anything.
func filler(word string) bool {
	switch word {
	case "ok", "okay", "alright", "right", "so", "and", "but", "well", "yeah", "yes", "yep", "no", "nope", "fine", "oh", "ah", "hm", "hmm",
		"also", "anyway", "btw", "then", "now", "actually", "look", "hey", "hi", "thanks", "great", "good", "perfect", "honestly",
		"please", "just", "wait", "cool", "sure", "first", "next", "finally", "again":
		return true
	}
	return false
}

// sentenceStart is the index of the first token that is no filler.
func sentenceStart(tokens []token) int {
	for i, t := range tokens {
		if !filler(t.word) {
			return i
		}
	}
	return 0
}

// saying is a sentence that may hold an item.
type saying struct {
	text    string // masked
	raw     string // as it was said
	tokens  []token
	speaker Speaker
	start   int // first token that is no filler
	asks    bool
}

// worthReading leaves out what cannot be an item whatever the patterns say:
// crumbs, logs and code without a fence, and an assistant's own next step.
func (s *saying) worthReading() bool {
	if len(s.tokens) < minWords || len(s.tokens) > maxWords || codeLike(s.text) {
		return false
	}
	return s.speaker != Assistant || !ownStep(s.tokens[s.start:]) || s.dated()
}

// dated reports whether the sentence names a day or a condition to wait for:
// what is to be done then is no next step.
func (s *saying) dated() bool {
	for i, t := range s.tokens[:len(s.tokens)-1] {
		next := s.tokens[i+1]
		switch t.word {
		case "by", "before", "until", "on", "next":
			if weekday(next.word) || month(next.word) || next.word == "the" && i+2 < len(s.tokens) && s.tokens[i+2].digit {
				return true
			}
		case "soon":
			return next.word == "as"
		}
	}
	return false
}

func weekday(word string) bool {
	switch word {
	case "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "tomorrow":
		return true
	}
	return false
}

func month(word string) bool {
	switch word {
	case "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december":
		return true
	}
	return false
}

// codeLike reports whether more than one character in maxCodePart is one that
// sentences hardly have.
func codeLike(text string) bool {
	n := 0
	for i := range len(text) {
		switch text[i] {
		case '{', '}', '[', ']', '<', '>', '=', ';', '|', '\\', '$':
			n++
		}
	}
	return n*maxCodePart > len(text)
}

// ownStep reports whether an assistant speaks of what it does itself, now.
func ownStep(tokens []token) bool {
	opening := make([]string, 0, nearWords)
	for _, t := range tokens[:min(nearWords, len(tokens))] {
		opening = append(opening, t.word)
	}
	said := strings.Join(opening, " ") + " "
	for _, step := range []string{
		"i 'll ", "i will ", "i 'm going ", "i am going ", "i 'm now ", "i am now ", "i need to ", "i should ", "i have to ", "i must ", "i want to ",
		"let me ", "let 's ", "we need to ", "we should ", "we 'll ", "we have to ", "i 'd ", "time to ", "i still need ", "i also need ", "i always ",
	} {
		if strings.HasPrefix(said, step) {
			return true
		}
	}
	return false
}

// allows reports whether a match of p at tokens[lo:hi] is meant: stated and
// not asked, supposed, denied or quoted.
func (s *saying) allows(p *Pattern, lo, hi int) bool {
	if s.asks && !p.ask {
		return false
	}
	for _, t := range s.tokens[lo:hi] {
		if t.quoted {
			return false
		}
	}
	if p.ask && s.asks {
		return true // "could you remind me" supposes nothing
	}
	return !s.supposed(lo) && !s.denied(lo)
}

// supposed reports whether what comes before tokens[at] makes it a
// supposition: an "if" in the same clause, a "might" nearby.
func (s *saying) supposed(at int) bool {
	for i := at - 1; i >= 0; i-- {
		t := s.tokens[i]
		if near := at-i <= nearWords; near && doubtful(t.word) {
			return true
		}
		if conditional(t.word) {
			return true
		}
		if s.tokens[i+1].after == ',' && at-i > 1 || s.tokens[i+1].after == ';' {
			return false
		}
	}
	return false
}

func conditional(word string) bool {
	return slices.Contains([]string{"if", "whether", "unless", "suppose", "supposing", "imagine", "wonder", "wondering", "assuming", "pretend", "why", "how"}, word)
}

func doubtful(word string) bool {
	switch word {
	case "would", "could", "might", "may", "maybe", "perhaps", "probably", "possibly", "did", "does", "can", "says", "prints", "printed", "expects":
		return true
	}
	return false
}

// denied reports whether a negation stands right before tokens[at].
func (s *saying) denied(at int) bool {
	for i := at - 1; i >= max(0, at-3); i-- {
		if s.tokens[i+1].after != 0 {
			return false
		}
		switch s.tokens[i].word {
		case "not", "n't", "never", "no", "without", "nobody", "neither", "nor", "hardly", "dont", "cannot":
			return true
		}
	}
	return false
}
