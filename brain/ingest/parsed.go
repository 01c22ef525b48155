package ingest

import (
	"cmp"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// Parsed is what applies to all outcomes and bullets of a file of notes.
type Parsed struct {
	Day      string // of a daily note, "" for a page
	Date     string // of the file, YYYY-MM-DD, "" for none
	Project  string // of those that name none
	Modified time.Time
	Location *time.Location
}

// TalkGroup is added to the group of the sections of a transcript whose file has memories as well.
const TalkGroup = "#talk"

// ProjectName returns the name of a project, "" if it is not a valid one.
func ProjectName(name string) string {
	if !brain.IsWord(name, brain.MaxName) {
		return ""
	}
	return name
}

// Outcome returns an outcome of the file, without an id.
func (f Parsed) Outcome(o dailynote.Outcome) NoteOutcome {
	out := NoteOutcome{
		Source: brain.Source{
			Key: brain.Hash("outcome", o.Identity), Date: o.Date, Time: o.Time, Type: o.Type, Description: o.Written,
			Title: o.Title, Importance: brain.Importance(o.Importance), Tags: brain.CleanTags(o.Tags), Body: o.Body, BodyHash: o.BodyHash, Line: o.Line,
			Project: cmp.Or(ProjectName(o.Project), f.Project),
		},
		At: o.At, Content: o.Content,
	}
	if o.TitleKey != "" {
		out.TitleKey = brain.Hash("title", o.TitleKey)
	}
	if out.At.IsZero() {
		out.At = moment.StartOfDay(o.Date, f.Location)
	}
	return out
}

// Bullet returns a bullet of the file: its text as written, then in brackets the heading above
// it, so that its words find the bullet, unless that is the title of the note. isDated is false
// if its day is only that of the last change of the file.
func (f Parsed) Bullet(b dailynote.Bullet) (out NoteOutcome, isDated bool) {
	written := f.Date
	if f.Day == "" && b.Kind != "reminder" {
		opts := dailynote.Options{Modified: f.Modified, Location: f.Location}
		first, _, _ := strings.Cut(b.Text, "\n")
		written = cmp.Or(opts.TitleDay(moment.DayIn(first)), opts.TitleDay(b.Heading), opts.TitleDay(b.Around), f.Date)
	}
	day := cmp.Or(written, f.Modified.In(f.Location).Format(time.DateOnly))
	content := b.Text
	if b.Heading != "" && !strings.HasPrefix(b.Heading, day+" - Daily Notes") {
		content += "\n\n(" + b.Heading + ")"
	}
	out = NoteOutcome{
		Source: brain.Source{
			Key: brain.Hash("bullet", b.Identity), Date: day, Type: b.Kind, Title: b.Title, Description: b.Heading,
			Importance: brain.Importance(b.Importance), Body: b.Text, BodyHash: b.Hash, Line: b.Line,
			Project: cmp.Or(ProjectName(b.Project), f.Project),
		},
		Bullet: true, At: moment.StartOfDay(day, f.Location), Content: content,
	}
	if !b.At.IsZero() {
		out.At = b.At
	}
	if b.Kind == "reminder" {
		out.Kind, out.Text, out.Ticked = brain.Reminder, b.Shown, b.Done
		if !b.Due.IsZero() {
			out.Due = b.Due.UTC()
		}
		out.Content, out.TitleKey = b.Shown, brain.Hash("reminder", words.Key(b.Shown))
	}
	return out, written != ""
}
