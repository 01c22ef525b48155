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
	"github.com/brainbridge/brainbridge/brain/extract"
)

type run struct {
	*Extractor
	req   Request
	today string

	files    map[string]fileState // by path, including removed ones
	changed  []string             // paths of the files that were read
	found    int                  // files
	problems []Problem            // of files that could not be read
	days     map[string][]input
}

// Extract brings days of transcripts into the notes. Problems with a transcript, a chunk or
// a page are in the report and do not stop the run. An error ends the run, and the next one
// continues from there.
//
// [brain.ErrBusy] is another process at it, or a notes directory that belongs
// to another brain.
func (x *Extractor) Extract(ctx context.Context, req Request) (Report, error) {
	if _, err := x.o.Notes.OwnerID(ctx); err != nil {
		return Report{}, err
	}
	if !req.DryRun {
		unlock, err := x.lock(ctx, 0)
		if err != nil {
			return Report{}, err
		}
		defer unlock()
	}
	if req.Progress == nil {
		req.Progress = func(string, int, int) {}
	}
	r := &run{Extractor: x, req: req, today: x.dayOf(x.brain.Base.Now())}
	if err := r.scan(ctx); err != nil {
		return r.report(nil), fmt.Errorf("look for new lines in the transcripts: %w", err)
	}
	r.days = daysOf(r.files)
	days, err := r.extractDays(ctx)
	return r.report(days), err
}

// extractDays extracts the day that was asked for, or all that are over and not done.
func (r *run) extractDays(ctx context.Context) (all []Day, err error) {
	days := slices.Sorted(maps.Keys(r.days))
	if r.req.Day != "" {
		days = []string{r.req.Day}
	}
	known, err := loadStates[dayState](ctx, r.Extractor, brain.TranscriptDayRecord, days...)
	if err != nil {
		return nil, err
	}
	for _, day := range days {
		current := r.current(day, known[day])
		if r.req.Day == "" && (day > r.today || day == r.today && !r.req.SoFar || current) {
			continue
		}
		report := r.unchanged(day, known[day].Report)
		if !current {
			if report, err = r.extractDay(ctx, day, known[day].Settings); err != nil {
				return all, fmt.Errorf("extract %s: %w", day, err)
			}
		}
		all = append(all, report)
	}
	return all, nil
}

// current reports whether the messages of a day, if any file still has some, are as they were
// extracted.
func (r *run) current(day string, s dayState) bool {
	if len(r.days[day]) == 0 {
		return true
	}
	_, err := os.Stat(r.path(relative(day)))
	written := s.Method == r.method() && !errors.Is(err, fs.ErrNotExist)
	return s.Clean && s.Digest == digest(r.days[day]) && (r.req.Day == "" || written)
}

// unchanged returns the stored report of a day that is as it was extracted.
func (r *run) unchanged(day string, report Day) Day {
	if report.Date == "" {
		report = r.newDay(day)
	}
	report.Unchanged, report.Duplicates, report.Added = report.Files > 0, report.Duplicates+report.Added, 0
	if report.Unchanged && len(r.days[day]) == 0 {
		report.Problems = []Problem{{File: report.Transcript, Message: "stays as it is: no session file has messages of the day any more"}}
	}
	report.Done = day < r.today
	return report
}

func (r *run) newDay(day string) Day {
	return Day{Date: day, Files: len(r.days[day]), Types: map[string]int{}, Uncovered: []string{}, Problems: []Problem{}}
}

// extractDay writes the transcript of a day, then its items, and at the end that it is done.
// before are the settings of its last extraction.
func (r *run) extractDay(ctx context.Context, day, before string) (Day, error) {
	report := r.newDay(day)
	c, err := newCollector(r.o.Location)
	if err != nil {
		return report, err
	}
	defer c.close()
	if err := r.gather(ctx, c, &report); err != nil {
		return report, err
	}
	report.Messages, report.Redacted, report.Transcript = c.messages, c.redacted, r.path(relative(day))
	if !r.req.DryRun {
		// With other settings, other lines need not mean that words were lost.
		if err := r.writeTranscript(ctx, c, &report, before == r.settings() || len(report.Problems) > 0); err != nil {
			return report, err
		}
	}
	items, err := r.findItems(ctx, c, &report)
	if err != nil {
		return report, err
	}
	written, err := r.writeItems(ctx, items, c, &report)
	if err != nil {
		return report, err
	}
	if info, err := os.Stat(report.Transcript); !r.req.DryRun && err == nil && info.Size() <= maxIngested {
		if err := r.o.Notes.Take(ctx, []string{relative(day)}); err != nil { // so that it is found
			return report, err
		}
	}
	clean := report.Failures+report.Unasked == 0 && written
	report.Done = clean && day < r.today
	state := dayState{Digest: digest(r.days[day]), Settings: r.settings(), Method: r.method(), Clean: clean, Report: report}
	return report, putStates(ctx, r.Extractor, brain.TranscriptDayRecord, map[string]dayState{day: state})
}

// maxIngested is the size of the largest transcript that is ingested at once, in memory; a
// larger one waits for the next sync.
const maxIngested = 1 << 20

// writeItems writes items into note and pages, or returns false if the note must be corrected.
func (r *run) writeItems(ctx context.Context, items []extract.Item, c *collector, report *Day) (written bool, err error) {
	if len(items) == 0 {
		return true, nil
	}
	projects := map[string]string{}
	for _, s := range c.sessions {
		projects[s.id] = r.o.Project(s.folder, s.repository)
	}
	fresh, err := r.newItems(ctx, items, projects)
	if err != nil {
		return false, err
	}
	report.Added, report.Duplicates, report.Note = len(fresh), len(items)-len(fresh), r.path(report.Date+".md")
	if r.req.DryRun {
		return true, nil
	}
	// The pages first: the note is what says that an item was written.
	if err := r.writePages(ctx, fresh, report); err != nil {
		return false, err
	}
	report.Added, err = r.append(ctx, fresh)
	report.Duplicates = len(items) - report.Added
	if errors.Is(err, brain.ErrInvalid) {
		report.Problems = append(report.Problems, Problem{File: report.Note, Message: err.Error()})
		return false, nil
	}
	return true, err
}
