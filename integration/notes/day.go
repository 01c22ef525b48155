package notes

import (
	"context"
	"fmt"

	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/watcher"
)

// DayFiles lists the existing notes of one day, YYYY-MM-DD, relative to the
// directory.
func (d *Directory) DayFiles(ctx context.Context, day string) ([]string, error) {
	infos, _, err := d.dayFiles(ctx, func(of string) bool { return of == day })
	var files []string
	for _, info := range infos {
		files = append(files, info.Path)
	}
	return files, err
}

// Read parses the notes of one day, or of every day if that is "". It stores
// nothing.
func (d *Directory) Read(ctx context.Context, day string) (read []ingest.Note, problems []Problem, err error) {
	infos, faults, err := d.dayFiles(ctx, func(of string) bool { return day == "" || of == day })
	if err != nil {
		return nil, nil, err
	}
	for _, f := range faults {
		problems = append(problems, Problem{File: f.Path, Message: f.Message})
	}
	for _, info := range infos {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		data, bad := d.read(info)
		if bad != nil {
			problems = append(problems, *bad)
			continue
		}
		note := d.brain.Ingest.CleanNote(d.parse(info, data))
		problems = append(problems, note.State.Problems...)
		read = append(read, note)
	}
	return read, problems, nil
}

// dayFiles finds the notes of days.
func (d *Directory) dayFiles(ctx context.Context, wanted func(day string) bool) ([]watcher.FileInfo, []watcher.Problem, error) {
	infos, faults, err := watcher.Scan(ctx, watcher.Config{
		Dir:     d.o.Dir,
		Match:   func(rel string) bool { return dayOf(rel) != "" && wanted(dayOf(rel)) && d.Match(rel) },
		SkipDir: d.SkipDir,
	})
	if err != nil {
		return nil, nil, fmt.Errorf("look for the notes of a day: %w", err)
	}
	return infos, faults, nil
}
