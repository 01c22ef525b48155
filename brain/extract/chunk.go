package extract

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

const (
	// labelTokens is the length of the line that names a speaker.
	labelTokens = 4
	// maxPause is the time between two turns from which on the second begins a chunk.
	maxPause = 30 * time.Minute
)

// Chunker cuts turns into chunks: of one session each, without a pause of 30 minutes
// inside, within a budget of tokens. A turn over the budget is split at the end of a
// paragraph, a line, a sentence or a word. No byte is lost and the order stays. It is not
// safe for concurrent use.
type Chunker struct {
	tokens int // budget of a chunk
	emit   func(Chunk) error
	open   Chunk
	used   int // tokens of the open chunk
}

// NewChunker returns a chunker with a budget of tokens, at least 16. It gives each finished
// chunk to emit, which owns it. An error of emit ends Add or Flush.
func NewChunker(tokens int, emit func(Chunk) error) *Chunker {
	return &Chunker{tokens: tokens, emit: emit}
}

// Add takes a turn. It leaves out one without text.
func (c *Chunker) Add(t Turn) error {
	limit := (c.tokens - labelTokens) * plaintext.BytesPerToken
	for rest := t.Text; rest != ""; rest = rest[len(t.Text):] {
		t.Text = rest[:cutAt(rest, limit)]
		n := plaintext.Tokens(t.Text) + labelTokens
		if !c.follows(t) || c.used+n > c.tokens {
			if err := c.Flush(); err != nil {
				return err
			}
		}
		c.open.Session = t.Session
		c.open.Turns = append(c.open.Turns, t)
		c.used += n
	}
	return nil
}

// follows reports whether a turn, which may come late, goes on with the open chunk.
func (c *Chunker) follows(t Turn) bool {
	return len(c.open.Turns) == 0 || t.Session == c.open.Session && t.At.Sub(c.open.Until()).Abs() < maxPause
}

// Flush emits the open chunk.
func (c *Chunker) Flush() error {
	done := c.open
	c.open, c.used = Chunk{}, 0
	if len(done.Turns) == 0 {
		return nil
	}
	return c.emit(done)
}

// cutAt returns the best end of a part of at most limit bytes: of the text, a paragraph, a line,
// a sentence or a word, in this order, if the part is not short then, else of a character.
func cutAt(text string, limit int) int {
	if len(text) <= limit {
		return len(text)
	}
	for _, end := range []string{"\n\n", "\n", ". ", "? ", "! ", "。", " "} {
		if at := strings.LastIndex(text[:limit], end); at >= limit/4 {
			return at + len(end)
		}
	}
	n := limit
	for n > limit-utf8.UTFMax && !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}
