package transcripts

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// Problem is something that a person may want to check.
type Problem = brain.Problem

// Day is the report of one day.
type Day struct {
	Date     string `json:"date"`
	Files    int    `json:"files"`    // that have messages of the day
	Messages int    `json:"messages"` // of the person and the assistant, copies not counted
	// Chunks = those with items + Nothings + Failures + Unasked.
	Chunks    int            `json:"chunks"`
	Items     int            `json:"items"` // = Added + Duplicates, once the note could be written
	Types     map[string]int `json:"types"` // items by type
	Nothings  int            `json:"nothings"`
	Failures  int            `json:"failures"`          // Waiting ones too
	Waiting   int            `json:"-"`                 // of Failures: chunks that were not sent because the model was stopped
	Unasked   int            `json:"unasked,omitempty"` // chunks that a dry run did not process, because it does not ask a model
	Uncovered []string       `json:"uncovered"`         // topics that no item mentions
	Problems  []Problem      `json:"problems"`
	// Transcript and Note are absolute paths, "" where there is none.
	Transcript string `json:"transcript"`
	Note       string `json:"note"`
	Added      int    `json:"added"`      // outcomes that this run wrote into the note
	Duplicates int    `json:"duplicates"` // items that are known already
	Redacted   int    `json:"redacted"`   // redacted secrets
	// Done says that the day is over and nothing of it is left to do.
	Done bool `json:"done"`
	// Partial says why the model was not asked to the end, "" if it was.
	Partial string `json:"partial,omitempty"`
	// Unchanged: there was nothing to do; this is the stored report.
	Unchanged bool `json:"unchanged,omitempty"`
}

// Report has the days of a run and the sums over them. Date, transcript, note and partial are
// those of the last day.
type Report struct {
	Day
	// These take the place of those of the day.
	Date       brain.OrNull `json:"date"`
	Transcript brain.OrNull `json:"transcript"`
	Note       brain.OrNull `json:"note"`
	Partial    brain.OrNull `json:"partial"`

	Unknown int   `json:"unknown"` // lines of the files of types that are not known
	Days    []Day `json:"days"`
}

func (r *run) report(days []Day) Report {
	t := Report{Date: brain.OrNull(r.req.Day), Days: append([]Day{}, days...), Day: Day{
		Files: r.found, Types: map[string]int{}, Uncovered: []string{}, Problems: append([]Problem{}, r.problems...), Done: true,
	}}
	paths := r.changed
	for _, d := range days {
		t.Date, t.Transcript, t.Note, t.Partial = brain.OrNull(d.Date), brain.OrNull(d.Transcript), brain.OrNull(d.Note), brain.OrNull(d.Partial)
		t.add(d)
		if r.req.Day != "" {
			t.Files = d.Files
		}
		for _, in := range r.days[d.Date] {
			paths = append(paths, in.path)
		}
	}
	var ofFiles []Problem
	for _, path := range brain.Unique(paths) {
		ofFiles = append(ofFiles, r.files[path].Problems...)
		t.Unknown += r.files[path].Unknown
	}
	brain.SortProblems(ofFiles)
	t.Problems = append(t.Problems, slices.Compact(ofFiles)...)
	slices.Sort(t.Uncovered)
	t.Uncovered = slices.Compact(t.Uncovered)
	return t
}

func (d *Day) add(o Day) {
	d.Messages += o.Messages
	d.Chunks += o.Chunks
	d.Items += o.Items
	for kind, n := range o.Types {
		d.Types[kind] += n
	}
	d.Nothings += o.Nothings
	d.Failures += o.Failures
	d.Unasked += o.Unasked
	d.Added += o.Added
	d.Duplicates += o.Duplicates
	d.Redacted += o.Redacted
	d.Uncovered = append(d.Uncovered, o.Uncovered...)
	d.Problems = append(d.Problems, o.Problems...)
	d.Done = d.Done && o.Done
}

// Failed returns an error that names the days with failed chunks.
func (r Report) Failed() error {
	var errs []error
	for _, day := range r.Days {
		if day.Failures > 0 {
			text := fmt.Sprintf("%s is not done: %d of %d chunks failed: %s", day.Date, day.Failures, day.Chunks, day.Partial)
			errs = append(errs, errors.New(strings.TrimSuffix(text, ": ")))
		}
	}
	return errors.Join(errs...)
}
