package transcripts

import (
	"context"
	"errors"
	"maps"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// findItems finds the explicit statements of a day, or with a model the items of each chunk, and
// reports on them.
func (r *run) findItems(ctx context.Context, c *collector, report *Day) ([]extract.Item, error) {
	m := modelReader{r, report, map[string][]extract.Item{}}
	if r.o.Model != nil {
		stored, err := loadStates[map[string][]extract.Item](ctx, r.Extractor, brain.TranscriptCoverageRecord, report.Date)
		if err != nil {
			return nil, err
		}
		maps.Copy(m.answers, stored[report.Date])
	}
	var items, found []extract.Item // of the day, and of the open chunk without a model
	explicit, topics := extract.Reader{}, extract.Topics{}
	chunks := extract.NewChunker(r.o.ChunkTokens, func(c extract.Chunk) (err error) {
		read := true
		if r.o.Model != nil {
			found, read, err = m.read(ctx, c)
		}
		if read && len(found) == 0 {
			report.Nothings++
		}
		report.Chunks++
		topics.Count(c.Turns)
		items, found = append(items, found...), nil
		return errors.Join(err, ctx.Err())
	})
	err := c.walk(func(p piece) error {
		t := turnOf(p.session, p.at.UTC(), p.kind, p.role, p.text)
		t.Place = p.heading
		err := chunks.Add(t)
		if r.o.Model == nil {
			found = append(found, explicit.Items([]extract.Turn{t})...)
		}
		return err
	})
	if err == nil {
		err = chunks.Flush()
	}
	report.Items, report.Uncovered = len(items), topics.Uncovered(items)
	for _, i := range items {
		report.Types[string(i.Kind)]++
	}
	return items, err
}

// turnOf returns a message as a turn.
func turnOf(session string, at time.Time, kind transcript.Kind, role transcript.Role, text string) extract.Turn {
	t := extract.Turn{Session: session, At: at, Speaker: extract.Assistant, Text: text, Answers: kind == transcript.Answer}
	switch {
	case kind != transcript.Said && kind != transcript.Answer:
		t.Speaker = extract.Tool
	case role == transcript.User:
		t.Speaker = extract.User
	}
	return t
}

// modelReader has a model read chunks. It stores each answer at once, since it was paid for.
type modelReader struct {
	*run
	report  *Day
	answers map[string][]extract.Item // to chunks by key, of earlier runs too
}

// read returns the items of a chunk; read is false if no model read it, and the report says why.
func (m modelReader) read(ctx context.Context, c extract.Chunk) (items []extract.Item, read bool, err error) {
	key := m.chunkKey(c)
	items, answered := m.answers[key]
	switch {
	case answered:
		return items, true, nil
	case m.req.DryRun:
		m.report.Unasked++
		return nil, false, nil
	case m.report.Partial != "":
		m.report.Failures++
		m.report.Waiting++
		return nil, false, nil
	}
	items, stop, err := m.o.Model.Extract(ctx, c)
	if err == nil {
		m.answers[key] = items
		stored := map[string]map[string][]extract.Item{m.report.Date: m.answers}
		return items, true, putStates(ctx, m.Extractor, brain.TranscriptCoverageRecord, stored)
	}
	m.report.Failures++
	if stop {
		m.report.Partial = err.Error()
		m.report.Waiting++
	} else {
		m.report.Problems = append(m.report.Problems, Problem{File: m.report.Transcript, Message: err.Error()})
	}
	return nil, false, ctx.Err()
}

// chunkKey returns a key that is the same for the same words, read in the same way.
func (r *run) chunkKey(c extract.Chunk) string {
	parts := []string{"chunk", r.method()}
	for _, t := range c.Turns {
		parts = append(parts, t.Session, t.At.Format(time.RFC3339Nano), string(t.Speaker), t.Text)
	}
	return brain.Hash(parts...)[:32]
}
