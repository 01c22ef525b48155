package notes

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/moment"
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
	from := ingest.Parsed{
		Day: day, Date: written, Modified: info.ModTime, Location: d.o.Location,
		Project: ingest.ProjectName(cmp.Or(f.Project, dailynote.PathProject(info.Path, d.o.Projects))),
	}
	ids := map[string]bool{}
	for _, o := range f.Outcomes {
		out := from.Outcome(o)
		if d.brain.Base.OwnsID(o.ID) && !ids[o.ID] { // other IDs only identify an outcome
			out.ID, ids[o.ID] = o.ID, true
		}
		d.add(&n, &f, out)
	}
	if len(f.Bullets) > 0 {
		former := p.formerPath(data)
		for _, b := range f.Bullets {
			d.add(&n, &f, bullet(info, from, b, former, p))
		}
	}
	for _, s := range f.Sections {
		if s.Text == "" { // a heading answers nothing
			continue
		}
		n.Sections = append(n.Sections, ingest.NoteSection{
			Section: brain.Section{
				Key: brain.Hash("section", s.Identity), Heading: s.Heading, Text: s.Text, Hash: s.Hash, Line: s.Line, Position: s.Line,
				Project: cmp.Or(ingest.ProjectName(s.Project), from.Project),
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

// bullet returns a bullet of a file. former is the path of the file before it moved.
func bullet(info watcher.FileInfo, from ingest.Parsed, b dailynote.Bullet, former string, p *plan) ingest.NoteOutcome {
	o, isDated := from.Bullet(b)
	if from.Day == "" { // the day does not tell files apart
		if former != "" {
			o.FormerKey = brain.Hash(o.Key, former)
		}
		o.Key = brain.Hash(o.Key, info.Path)
	}
	if !isDated && p.isCopied(info.ModTime) {
		o.Date, o.Undated = "", true
	}
	return o
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
