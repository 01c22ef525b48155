package transcripts

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/brain/redact"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// captured returns an item as an outcome of its note.
func captured(day string, i extract.Item, project string, zone *time.Location) dailynote.Captured {
	title, _ := redact.Text(i.Title) // a model may have assembled a secret from fragments
	origin := "Said by the " + string(i.Speaker)
	if i.Speaker == extract.Note {
		origin = "Written"
	}
	body := fmt.Sprintf("%s\n\n%s at %s in session %s: %s", quoted(i), origin, i.At.In(zone).Format("15:04"), shortName(i.Session), location(day, i))
	return dailynote.Captured{
		// Reading a day again yields the same ids.
		ID: brain.UUIDOf(strings.Join([]string{"item of a transcript", day, project, string(i.Kind), i.Quote}, "\x00")),
		At: i.At, Type: string(i.Kind), Title: cmp.Or(title, extract.Title(i.Quote)), Body: body,
		Tags: []string{dailynote.Extracted}, Project: project, Compact: true,
	}
}

// quoted returns the quote of an item as its note has it, which is the content of its memory.
func quoted(i extract.Item) string {
	return "> " + strings.NewReplacer("\r\n", "\n> ", "\n", "\n> ").Replace(i.Quote)
}

// location returns the file that an item was written in, or its place in the cleaned transcript.
func location(day string, i extract.Item) string {
	switch {
	case i.Speaker == extract.Note:
		return i.Place
	case i.Place != "":
		return relative(day) + "#" + i.Place
	}
	return relative(day)
}

func (x *Extractor) append(ctx context.Context, day string, items []extract.Item, projects map[string]string) (added int, err error) {
	if len(items) == 0 {
		return 0, nil
	}
	list := brain.Map(items, func(i extract.Item) dailynote.Captured { return captured(day, i, projects[i.Session], x.o.Location) })
	_, added, err = x.o.Notes.AppendAll(ctx, day, list)
	return added, err
}
