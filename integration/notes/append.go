package notes

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/renameio/v2"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// Capture is an outcome to be written into the note of its day.
type Capture struct {
	SourceID   string // its ID field
	MemoryID   string
	Type       string
	Title      string
	Body       string // may be empty
	Tags       []string
	Importance brain.Importance
	At         time.Time
}

// NewCapture makes an outcome with its ids, before anything is written. An
// empty importance follows from the words of the text.
func (d *Door) NewCapture(kind, title, body string, tags []string, importance brain.Importance) (Capture, error) {
	kind = strings.ToLower(strings.TrimSpace(kind))
	if !regexp.MustCompile(`^[a-z][a-z0-9_-]*$`).MatchString(kind) {
		return Capture{}, brain.Errorf(brain.ErrInvalid, "use a word such as decision, implementation, discovery, issue, resolution or lesson",
			"%.40q is no type of an outcome", kind)
	}
	if err := brain.CheckText("the title", title); err != nil {
		return Capture{}, err
	}
	if body != "" {
		if err := brain.CheckText("the body", body); err != nil {
			return Capture{}, err
		}
	}
	if importance == "" {
		importance = brain.Importance(dailynote.ImportanceOf(title, body))
	}
	id := brain.NewID(false)
	return Capture{
		SourceID: id, MemoryID: brain.OutcomeMemoryID(id, false), Type: kind, Title: title, Body: body,
		Tags: brain.CleanTags(tags), Importance: importance, At: brain.Instant(d.o.Now()),
	}, nil
}

// appendPatience is how often and how long an append waits for another
// process that is writing to the same notes.
const appendPatience = 20 * time.Millisecond

// Write appends a captured outcome to the note of its day, which is made if
// there is none, and returns the file. What the note held stays byte for byte;
// a reader sees the note before or after, never in between.
func (d *Door) Write(ctx context.Context, c Capture) (string, error) {
	if _, err := d.Own(ctx); err != nil {
		return "", err
	}
	lock := flock.New(filepath.Join(d.o.Dir, ".brainbridge.lock"))
	if _, err := lock.TryLockContext(ctx, appendPatience); err != nil {
		return "", fmt.Errorf("lock the notes: %w", err)
	}
	defer lock.Close() //nolint:errcheck // closing is what releases it
	rel := d.today(c.At)
	file, err := filepath.EvalSymlinks(d.path(rel))
	if errors.Is(err, fs.ErrNotExist) {
		file, err = d.path(rel), nil
	}
	if err != nil {
		return "", fmt.Errorf("find the note %s: %w", rel, err)
	}
	old, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read the note %s: %w", rel, err)
	}
	if err := replace(file, dailynote.Append(old, c.entry(d.o.Location))); err != nil {
		return "", fmt.Errorf("write the note %s: %w", rel, err)
	}
	return rel, nil
}

func (c Capture) entry(loc *time.Location) dailynote.Captured {
	at := c.At.In(loc)
	return dailynote.Captured{
		Date: at.Format(time.DateOnly), Time: at.Format("15:04"), Type: c.Type, Title: c.Title,
		Importance: string(c.Importance), ID: c.SourceID, Source: "brainbridge", Tags: c.Tags, Body: c.Body,
	}
}

// replace writes a file whole: temp file, fsync, rename, fsync of the folder.
func replace(file string, data []byte) error {
	if err := renameio.WriteFile(file, data, 0o644); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(file))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
