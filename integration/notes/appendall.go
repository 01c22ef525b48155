package notes

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// Found is an outcome that the program found somewhere, and not a person
// captured. Its id follows from what it is, so that it is the same each time
// that it is found.
type Found struct {
	ID                string // a UUID in canonical form
	At                time.Time
	Type, Title, Body string
	Tags              []string
}

// AppendAll writes what was found of a day (YYYY-MM-DD) into its note, all of
// it in one write, and takes the note in. What the note holds already, by its
// id, is left alone; added is how many it did not. path is that of the note,
// relative to the directory.
//
// The file comes first, so that an outcome is never known that no note has:
// whoever is stopped in between calls again, or syncs. Otherwise it is written
// as by Append.
func (d *Door) AppendAll(ctx context.Context, day string, found []Found) (path string, added int, err error) {
	path = day + ".md"
	if err := d.makeDir(ctx); err != nil {
		return path, 0, err
	}
	if _, err := d.Own(ctx); err != nil {
		return path, 0, err
	}
	unlock, err := d.lock(ctx)
	if err != nil {
		return path, 0, err
	}
	defer unlock()
	err = durable.WhileMoved(func() error {
		added, err = d.appendOnce(path, day, found)
		return err
	})
	if errors.Is(err, durable.ErrMoved) {
		err = brain.Errorf(brain.ErrBusy, "try again",
			"somebody else saved %s each time that it was to be written; nothing was added", path)
	}
	if err != nil {
		return path, 0, fmt.Errorf("write what was found of %s: %w", day, err)
	}
	_, err = d.Take(ctx, []string{path})
	return path, added, err
}

// appendOnce writes what the note does not hold yet.
func (d *Door) appendOnce(path, day string, found []Found) (added int, err error) {
	t, err := d.target(path)
	if err != nil {
		return 0, err
	}
	missing := d.missing(t.Text, day, found)
	if len(missing) == 0 {
		return 0, nil
	}
	text := dailynote.AppendAll(t.Text, missing)
	if int64(len(text)) > d.o.MaxFile {
		return 0, brain.Errorf(brain.ErrInvalid, "set notes.max_file higher, or move a part of the note to "+day+"-more.md",
			"%s would grow to %d bytes, more than the %d that are read", path, len(text), d.o.MaxFile)
	}
	if err := d.replace(t, text, nil); err != nil {
		return 0, err
	}
	return len(missing), nil
}

// missing are the outcomes that a note does not hold, each once, as they will
// stand in it.
func (d *Door) missing(note []byte, day string, found []Found) []dailynote.Captured {
	there := map[string]bool{}
	for _, o := range dailynote.Parse(note, dailynote.Options{Day: day, Location: d.o.Location}).Outcomes {
		there[o.ID] = true
	}
	var all []dailynote.Captured
	for _, f := range found {
		if there[f.ID] {
			continue
		}
		there[f.ID] = true
		all = append(all, dailynote.Captured{
			Date: day, Time: f.At.In(d.o.Location).Format("15:04"), Type: f.Type, Title: f.Title,
			Importance: dailynote.ImportanceOf(f.Title, f.Body), ID: f.ID, Tags: f.Tags, Body: f.Body,
		})
	}
	return all
}
