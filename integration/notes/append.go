package notes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// Append writes a captured outcome into the note of its day, which is created if it does
// not exist, and stores it. It returns the note's path, relative to the directory.
//
// If the capture cannot be stored (for example because of a relation to an unknown memory)
// or the note cannot be read or written, nothing is changed. While the store is
// unreachable, the outcome is written into the note, and its Graph is spooled; both result
// in the same memory. It is only spooled, and the path is "", if the directory was not
// claimed yet.
func (d *Directory) Append(ctx context.Context, c Capture) (out brain.Captured, path string, err error) {
	if err := d.brain.Capture.CheckReferences(ctx, c.Graph); err != nil && !brain.IsUnreachable(err) {
		return out, "", fmt.Errorf("capture the outcome: %w", err)
	}
	day := c.Graph.Source.Date
	_, err = d.append(ctx, day, c.Note)
	if brain.IsUnreachable(err) { // only the store knows whether the directory may be made or claimed
		out, err = d.brain.Capture.Capture(ctx, c.Graph)
		return out, "", err
	}
	if err != nil {
		return out, "", fmt.Errorf("capture the outcome: %w", err)
	}
	// The file has no session and relations, so the memory is captured, and a sync adds its
	// place in the note. Another process may have read the file first.
	if out, err = d.brain.Capture.Capture(ctx, c.Graph); err == nil {
		if err = d.Take(ctx, []string{dayFile(day)}); brain.IsUnreachable(err) {
			err = nil // the next sync looks again
		}
	}
	return out, dayFile(day), brain.Wrap(err, "store the outcome that is now in %s", dayFile(day))
}

// AppendAll writes outcomes into the note of a day, YYYY-MM-DD, in one write, and
// stores them. Outcomes whose ID the note has already are left out; added counts
// the others. The path of the note is relative to the directory.
//
// After an error that leaves the outcomes in the note, the next call or the next
// sync stores them.
func (d *Directory) AppendAll(ctx context.Context, day string, all []dailynote.Captured) (path string, added int, err error) {
	added, err = d.append(ctx, day, all...)
	if err != nil {
		return dayFile(day), 0, fmt.Errorf("add to the note of %s: %w", day, err)
	}
	return dayFile(day), added, d.Take(ctx, []string{dayFile(day)})
}

func dayFile(day string) string { return day + ".md" }

// append adds outcomes to the note of a day, atomically and under a lock against other
// processes. The store follows: a note must never lack an outcome that the store knows.
func (d *Directory) append(ctx context.Context, day string, all ...dailynote.Captured) (added int, err error) {
	if _, err := d.ClaimOrCreate(ctx); err != nil {
		return 0, err
	}
	busy := brain.Busy("%s kept changing while it was being written; nothing was added", dayFile(day))
	// The lock is on the owner file, which never changes.
	lock := durable.Lock{
		Path: filepath.Join(d.o.Dir, OwnerFile), Wait: lockWait, Busy: brain.Busy("another process is writing to the notes in %s", d.o.Dir),
	}
	err = lock.Do(ctx, func() error {
		return durable.RetryChanged(busy, func() (err error) {
			added, err = d.appendOnce(day, all)
			return err
		})
	})
	return added, err
}

func (d *Directory) appendOnce(day string, all []dailynote.Captured) (added int, err error) {
	path := dayFile(day)
	t, err := d.target(path)
	if err != nil {
		return 0, err
	}
	text, added := dailynote.Append(t.Text, d.options(day), all...)
	if added == 0 {
		return 0, nil
	}
	if int64(len(text)) > d.o.MaxFile {
		return 0, brain.Errorf(brain.ErrInvalid, "set notes.max_file higher, or move a part of the note to "+day+"-more.md",
			"%s would grow to %d bytes, more than the %d that are read", path, len(text), d.o.MaxFile)
	}
	err = t.Replace(text, durable.Options{KeepMode: true}, d.beforeReplace)
	if errors.Is(err, durable.ErrUnsynced) {
		d.warn("%v", err)
		err = nil
	}
	return added, err
}

const lockWait = 30 * time.Second

// target reads the note that is appended to, unless a sync would skip it.
func (d *Directory) target(path string) (durable.Snapshot, error) {
	full := filepath.Join(d.o.Dir, path)
	t, err := durable.ReadSnapshot(full)
	bad := d.checkText(path, t.Text)
	if err != nil {
		bad = unreadable(path, err)
	}
	if bad != nil {
		return t, brain.Errorf(brain.ErrInvalid, "repair the file, then capture again", "today's note %s %s", path, bad.Message)
	}
	root, err := filepath.EvalSymlinks(d.o.Dir)
	if err != nil {
		return t, fmt.Errorf("find the notes directory: %w", err)
	}
	if t.Target != full && !strings.HasPrefix(t.Target, root+string(filepath.Separator)) {
		return t, brain.Errorf(brain.ErrInvalid, "move the file into the directory", "%s is a link out of the notes directory", path)
	}
	return t, nil
}

// Capture is an outcome that is to be written into the note of its day, with the ids that
// it will have. Graph is the capture that is spooled while the store is unreachable.
type Capture struct {
	Note  dailynote.Captured
	Graph brain.Capture
}

// NewCapture makes an outcome of now. Nothing is written yet. The body may be
// empty; an importance that is not given follows from the words.
func (d *Directory) NewCapture(kind, title, body string, det brain.Details) (Capture, error) {
	kind = strings.ToLower(strings.TrimSpace(kind))
	if err := checkType(kind); err != nil {
		return Capture{}, err
	}
	if err := brain.CheckText("the title", title); err != nil {
		return Capture{}, err
	}
	if strings.TrimSpace(body) == "" {
		body = ""
	}
	det.Importance = cmp.Or(det.Importance, brain.Importance(dailynote.ImportanceOf(title, body)))
	c, err := d.brain.Capture.NewMemory(brain.Memory{Name: title, Content: cmp.Or(body, title), MemoryType: kind}, det)
	if err != nil {
		return Capture{}, err
	}
	m := c.Memory
	note := dailynote.Captured{
		ID: d.brain.Base.NewID(), At: c.At, Type: m.MemoryType, Title: d.brain.Base.WithoutSecrets(title),
		Importance: string(m.Importance), Tags: m.Tags,
		Project: m.Project, Body: d.brain.Base.WithoutSecrets(body),
	}
	opts := d.options(c.At.In(d.o.Location).Format(time.DateOnly))
	text, _ := dailynote.Append(nil, opts, note)
	o := ingest.Parsed{Location: d.o.Location}.Outcome(dailynote.Parse(text, opts).Outcomes[0])
	m.ID = brain.OutcomeMemoryID(note.ID)
	m.SourceNodeID = note.ID
	m.Name, m.MemoryType, m.Content, m.Tags = o.Title, o.Type, o.Content, o.Tags
	m.Complete()
	c.Source = &brain.Source{
		ID: note.ID, Kind: brain.Outcome, Created: c.At, Project: m.Project, Tags: o.Tags,
		Type: o.Type, Date: o.Date, Time: o.Time, Title: o.Title, TitleKey: o.TitleKey,
		Importance: o.Importance, Body: o.Body, BodyHash: o.BodyHash, Key: o.Key,
	}
	return Capture{Note: note, Graph: c}, nil
}

// checkType refuses a word that the header of an outcome cannot hold.
func checkType(kind string) error {
	if regexp.MustCompile(`^[a-z][a-z0-9_-]*$`).MatchString(kind) {
		return nil
	}
	return brain.Errorf(brain.ErrInvalid, "use a word such as decision, implementation, discovery, issue, resolution or lesson",
		"%.40q cannot be the type of an outcome", kind)
}
