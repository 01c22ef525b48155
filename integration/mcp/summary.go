package mcp

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/recall"
)

// summary is one memory in an answer.
type summary struct {
	ID      string  `json:"id"`
	Kind    string  `json:"kind"`
	Text    string  `json:"text"`
	Date    string  `json:"date"`
	Project string  `json:"project,omitempty"`
	Score   float64 `json:"score,omitempty"`

	done    bool // reminder
	meaning bool // see [recall.Why]
	name    string
	match   string // word by which it was found, "" if it was not searched for
	around  string // part of the text that begins shortly before match
}

// newSummary returns the summary of a memory, with its full statement as the text.
func newSummary(m brain.View, score float64) summary {
	return summary{
		ID: m.ID, Kind: m.MemoryType, Date: m.Date, Score: math.Round(score*100) / 100,
		Text: oneLine(m.Name, m.Content), name: plaintext.OneLine(m.Name), done: m.Done != nil, Project: string(m.Project),
	}
}

// recalledSummary returns the summary of a result of a recall.
func recalledSummary(r recall.Recalled) summary {
	const before = 20 // bytes
	s := newSummary(r.Memory, r.Score)
	s.meaning = r.Why.Meaning
	if len(r.Marks) > 0 {
		m := r.Marks[0]
		s.match, s.around = r.Excerpt[m.Start:m.End], r.Excerpt[m.Start:]
		if start := max(0, m.Start-before); start == 0 {
			s.around = r.Excerpt
		} else if blank := strings.IndexByte(r.Excerpt[start:m.Start], ' '); blank >= 0 {
			s.around = r.Excerpt[start+blank+1:]
		}
	}
	return s
}

// shortened returns an summary with at most limit characters of text: its beginning or, if
// that lacks the match, its name and the part with it.
func (s summary) shortened(limit int) summary {
	whole := plaintext.Shorten(s.Text, limit)
	if strings.Contains(whole, s.match) {
		s.Text = whole
		return s
	}
	name := plaintext.Shorten(s.name, limit/2) + ": " + plaintext.Ellipsis
	s.Text = name + plaintext.Shorten(strings.TrimPrefix(s.around, plaintext.Ellipsis), limit-utf8.RuneCountInString(name))
	return s
}

// oneLine returns name and text on one line; a name that the text says is not repeated.
func oneLine(name, text string) string {
	name, text = plaintext.OneLine(name), plaintext.OneLine(text)
	if plaintext.Says(text, name) {
		return strings.TrimPrefix(text, plaintext.QuoteMark)
	}
	return name + ": " + text
}

// line returns an summary as a line of text, without the project if that is the caller's.
func (s summary) line(here string) string {
	project := ""
	if s.Project != "" && s.Project != here {
		project = " (" + s.Project + ")"
	}
	line := fmt.Sprintf("%s %s%s: %s [%s]", s.Date, s.Kind, project, s.Text, brain.ShortID(s.ID))
	if s.done {
		line += " (done)"
	}
	if s.meaning {
		line += " (near in meaning)"
	}
	return line
}

// A text in a list has at most longText characters and at least shortText. Between these, ten of
// them have listText together: the size of a list that an agent reads without a second thought.
const longText, shortText, listText = 300, 60, 1100

// shortened returns the summaries of a list with shorter texts.
func shortened(all []summary) []summary {
	limit := min(longText, max(shortText, listText/max(1, len(all))))
	return brain.Map(all, func(s summary) summary { return s.shortened(limit) })
}
