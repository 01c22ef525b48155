package extract

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

const (
	// labelTokens is the length of the line that names a speaker, with the blank line after
	// the turn: "[15:04] assistant:".
	labelTokens = 6
	minTokens   = 16
	// maxPause is the time between two turns from which on the second begins a chunk.
	maxPause = 30 * time.Minute
)

// Chunker cuts turns into chunks. Each is of one session, has no pause of 30 minutes inside and
// is within a budget of tokens. A turn over the budget is split, see cutAt. No byte is lost and
// the order stays. It is not safe for concurrent use.
type Chunker struct {
	tokens int // budget of a chunk
	emit   func(Chunk) error
	open   Chunk
	used   int // tokens of the open chunk
}

// NewChunker returns a chunker with a budget of tokens, at least 16. It gives each finished
// chunk to emit, which owns it. An error of emit ends Add or Flush.
func NewChunker(tokens int, emit func(Chunk) error) *Chunker {
	return &Chunker{tokens: max(tokens, minTokens), emit: emit}
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

// cutAt returns where to cut a text so that the part has at most limit bytes: after the last
// paragraph; if that leaves less than a quarter of limit, after the last line, sentence or word;
// otherwise between two characters.
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
