package transcripts

import (
	"context"
	"errors"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// findItems finds the explicit statements of a day, or with a model the items of each chunk, and
// reports on them.
func (r *run) findItems(ctx context.Context, c *collector, report *Day) (items []extract.Item, err error) {
	answers := map[string]map[string][]extract.Item{} // of the model, by day and chunk
	if r.o.Model != nil {
		answers, err = loadStates[map[string][]extract.Item](ctx, r.Extractor, brain.TranscriptCoverageRecord, report.Date)
		if err != nil {
			return nil, err
		}
	}
	var found []extract.Item // in the open chunk without a model
	explicit, topics := extract.Reader{}, extract.Topics{}
	chunks := extract.NewChunker(r.o.ChunkTokens, func(c extract.Chunk) (err error) {
		report.Chunks++
		topics.Count(c.Turns)
		read := true
		if r.o.Model != nil {
			found, read, err = r.ask(ctx, c, answers, report)
		}
		if read && len(found) == 0 {
			report.Nothings++
		}
		items, found = append(items, found...), nil
		return errors.Join(err, ctx.Err())
	})
	err = c.walk(func(p piece) error {
		if p.takenBack {
			return nil
		}
		t := turnOf(p.session, p.at.UTC(), p.kind, p.role, p.text)
		t.Location = p.heading
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
	t := extract.Turn{Session: session, At: at, Speaker: extract.Assistant, Text: text, AnswersForm: kind == transcript.Answer}
	switch {
	case kind != transcript.Said && kind != transcript.Answer:
		t.Speaker = extract.Tool
	case role == transcript.User:
		t.Speaker = extract.User
	}
	return t
}

// ask returns the items that the model finds in a chunk. It stores each answer at once, since
// it was paid for. Read is false if the model did not read the chunk, and the report says why.
func (r *run) ask(ctx context.Context, c extract.Chunk, answers map[string]map[string][]extract.Item, report *Day) (items []extract.Item, read bool, err error) {
	parts := []string{"chunk", r.method()} // the same words, read in the same way
	for _, t := range c.Turns {
		parts = append(parts, t.Session, t.At.Format(time.RFC3339Nano), string(t.Speaker), t.Text)
	}
	key := brain.Hash(parts...)[:32]
	items, answered := answers[report.Date][key]
	switch {
	case answered:
		return items, true, nil
	case r.req.DryRun:
		report.Unasked++
		return nil, false, nil
	case report.Partial != "":
		report.Failures++
		report.Waiting++
		return nil, false, nil
	}
	items, stop, err := r.o.Model.Extract(ctx, c)
	switch {
	case err == nil:
		if answers[report.Date] == nil {
			answers[report.Date] = map[string][]extract.Item{}
		}
		answers[report.Date][key] = items
		return items, true, putStates(ctx, r.Extractor, brain.TranscriptCoverageRecord, answers)
	case stop:
		report.Partial = err.Error()
		report.Waiting++
	default:
		report.Problems = append(report.Problems, Problem{File: report.Transcript, Message: err.Error()})
	}
	report.Failures++
	return nil, false, ctx.Err()
}
