package extract

import (
	"slices"
	"strings"
)

// Coverage counts the results of a day's chunks.
// Chunks = Yielding + Nothings + Failures.
type Coverage struct {
	Chunks    int
	Yielding  int // chunks with at least one item
	Nothings  int // chunks read, with nothing to keep
	Failures  int // chunks that could not be read
	Items     int
	Uncovered []string // names that no item mentions, the most frequent first, at most 20
}

// Day is the extraction of a day, or of any stream of chunks. Each chunk goes
// through Extract, or through Listen and Record if something else extracts. It is not
// safe for concurrent use.
type Day struct {
	judge    *judge
	patterns []Pattern
	topics   topics
	coverage Coverage
	offer    Turn // the last one of the assistant
}

// NewDay returns a day that also keeps the sentences that match a pattern.
func NewDay(patterns []Pattern) *Day {
	return &Day{judge: newJudge(), patterns: slices.Clone(patterns), topics: topics{}}
}

// KindOf returns the kind of statement that a text makes which somebody wants to keep, ""
// if it makes none.
func KindOf(text string) Kind {
	j := newJudge().judge(statement{text: text, speaker: User})
	if j.strength <= stated {
		return ""
	}
	return j.kind
}

// Judge returns the statements of turns that are worth keeping, in the order in which
// they were said.
func Judge(turns []Turn) []Item { return NewDay(nil).items(turns) }

// Extract returns the statements of a chunk that are worth keeping, in the order in which
// they were said, and records it. An empty answer is an explicit nothing.
func (d *Day) Extract(c Chunk) []Item {
	items := d.items(c.Turns)
	d.Listen(c)
	d.Record(items, nil)
	return items
}

// Listen counts the topics of a chunk that something else extracts. Follow it
// with Record.
func (d *Day) Listen(c Chunk) {
	for _, t := range c.Turns {
		if t.Speaker == User {
			d.topics.count(t)
		}
	}
}

// Record counts a chunk with its items, none meaning nothing to keep, or as
// failed if err is not nil.
func (d *Day) Record(items []Item, err error) {
	d.coverage.Chunks++
	switch {
	case err != nil:
		d.coverage.Failures++
		return
	case len(items) == 0:
		d.coverage.Nothings++
	default:
		d.coverage.Yielding++
	}
	d.coverage.Items += len(items)
	for _, item := range items {
		d.topics.mention(item.Quote)
	}
}

// Coverage returns the report so far.
func (d *Day) Coverage() Coverage {
	c := d.coverage
	c.Uncovered = d.topics.uncovered()
	return c
}

func (d *Day) items(turns []Turn) []Item {
	var items []Item
	for _, t := range turns {
		switch t.Speaker {
		case Tool:
			continue
		case Assistant:
			d.offer = t
		case User:
			if option := accepted(t.Text, d.offer.Text); option != "" && d.offer.Session == t.Session {
				items = append(items, d.offer.item(option, judgement{kind: Decision, strength: accepting}))
			}
			d.offer = Turn{}
		}
		items = d.said(items, t)
	}
	return items
}

// said appends the statements of one turn that are worth keeping.
func (d *Day) said(items []Item, t Turn) []Item {
	first := len(items)
	for s := range t.statements() {
		if len(d.patterns) == 0 && !s.plausible() {
			continue
		}
		got := d.judge.judge(s)
		for _, p := range d.patterns {
			if p.match(s.text, d.judge.tokens) {
				got = judgement{kind: p.kind, strength: max(got.strength, accepting), from: got.from}
				break
			}
		}
		if got.strength > threshold && !slices.ContainsFunc(items[first:], func(i Item) bool { return i.Quote == s.text }) {
			items = append(items, t.item(s.text, got))
		}
	}
	return items
}

// item returns a statement as an item.
func (t Turn) item(quote string, j judgement) Item {
	return Item{
		Kind: j.kind, Title: titleOf(quote, j.from), Quote: quote, Strength: j.strength,
		At: t.At, Session: t.Session, Speaker: t.Speaker, Ref: t.Ref,
	}
}

// Supports reports whether a model may keep a passage of a turn: it contains a sentence
// that could be a memory by its form, though the cues alone are too weak to keep it.
func (t Turn) Supports(quote string) bool {
	j := newJudge()
	for s := range t.statements() {
		if (strings.Contains(s.text, quote) || strings.Contains(quote, s.text)) && j.judge(s).strength > supported {
			return true
		}
	}
	return false
}
