package app

import (
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// SourceView is a source as programs read it: without the keys by which the
// program finds it again. Its fields take the place of those of the source.
type SourceView struct {
	brain.Source
	Project *string  `json:"project"`
	Tags    []string `json:"tags"`
	IsTest  bool     `json:"isTest"`
}

func viewOfSource(s brain.Source) SourceView {
	s.TitleKey, s.Key, s.Dir = "", "", ""
	return SourceView{s, textOrNull(s.Project), append([]string{}, s.Tags...), brain.IsTest(s.ID)}
}

// SourceText returns the words of a source: its text, after its title.
func SourceText(s brain.Source) string {
	switch s.Kind {
	case brain.Crystallization:
		return s.Trigger + ": " + s.Insight
	case brain.Learning:
		return s.Concept + ": " + s.Learned
	case brain.Reminder:
		return s.Text
	case brain.Activity:
		return s.Type + ": " + s.Description
	}
	return s.Type + ": " + s.Title
}

// timeOrNull is nil for no time.
func timeOrNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// textOrNull is nil for no text.
func textOrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
