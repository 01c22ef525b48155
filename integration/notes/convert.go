package notes

import (
	"cmp"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/watcher"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// parse returns the note in a file. p, which may be nil, tells whether the time of a page is no
// date and where it was before it moved.
func (d *Directory) parse(info watcher.FileInfo, data []byte, p *plan) ingest.Note {
	day := dayOf(info.Path)
	opts := d.options(day)
	opts.Kept = dailynote.IsOwners(path.Base(info.Path))
	opts.Modified, opts.Plain = info.ModTime, strings.HasPrefix(info.Path, transcripts+"/") || dailynote.IsForeign(info.Path)
	f := dailynote.Parse(data, opts)
	written := cmp.Or(day, f.Date, opts.TitleDay(path.Base(info.Path)))
	n := ingest.Note{File: info.Path, Page: day == "", At: moment.StartOfDay(written, d.o.Location)}
	if hasBadDate(info.Path) {
		f.Problems = append(f.Problems, dailynote.Problem{
			Message: "the day in its name is not a date, so it is only searched as text; rename it to YYYY-MM-DD, and its outcomes become memories",
		})
	}
	project := projectName(cmp.Or(f.Project, dailynote.PathProject(info.Path, d.o.Projects)))
	ids := map[string]bool{"": true}
	for _, o := range f.Outcomes {
		out := d.outcome(o)
		if ids[out.ID] {
			out.ID = "" // the first outcome of the file has it
		}
		ids[out.ID] = true
		out.Project = cmp.Or(projectName(o.Project), project)
		d.add(&n, &f, out)
	}
	for _, out := range d.bullets(info, data, f.Bullets, written, p) {
		out.Project = cmp.Or(out.Project, project)
		d.add(&n, &f, out)
	}
	for _, s := range f.Sections {
		if s.Text == "" { // a heading answers nothing
			continue
		}
		n.Sections = append(n.Sections, ingest.NoteSection{
			Section: brain.Section{
				Key: brain.Hash("section", s.Identity), Heading: s.Heading, Text: s.Text, Hash: s.Hash, Line: s.Line, Position: s.Line,
				Project: cmp.Or(projectName(s.Project), project),
			},
		})
	}
	if day := transcriptDay(info.Path); day != "" {
		n.Transcript, n.At, f.Problems = true, moment.StartOfDay(day, d.o.Location), nil
	}
	n.Transcript = n.Transcript || f.Conversation && len(f.Outcomes) == 0
	n.State = d.state(info, data, n, f.Problems)
	return n
}

// bullets returns the bullets of a file that was written on a day, "" if it does not say so.
func (d *Directory) bullets(info watcher.FileInfo, data []byte, all []dailynote.Bullet, written string, p *plan) (out []ingest.NoteOutcome) {
	if len(all) == 0 {
		return nil
	}
	opts, former, isPage := dailynote.Options{Modified: info.ModTime, Location: d.o.Location}, p.formerPath(data), dayOf(info.Path) == ""
	for _, b := range all {
		day := written
		if isPage && b.Kind != "reminder" {
			day = cmp.Or(opts.TitleDay(b.Heading), opts.TitleDay(b.Around), written)
		}
		o := d.bullet(cmp.Or(day, info.ModTime.In(d.o.Location).Format(time.DateOnly)), b)
		if isPage { // the day does not tell files apart
			if former != "" {
				o.FormerKey = brain.Hash(o.Key, former)
			}
			o.Key = brain.Hash(o.Key, info.Path)
		}
		if day == "" && p.isCopied(info.ModTime) {
			o.Date, o.Undated = "", true
		}
		o.Project = projectName(b.Project)
		out = append(out, o)
	}
	return out
}

// projectName returns the name of a project, "" if it is not a valid one.
func projectName(name string) string {
	if !brain.IsWord(name, brain.MaxName) {
		return ""
	}
	return name
}

// add adds an outcome to the note, as a section if it is not valid as a memory.
func (d *Directory) add(n *ingest.Note, f *dailynote.File, o ingest.NoteOutcome) {
	if len(o.Content) <= brain.MaxContent {
		n.Outcomes = append(n.Outcomes, o)
		return
	}
	f.Problems = append(f.Problems, dailynote.Problem{Line: o.Line, Message: fmt.Sprintf(
		"this text has %d bytes, more than the limit of %d for a memory, so it is kept as a section; split it",
		len(o.Content), brain.MaxContent)})
	n.Sections = append(n.Sections, ingest.NoteSection{
		Section: brain.Section{
			Key: o.Key, Heading: o.Title, Text: o.Body, Hash: o.BodyHash, Line: o.Line, Position: o.Line,
		},
	})
}

func (d *Directory) options(day string) dailynote.Options {
	return dailynote.Options{Day: day, Location: d.o.Location}
}

func (d *Directory) outcome(o dailynote.Outcome) ingest.NoteOutcome {
	out := ingest.NoteOutcome{
		Source: brain.Source{
			Key: brain.Hash("outcome", o.Identity), Date: o.Date, Time: o.Time, Type: o.Type, Description: o.Written,
			Title: o.Title, Importance: brain.Importance(o.Importance), Tags: brain.CleanTags(o.Tags), Body: o.Body, BodyHash: o.BodyHash, Line: o.Line,
		},
		At: o.At, Content: o.Content,
	}
	if d.brain.Base.OwnsID(o.ID) { // other IDs only identify an outcome
		out.ID = o.ID
	}
	if o.TitleKey != "" {
		out.TitleKey = brain.Hash("title", o.TitleKey)
	}
	if out.At.IsZero() {
		out.At = moment.StartOfDay(o.Date, d.o.Location)
	}
	return out
}

// bullet returns a bullet: its text as written, then in brackets the heading above it, so that
// its words find the bullet, unless that is the title of the note.
func (d *Directory) bullet(day string, b dailynote.Bullet) ingest.NoteOutcome {
	content := b.Text
	if b.Heading != "" && !strings.HasPrefix(b.Heading, day+" - Daily Notes") {
		content += "\n\n(" + b.Heading + ")"
	}
	out := ingest.NoteOutcome{
		Source: brain.Source{
			Key: brain.Hash("bullet", b.Identity), Date: day, Type: b.Kind, Title: b.Title, Description: b.Heading,
			Importance: brain.Importance(b.Importance), Body: b.Text, BodyHash: b.Hash, Line: b.Line,
		},
		Bullet: true, At: moment.StartOfDay(day, d.o.Location), Content: content,
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
	return out
}
