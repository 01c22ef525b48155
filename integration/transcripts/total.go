package transcripts

import (
	"errors"
	"fmt"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// Total has the sums over the days of a report. Without a date the numbers are those of
// all days together, and date, transcript and note those of the last one.
type Total struct {
	Day
	// These take the place of those of the day.
	Date       brain.OrNull `json:"date"`
	Transcript brain.OrNull `json:"transcript"`
	Note       brain.OrNull `json:"note"`
	Partial    brain.OrNull `json:"partial"`

	Days []Day `json:"days"`
}

// Total returns the sums of a report, for one day or without a date for all.
func (r Report) Total(day string) Total {
	t := Total{Date: brain.OrNull(day), Days: append([]Day{}, r.Days...), Day: Day{
		Files: r.Files, Types: map[string]int{}, Uncovered: []string{}, Problems: append([]Problem{}, r.Problems...), Done: true,
	}}
	for _, d := range r.Days {
		t.Date, t.Transcript, t.Note, t.Partial = brain.OrNull(d.Date), brain.OrNull(d.Transcript), brain.OrNull(d.Note), brain.OrNull(d.Partial)
		t.add(d)
		if day != "" {
			t.Files = d.Files
		}
	}
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
	d.Asked += o.Asked
	d.Redacted += o.Redacted
	d.Uncovered = append(d.Uncovered, o.Uncovered...)
	d.Problems = append(d.Problems, o.Problems...)
	d.Done = d.Done && o.Done
}

// Failed returns an error that names the days with failed chunks.
func (r Report) Failed() error {
	var errs []error
	for _, day := range r.Days {
		if day.Failures == 0 {
			continue
		}
		err := fmt.Errorf("%s is not done: %d of %d chunks failed", day.Date, day.Failures, day.Chunks)
		if day.Partial != "" {
			err = fmt.Errorf("%w: %s", err, day.Partial)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
