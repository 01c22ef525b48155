package extract

import (
	"iter"
	"strings"
	"time"
)

// Speaker says who speaks in a turn.
type Speaker string

// The speakers. Tool output is part of a chunk, but no item comes from it.
const (
	User      Speaker = "user"
	Assistant Speaker = "assistant"
	Tool      Speaker = "tool"
	// Note is a text that was written down rather than said. It is judged like the words
	// of the user, but a list is nothing special in it.
	Note Speaker = "note"
)

// Ref is the place of a turn: a file, and a line in it counted from 1. It is
// carried along and never looked at.
type Ref struct {
	File string
	Line int
}

// Turn is the text of one speaker at one instant.
type Turn struct {
	Session string
	At      time.Time
	Speaker Speaker
	Text    string
	Ref     Ref

	open fence // the code fence in which the text begins: a turn may be split
}

// Chunk is a run of turns of one session. It is never empty.
type Chunk struct {
	Session string
	Turns   []Turn
}

// From is the instant of the first turn, Until that of the last.
func (c Chunk) From() time.Time { return c.Turns[0].At }

// Until is the instant of the last turn.
func (c Chunk) Until() time.Time { return c.Turns[len(c.Turns)-1].At }

// Tokens estimates how many tokens the chunk has for a language model.
func (c Chunk) Tokens() int {
	n := 0
	for _, t := range c.Turns {
		n += turnTokens(t.Text)
	}
	return n
}

// Text is the chunk as a model reads it: each turn under a line that names its
// speaker and time of day (UTC).
func (c Chunk) Text() string {
	var b strings.Builder
	for _, t := range c.Turns {
		b.WriteString(t.At.UTC().Format("[15:04] "))
		b.WriteString(string(t.Speaker))
		b.WriteString(":\n")
		b.WriteString(t.Text)
		b.WriteString("\n\n")
	}
	return b.String()
}

// Find looks for quote inside one turn of the chunk, and answers with the
// turn and with the bytes as they stand there. Line ends count as equal
// (CRLF, LF); nothing else is forgiven. A blank quote is never found.
func (c Chunk) Find(quote string) (literal string, said Turn, ok bool) {
	if strings.TrimSpace(quote) == "" {
		return "", Turn{}, false
	}
	for _, t := range c.Turns {
		if literal, ok := findIn(t.Text, quote); ok {
			return literal, t, true
		}
	}
	return "", Turn{}, false
}

func findIn(text, quote string) (string, bool) {
	if strings.Contains(text, quote) {
		return quote, true
	}
	if !strings.Contains(text, "\r\n") && !strings.Contains(quote, "\r\n") {
		return "", false
	}
	plain := strings.ReplaceAll(quote, "\r\n", "\n")
	at := strings.Index(strings.ReplaceAll(text, "\r\n", "\n"), plain)
	if at < 0 {
		return "", false
	}
	start := withReturns(text, at)
	return text[start : start+withReturns(text[start:], len(plain))], true
}

// withReturns is the length of the part of text that has n bytes when its
// CRLF are LF.
func withReturns(text string, n int) int {
	i := 0
	for ; n > 0; n-- {
		if strings.HasPrefix(text[i:], "\r\n") {
			i++
		}
		i++
	}
	return i
}

// statements returns the sentences of a turn, each in its place.
func (t Turn) statements() iter.Seq[statement] {
	return func(yield func(statement) bool) {
		evidence := false
		for p := range paragraphs(t.Text, t.open) {
			for text := range p.sentences() {
				if !yield(statement{text: text, speaker: t.Speaker, list: p.list, evidence: evidence}) {
					return
				}
				evidence = hasEvidence(text)
			}
		}
	}
}
