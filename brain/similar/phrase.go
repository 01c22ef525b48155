package similar

import (
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain/words"
)

// phrase follows a text from word to word, and knows where a noun stands with
// what comes before it: after an article or a preposition, up to a verb or a
// light word.
type phrase struct {
	within bool
	bare   bool   // a preposition opened it, no article
	last   string // the word before, within
	noun   string // the word before, anywhere
	of     string // what the phrase belongs to: sessions in "sessions of the heron"
}

// next takes a word and returns what it makes known.
func (p *phrase) next(term, word string) []modified {
	switch {
	case article(term):
		p.within, p.bare, p.last, p.noun = true, false, "", ""
		return nil
	case preposition(term):
		*p = phrase{within: true, bare: true, of: p.noun}
		if term != "of" {
			p.of = ""
		}
		return nil
	case words.Stop(term):
		*p = phrase{}
		return nil
	}
	return p.content(sameWord(term), strings.ToLower(word))
}

func (p *phrase) content(w, folded string) (known []modified) {
	p.noun = w
	if !p.within || p.bare && p.last == "" && strings.HasSuffix(folded, "ing") { // by keeping
		p.within = false
		return nil
	}
	if p.last != "" {
		known = append(known, modified{p.last, w})
	}
	if p.of != "" {
		known = append(known, modified{w, p.of})
	}
	if p.last = w; likeVerb(folded) {
		p.within, p.of = false, ""
	}
	return known
}

// preposition holds for the words that a noun follows.
func preposition(term string) bool {
	switch term {
	case "of", "for", "in", "on", "by", "from", "with", "at", "via", "per", "under", "behind", "within", "inside", "into",
		"after", "before", "over", "through", "during":
		return true
	}
	return false
}

// renamed returns a word that tells a thing of one text from others, and that
// the other text leaves out where it has another such word for a thing of the
// same kind; "" where there is none.
func renamed(theirs, said *statement) string {
	for _, lost := range theirs.phrases {
		if said.present[lost.word] == 0 && slices.ContainsFunc(said.phrases, func(m modified) bool {
			return m.head == lost.head && theirs.present[m.word] == 0 && (!quality(m.word) || !quality(lost.word))
		}) {
			return lost.word
		}
	}
	return ""
}

// quality holds for adjectives that many things have: two of them may say the
// same, as large and big do.
func quality(word string) bool { return allWords().qualities[word] }
