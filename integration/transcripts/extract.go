package transcripts

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// run is one request at work.
type run struct {
	*Extractor
	req      Request
	today    string
	files    scanned
	days     map[string]dayFiles
	progress Progress
}

// Extract brings days of transcripts into the notes. What went wrong with a
// transcript, a chunk or a page is in the report, and the rest is done; an
// error ends the run, and the next one goes on where it ended.
//
// [brain.ErrBusy] is another process at it, or a notes directory that belongs
// to another brain.
func (x *Extractor) Extract(ctx context.Context, req Request) (Report, error) {
	if err := x.o.Notes.Check(ctx); err != nil {
		return Report{}, err
	}
	if !req.DryRun {
		unlock, err := x.lock(ctx, 0)
		if err != nil {
			return Report{}, err
		}
		defer unlock()
	}
	r := &run{Extractor: x, req: req, today: transcript.Day(x.brain.Base.Now(), x.o.Location)}
	files, early, err := r.scan(ctx)
	defer early.close()
	report := Report{Files: files.found, Problems: files.problems}
	if err != nil {
		return report, fmt.Errorf("look for new lines in the transcripts: %w", err)
	}
	r.files, r.days = files, daysOf(files.states)
	report.Days, err = r.extractDays(ctx, early)
	report.Problems = sortProblems(append(report.Problems, r.otherProblems(report.Days)...))
	report.tellOnce()
	return report, err
}

// extractDays extracts the chosen days, one after the other.
func (r *run) extractDays(ctx context.Context, early *collector) ([]Day, error) {
	known, err := loadStates[dayState](ctx, r.Extractor, brain.TranscriptDayRecord, r.req.Day)
	if err != nil {
		return nil, err
	}
	var all []Day
	for _, day := range r.chosen(known) {
		report, err := r.extractDay(ctx, day, known[day], early)
		if err != nil {
			return all, fmt.Errorf("extract %s: %w", day, err)
		}
		all = append(all, report)
	}
	return all, nil
}

// chosen returns the days to extract: the one that was asked for, or all that
// are over and not done.
func (r *run) chosen(known map[string]dayState) []string {
	if r.req.Day != "" {
		return []string{r.req.Day}
	}
	var days []string
	for _, day := range slices.Sorted(maps.Keys(r.days)) {
		if day > r.today || day == r.today && !r.req.SoFar || len(r.days[day].inputs) == 0 {
			continue
		}
		s := known[day]
		if s.Digest != r.days[day].digest() || !s.Report.Done && (day < r.today || !s.Clean) {
			days = append(days, day)
		}
	}
	return days
}

// current reports whether nothing changed since a day was extracted.
func (r *run) current(day string, s dayState) bool {
	if !s.Clean || s.Digest != r.days[day].digest() {
		return false
	}
	if r.req.Day == "" {
		return true
	}
	_, err := os.Stat(r.path(relative(day)))
	return s.Method == r.method() && !errors.Is(err, fs.ErrNotExist)
}

func newDay(date string) Day {
	return Day{Date: date, Types: map[string]int{}, Uncovered: []string{}, Problems: []Problem{}}
}

// extractDay extracts a day, if there is something to do.
func (r *run) extractDay(ctx context.Context, day string, known dayState, early *collector) (Day, error) {
	over := day < r.today
	files := r.days[day]
	if len(files.inputs) > 0 && !r.current(day, known) {
		return r.workOn(ctx, day, early)
	}
	report := known.Report
	switch {
	case len(files.inputs) > 0 && report.Done != over:
		report.Done = over
		known.Report = report
		if err := r.put(ctx, stateRecord{brain.TranscriptDayRecord, day, known}); err != nil {
			return report, err
		}
	case len(files.inputs) == 0 && len(files.lost) > 0 && report.Date == day:
		report.Problems = sortProblems(r.lostProblems(day))
	case len(files.inputs) == 0:
		report = newDay(day)
		report.Done = over
		return report, nil
	}
	report.Done, report.Added, report.Unchanged = over, 0, true
	return report, nil
}

// workOn extracts a day: transcript first, then items, and at the very end the
// record that it is done.
func (r *run) workOn(ctx context.Context, day string, early *collector) (Day, error) {
	report := newDay(day)
	report.Files = len(r.days[day].inputs)
	g, err := r.gather(ctx, day, early)
	defer g.close()
	if err != nil {
		return report, err
	}
	if !r.req.DryRun {
		if err := r.o.Notes.Own(ctx); err != nil {
			return report, err
		}
	}
	h := headings{zone: r.o.Location}
	kept, err := r.writeTranscript(ctx, day, g, h)
	if err != nil {
		return report, err
	}
	report.Problems = append(report.Problems, g.problems...)
	if kept {
		report.Problems = append(report.Problems, r.lostProblems(day)...)
	}
	x, err := r.readChunks(ctx, day, g.collector, h)
	if err != nil {
		return report, err
	}
	r.setProjects(x.items, g.folders())
	r.describe(&report, g, x)
	written, err := r.writeItems(ctx, day, x.items, &report)
	if err == nil {
		err = r.takeTranscript(ctx, day)
	}
	if err != nil {
		return report, err
	}
	clean := report.Failures == 0 && report.Unasked == 0 && written && !g.changed
	report.Done = clean && day < r.today
	report.Problems = sortProblems(append(report.Problems, r.fileProblems(day)...))
	state := dayState{Digest: r.days[day].digest(), Method: x.cover.Method, Clean: clean, Report: report}
	return report, r.put(ctx, stateRecord{brain.TranscriptDayRecord, day, state}, stateRecord{brain.TranscriptCoverageRecord, day, x.cover})
}

// takeAtOnce is the size of the largest transcript that is ingested at once.
// That holds it in memory whole, with its sections; a larger one waits for the
// next sync, so that extracting stays small whatever was said.
const takeAtOnce = 1 << 20

// takeTranscript ingests the cleaned transcript, so that it is found.
func (r *run) takeTranscript(ctx context.Context, day string) error {
	if r.req.DryRun {
		return nil
	}
	info, err := os.Stat(r.path(relative(day)))
	if err != nil || info.Size() > takeAtOnce {
		return err
	}
	return r.o.Notes.Take(ctx, []string{relative(day)})
}

// describe fills the report with what was found.
func (r *run) describe(report *Day, g gathered, x *extraction) {
	report.Messages, report.Redacted = g.messages(), g.redacted
	report.Transcript = r.path(relative(report.Date))
	report.Chunks, report.Items = len(x.cover.Chunks), len(x.items)
	report.Partial = x.stop
	if uncovered := x.day.Coverage().Uncovered; uncovered != nil {
		report.Uncovered = uncovered
	}
	for _, i := range x.items {
		report.Types[string(i.Kind)]++
	}
	for _, c := range x.cover.Chunks {
		switch c.State {
		case chunkNothing:
			report.Nothings++
		case chunkUnasked:
			report.Unasked++
		case chunkWaiting:
			report.Failures++
			report.Waiting++
		case chunkFailure:
			report.Failures++
			report.Problems = append(report.Problems, Problem{File: report.Transcript, Message: c.Error})
		}
	}
	if g.changed {
		report.Problems = append(report.Problems, Problem{
			File: report.Transcript, Message: "a transcript was rewritten while it was read; the next run takes the day up again",
		})
	}
}

// writeItems brings items into the note and the pages. It returns false if the
// note has to be corrected first: that keeps no other day waiting.
func (r *run) writeItems(ctx context.Context, day string, items []storedItem, report *Day) (written bool, err error) {
	all := toOutcomes(day, items, r.o.Location)
	if len(all) == 0 {
		return true, nil
	}
	fresh, duplicates, err := r.newItems(ctx, all)
	if err != nil {
		return false, err
	}
	report.Duplicates, report.Note = duplicates+len(items)-len(all), r.path(day+".md")
	if r.req.DryRun {
		report.Added = len(fresh)
		return true, nil
	}
	// The pages first: the note is what says that an item was written.
	if err := r.writePages(ctx, day, fresh, report); err != nil {
		return false, err
	}
	report.Added, err = r.append(ctx, day, fresh)
	if errors.Is(err, brain.ErrInvalid) {
		report.Problems = append(report.Problems, Problem{File: report.Note, Message: err.Error()})
		return false, nil
	}
	return true, err
}

// append writes items into the note of their day.
func (x *Extractor) append(ctx context.Context, day string, items []itemOutcome) (added int, err error) {
	if len(items) == 0 {
		return 0, nil
	}
	list := make([]dailynote.Captured, 0, len(items))
	for _, f := range items {
		list = append(list, f.outcome)
	}
	_, added, err = x.o.Notes.AppendAll(ctx, day, list)
	return added, err
}
