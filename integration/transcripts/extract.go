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
	req       Request
	today     string
	collected *collector // of collectedDay

	states   map[string]*fileState // of transcripts by path, including removed files
	read     map[string]bool       // paths of the files that had changed
	found    int                   // transcripts
	problems []Problem             // of files that could not be read
	days     map[string]dayFiles
}

// collectedDay returns the day whose messages scan collects on its way, "" for none.
func (r *run) collectedDay() string {
	if r.req.Day == "" && r.req.SoFar {
		return r.today
	}
	return r.req.Day
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
	collected, err := newCollector(x.o.Location)
	if err != nil {
		return Report{}, err
	}
	defer collected.close()
	if req.Progress == nil {
		req.Progress = func(string, int, int) {}
	}
	r := &run{Extractor: x, req: req, today: x.dayOf(x.brain.Base.Now()), collected: collected, read: map[string]bool{}}
	if err := r.scan(ctx); err != nil {
		return r.report(nil), fmt.Errorf("look for new lines in the transcripts: %w", err)
	}
	r.days = daysOf(r.states)
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
		if current {
			all = append(all, r.unchanged(day, known[day].Report))
			continue
		}
		report, err := r.extractDay(ctx, day)
		if err != nil {
			return all, fmt.Errorf("extract %s: %w", day, err)
		}
		all = append(all, report)
	}
	return all, nil
}

// current reports whether the files of a day, if any still exist, are as they were extracted.
func (r *run) current(day string, s dayState) bool {
	if len(r.days[day].inputs) == 0 {
		return true
	}
	_, err := os.Stat(r.path(relative(day)))
	written := s.Method == r.method() && !errors.Is(err, fs.ErrNotExist)
	return s.Clean && s.Digest == r.days[day].digest() && (r.req.Day == "" || written)
}

// unchanged returns the stored report of a day that is as it was extracted.
func (r *run) unchanged(day string, report Day) Day {
	if report.Date == "" {
		report = r.newDay(day)
	}
	report.Unchanged, report.Duplicates, report.Added = report.Files > 0, report.Duplicates+report.Added, 0
	if len(r.days[day].inputs) == 0 {
		report.Problems = r.lostProblems(day)
	}
	report.Done = day < r.today
	return report
}

func (r *run) newDay(day string) Day {
	return Day{Date: day, Files: len(r.days[day].inputs), Types: map[string]int{}, Uncovered: []string{}, Problems: []Problem{}}
}

// extractDay writes the transcript of a day, then its items, and at the end that it is done.
func (r *run) extractDay(ctx context.Context, day string) (Day, error) {
	report := r.newDay(day)
	c := r.collected
	if day != r.collectedDay() {
		var err error
		if c, err = newCollector(r.o.Location); err != nil {
			return report, err
		}
		defer c.close()
	}
	if err := r.gather(ctx, day, c); err != nil {
		return report, err
	}
	if !r.req.DryRun {
		if _, err := r.o.Notes.ClaimOrCreate(ctx); err != nil {
			return report, err
		}
	}
	kept, err := r.writeTranscript(ctx, day, c)
	if err != nil {
		return report, err
	}
	report.Messages, report.Redacted, report.Transcript = c.messages, c.redacted, r.path(relative(day))
	report.Problems = append(report.Problems, c.problems...)
	if kept {
		report.Problems = append(report.Problems, r.lostProblems(day)...)
	}
	items, err := r.findItems(ctx, c, &report)
	if err != nil {
		return report, err
	}
	projects := map[string]string{}
	for _, s := range c.sessions {
		projects[s.id] = r.o.Project(s.folder, s.repository)
	}
	written, err := r.writeItems(ctx, items, projects, &report)
	if err == nil {
		err = r.ingestTranscript(ctx, day)
	}
	if err != nil {
		return report, err
	}
	clean := report.Failures == 0 && report.Unasked == 0 && written
	report.Done = clean && day < r.today
	state := dayState{Digest: r.days[day].digest(), Method: r.method(), Clean: clean, Report: report}
	return report, putStates(ctx, r.Extractor, brain.TranscriptDayRecord, map[string]dayState{day: state})
}

// lostProblems names the files that said something else of a day before.
func (r *run) lostProblems(day string) []Problem {
	const message = "was rewritten or cut short; what the cleaned transcript has of messages that are no longer in it stays"
	return brain.Map(r.days[day].lost, func(path string) Problem { return Problem{File: path, Message: message} })
}

// maxIngested is the size of the largest transcript that is ingested at once, in memory; a
// larger one waits for the next sync.
const maxIngested = 1 << 20

// ingestTranscript ingests the cleaned transcript, so that it is found.
func (r *run) ingestTranscript(ctx context.Context, day string) error {
	if r.req.DryRun {
		return nil
	}
	info, err := os.Stat(r.path(relative(day)))
	if err != nil || info.Size() > maxIngested {
		return err
	}
	return r.o.Notes.Take(ctx, []string{relative(day)})
}

// writeItems writes items into note and pages, or returns false if the note must be corrected.
func (r *run) writeItems(ctx context.Context, items []extract.Item, projects map[string]string, report *Day) (written bool, err error) {
	if len(items) == 0 {
		return true, nil
	}
	fresh, err := r.newItems(ctx, report.Date, items, projects)
	if err != nil {
		return false, err
	}
	report.Duplicates, report.Note = len(items)-len(fresh), r.path(report.Date+".md")
	if r.req.DryRun {
		report.Added = len(fresh)
		return true, nil
	}
	// The pages first: the note is what says that an item was written.
	if err := r.writePages(ctx, fresh, report); err != nil {
		return false, err
	}
	report.Added, err = r.append(ctx, report.Date, fresh, projects)
	report.Duplicates += len(fresh) - report.Added
	if errors.Is(err, brain.ErrInvalid) {
		report.Problems = append(report.Problems, Problem{File: report.Note, Message: err.Error()})
		return false, nil
	}
	return true, err
}
