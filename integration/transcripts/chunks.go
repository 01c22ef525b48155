package transcripts

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// storedItem is an item as it is remembered.
type storedItem struct {
	Kind    extract.Kind    `json:"type"`
	Title   string          `json:"title"`
	Quote   string          `json:"quote"`
	At      time.Time       `json:"at"`
	Session string          `json:"session"`
	Speaker extract.Speaker `json:"speaker"`
	Heading string          `json:"heading"` // of the exchange in the cleaned transcript
	// Project is that of the working directory of the session. It is not stored with the
	// answer of a model.
	Project string `json:"-"`
	// File is the one that it stands in, if that is no transcript.
	File string `json:"file,omitempty"`
	// Strength is not stored: it only orders what an agent is asked about.
	Strength float64 `json:"-"`
}

func (i storedItem) item() extract.Item {
	return extract.Item{Kind: i.Kind, Title: i.Title, Quote: i.Quote, At: i.At, Session: i.Session, Strength: i.Strength}
}

// extraction finds the items of a day, chunk by chunk.
type extraction struct {
	*run
	ctx   context.Context
	date  string
	day   *extract.Day
	known map[string]chunkState // chunks that a model answered in earlier runs
	cover coverage
	items []storedItem
	stop  string // why the model is not asked any more
}

// readChunks cuts a day into chunks and finds their items.
func (r *run) readChunks(ctx context.Context, day string, c *collector, h headings) (*extraction, error) {
	x := &extraction{
		run: r, ctx: ctx, date: day, day: extract.NewDay(r.o.Patterns),
		known: map[string]chunkState{}, cover: coverage{Method: r.method(), Chunks: []chunkState{}},
	}
	if r.o.Model != nil {
		kept, err := loadStates[coverage](ctx, r.Extractor, brain.TranscriptCoverageRecord, day)
		if err != nil {
			return nil, err
		}
		before := kept[day]
		if before.Method != x.cover.Method {
			before.Chunks = nil
		}
		for _, s := range before.Chunks {
			if s.State == chunkItems || s.State == chunkNothing {
				x.known[s.Key] = s
			}
		}
	}
	chunks := extract.NewChunker(extract.Cut{Tokens: r.o.ChunkTokens}, x.chunk)
	err := c.walk(h, func(p piece) error {
		if p.entry.heading != nil {
			return nil // it was read when it was in a file
		}
		// Ref is the place in the cleaned transcript, which a person can look up.
		return chunks.Add(extract.Turn{
			Session: p.session, At: p.at, Speaker: speakerOf(p), Text: p.text,
			Ref: extract.Ref{File: p.heading, Line: int(p.line)},
		})
	})
	if err == nil {
		err = chunks.Flush()
	}
	return x, err
}

func speakerOf(p piece) extract.Speaker {
	switch {
	case p.kind != transcript.Said:
		return extract.Tool
	case p.role == transcript.User:
		return extract.User
	}
	return extract.Assistant
}

// chunk finds the items of one chunk and adds its result. An answer of the model
// is stored at once: it was paid for.
func (x *extraction) chunk(c extract.Chunk) error {
	if err := x.ctx.Err(); err != nil {
		return err
	}
	s := chunkState{Key: chunkKey(c), Session: c.Session, From: c.From(), Until: c.Until()}
	if x.o.Model == nil {
		x.add(s, stored(x.day.Extract(c)))
		return nil
	}
	x.day.Listen(c)
	before, answered := x.known[s.Key]
	switch {
	case answered:
		s.Found = before.Found
	case x.req.DryRun:
		s.State = chunkUnasked
	case x.stop != "":
		s.State, s.Error = chunkWaiting, x.stop
	default:
		x.ask(c, &s)
	}
	if err := x.ctx.Err(); err != nil {
		return err
	}
	x.record(s)
	x.add(s, s.Found)
	if answered || s.State != "" {
		return nil
	}
	return x.keepAnswers()
}

// ask has the model read a chunk. After an answer the chunk has no state yet.
func (x *extraction) ask(c extract.Chunk, s *chunkState) {
	items, stop, err := x.o.Model.Extract(x.ctx, c)
	if err == nil {
		s.Found = stored(items)
		return
	}
	s.State, s.Error = chunkFailure, err.Error()
	if stop {
		x.stop, s.State = s.Error, chunkWaiting
	}
}

// record adds the answer of a model to the coverage of the day.
func (x *extraction) record(s chunkState) {
	if s.Error != "" {
		x.day.Record(nil, errors.New(s.Error))
		return
	}
	if s.State == chunkUnasked {
		return
	}
	items := make([]extract.Item, 0, len(s.Found))
	for _, f := range s.Found {
		items = append(items, f.item())
	}
	x.day.Record(items, nil)
}

// add adds the result of a chunk and its items.
func (x *extraction) add(s chunkState, found []storedItem) {
	switch {
	case s.State != "":
	case len(found) > 0:
		s.State, s.Items = chunkItems, len(found)
	default:
		s.State = chunkNothing
	}
	x.cover.Chunks = append(x.cover.Chunks, s)
	x.items = append(x.items, found...)
}

// keepAnswers stores the answers of the model so far, and those of earlier runs
// to chunks that this one has not come to.
func (x *extraction) keepAnswers() error {
	all := coverage{Method: x.cover.Method, Chunks: slices.Clone(x.cover.Chunks)}
	come := map[string]bool{}
	for _, s := range all.Chunks {
		come[s.Key] = true
	}
	for _, s := range x.known {
		if !come[s.Key] {
			all.Chunks = append(all.Chunks, s)
		}
	}
	return x.put(x.ctx, stateRecord{brain.TranscriptCoverageRecord, x.date, all})
}

// chunkKey returns a key that is the same for the same words.
func chunkKey(c extract.Chunk) string {
	h := xxh3.New()
	for _, t := range c.Turns {
		for _, part := range []string{t.Session, t.At.Format(time.RFC3339Nano), string(t.Speaker), t.Text} {
			_, _ = h.WriteString(part) // a hash takes everything
			_, _ = h.Write([]byte{0})
		}
	}
	sum := h.Sum128().Bytes()
	return brain.Hash("chunk", string(sum[:]))[:32]
}

// stored returns items as they are stored. Their strings are copies, so that the
// text that they were cut from is not held.
func stored(items []extract.Item) []storedItem {
	all := make([]storedItem, 0, len(items))
	for _, i := range items {
		if !i.Kind.Known() || strings.TrimSpace(i.Quote) == "" {
			continue
		}
		all = append(all, storedItem{
			Kind: i.Kind, Title: strings.Clone(i.Title), Quote: strings.Clone(i.Quote),
			At: i.At, Session: i.Session, Speaker: i.Speaker, Heading: i.Ref.File, Strength: i.Strength,
		})
	}
	return all
}
