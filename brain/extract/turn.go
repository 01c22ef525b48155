package extract

import (
	"fmt"
	"iter"
	"strings"
	"time"
)

// Speaker says who speaks in a turn.
type Speaker string

// The speakers.
const (
	User      Speaker = "user"
	Assistant Speaker = "assistant"
	Tool      Speaker = "tool" // its output is part of a chunk, but no item comes from it
	Note      Speaker = "note" // a text that was written down rather than said
)

// Turn is the text of one speaker at one instant.
type Turn struct {
	Session  string
	At       time.Time
	Speaker  Speaker
	Text     string
	Location string // where it is written, for people
	// AnswersForm reports that the user answered a question form of the agent (the question, and
	// the answer on the next line), or refused a tool call or a plan (the words).
	AnswersForm bool
}

// Chunk is a run of turns of one session. It is never empty.
type Chunk struct {
	Session string
	Turns   []Turn
}

// From is the instant of the first turn.
func (c Chunk) From() time.Time { return c.Turns[0].At }

// Until is the instant of the last turn.
func (c Chunk) Until() time.Time { return c.Turns[len(c.Turns)-1].At }

// Text is the chunk as a model reads it: each turn under a line that names its
// speaker and time of day (UTC).
func (c Chunk) Text() string {
	var b strings.Builder
	for _, t := range c.Turns {
		fmt.Fprintf(&b, "%s %s:\n%s\n\n", t.At.UTC().Format("[15:04]"), t.Speaker, t.Text)
	}
	return b.String()
}

// Find returns the first turn that contains a quote.
func (c Chunk) Find(quote string) (said Turn, ok bool) {
	for _, t := range c.Turns {
		if strings.Contains(t.Text, quote) {
			return t, true
		}
	}
	return Turn{}, false
}

// statements returns the sentences that were said in a turn, and not pasted.
func (t Turn) statements() iter.Seq[statement] {
	return func(yield func(statement) bool) {
		text := t.ownWords()
		hasHeading := strings.Contains("\n"+text, "\n#")
		for p := range paragraphs(text) {
			for sentence := range p.sentences() {
				if !yield(statement{text: sentence, speaker: t.Speaker, list: p.list, hasHeading: hasHeading}) {
					return
				}
			}
		}
	}
}
