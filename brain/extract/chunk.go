package extract

import (
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// Cut says where chunks end. The zero value of a field means its default.
type Cut struct {
	Tokens int           // budget of a chunk, default 3000
	Pause  time.Duration // between two turns of a session, default 30 minutes
}

const (
	defaultChunkTokens = 3000
	defaultPause       = 30 * time.Minute
	// minChunkTokens leaves room for a turn's label and some words.
	minChunkTokens = 16
	// labelTokens is the length of the line that names a speaker.
	labelTokens = 4
	// maxOpenChunks bounds the memory of sessions that run at the same time.
	maxOpenChunks = 64
)

func turnTokens(text string) int { return plaintext.Tokens(text) + labelTokens }

// Chunker cuts a stream of turns into chunks: of one session each, without a
// pause inside, within a budget of tokens. Turns of several sessions may come
// mixed. A turn over the budget is split at the end of a paragraph, a line, a
// sentence or a word. No byte is lost and none comes twice; within a session
// the order stays.
//
// It holds one open chunk a session, of at most 64 sessions. Not safe for
// concurrent use.
type Chunker struct {
	cut  Cut
	emit func(Chunk) error
	open []*openChunk // least recently used first
}

type openChunk struct {
	chunk  Chunk
	tokens int
}

// NewChunker gives each finished chunk to emit, which owns it. An error of
// emit ends Add or Flush and is returned as it is.
func NewChunker(cut Cut, emit func(Chunk) error) *Chunker {
	if cut.Tokens == 0 {
		cut.Tokens = defaultChunkTokens
	}
	cut.Tokens = max(cut.Tokens, minChunkTokens)
	if cut.Pause == 0 {
		cut.Pause = defaultPause
	}
	return &Chunker{cut: cut, emit: emit}
}

// Add takes a turn. One without text is left out.
func (c *Chunker) Add(t Turn) error {
	limit := (c.cut.Tokens - labelTokens) * plaintext.BytesPerToken
	open := fence("")
	for part := range parts(t.Text, limit) {
		piece := t
		piece.Text, piece.open = part, open
		if len(part) < len(t.Text) {
			open = open.after(part)
		}
		if err := c.add(piece); err != nil {
			return err
		}
	}
	return nil
}

// Flush emits what is still open. The Chunker can be used again.
func (c *Chunker) Flush() error {
	for len(c.open) > 0 {
		if err := c.close(0); err != nil {
			return err
		}
	}
	return nil
}

func (c *Chunker) add(t Turn) error {
	o, err := c.room(t)
	if err != nil {
		return err
	}
	o.chunk.Turns = append(o.chunk.Turns, t)
	o.tokens += turnTokens(t.Text)
	return nil
}

// room gives the open chunk that takes t, as the most recently used one.
func (c *Chunker) room(t Turn) (*openChunk, error) {
	at := slices.IndexFunc(c.open, func(o *openChunk) bool { return o.chunk.Session == t.Session })
	if at >= 0 && c.fits(c.open[at], t) {
		o := c.open[at]
		c.open = append(slices.Delete(c.open, at, at+1), o)
		return o, nil
	}
	if at < 0 && len(c.open) == maxOpenChunks {
		at = 0
	}
	if at >= 0 {
		if err := c.close(at); err != nil {
			return nil, err
		}
	}
	o := &openChunk{chunk: Chunk{Session: t.Session}}
	c.open = append(c.open, o)
	return o, nil
}

// fits looks at the pause in both directions, because a late turn may be
// older than the one before it.
func (c *Chunker) fits(o *openChunk, t Turn) bool {
	last := o.chunk.Turns[len(o.chunk.Turns)-1]
	return o.tokens+turnTokens(t.Text) <= c.cut.Tokens && t.At.Sub(last.At).Abs() < c.cut.Pause
}

func (c *Chunker) close(at int) error {
	o := c.open[at]
	c.open = slices.Delete(c.open, at, at+1)
	return c.emit(o.chunk)
}
