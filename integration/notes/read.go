package notes

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/watcher"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// read reads and parses one file; false if it is not there any more. A file
// that cannot be read comes back as unread, with the reason as its problem.
func (d *Door) read(info watcher.FileInfo, now time.Time) (brain.Note, bool) {
	n := brain.Note{File: info.Path, State: brain.NoteState{
		Size: info.Size, Modified: brain.Instant(info.ModTime), Inode: info.Inode,
		Racy: now.Sub(info.ModTime) < racy,
	}}
	raw, err := d.bytes(info.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return n, false
	}
	if err != nil {
		n.Unread, n.State.Racy = true, true
		n.State.Problems = []brain.NoteProblem{{Message: err.Error()}}
		return n, true
	}
	n.State.Hash = brain.Hash(string(raw))
	n.State.Size = int64(len(raw))
	d.parse(&n, raw)
	return n, true
}

// bytes are those of a file that can be a note.
func (d *Door) bytes(rel string) ([]byte, error) {
	f, err := os.Open(d.path(rel))
	if err != nil {
		return nil, reason(err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	limit := d.o.MaxFile
	if limit <= 0 {
		limit = 8 << 20
	}
	raw, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		return nil, reason(err)
	case int64(len(raw)) > limit:
		return nil, fmt.Errorf("it is larger than %d bytes (notes.max_file)", limit)
	case !utf8.Valid(raw):
		return nil, errors.New("it is not UTF-8: convert it")
	case bytes.IndexByte(raw, 0) >= 0:
		return nil, errors.New("it holds a NUL byte, so it is no text")
	}
	return raw, nil
}

// reason is an error of the file system without the path, which is named
// beside it.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("it cannot be read: %w", p.Err)
	}
	return err
}

// parse fills in what the file holds.
func (d *Door) parse(n *brain.Note, raw []byte) {
	day := ""
	if !isKnowledge(n.File) {
		day = dayOf(path.Base(n.File))
	}
	f := dailynote.Parse(raw, dailynote.Options{Day: day, Location: d.o.Location})
	for _, o := range f.Outcomes {
		n.Outcomes = append(n.Outcomes, outcome(o))
	}
	for _, b := range f.Bullets {
		n.Outcomes = append(n.Outcomes, bullet(b, day, d.o.Location))
	}
	n.State.Outcomes = len(n.Outcomes)
	for _, s := range f.Sections {
		n.Sections = append(n.Sections, brain.NoteSection{
			Key: s.Identity, Heading: s.Heading, Text: sectionText(s), Hash: brain.Hash(s.Hash),
			Line: s.Line, Position: s.Position, Mentions: s.Mentions,
		})
	}
	for _, p := range f.Problems {
		n.State.Problems = append(n.State.Problems, brain.NoteProblem{Line: p.Line, Message: p.Message})
	}
}

// sectionText is what a section holds for recall: a heading alone is a text too.
func sectionText(s dailynote.Section) string {
	if s.Text == "" {
		return s.Heading
	}
	return s.Text
}

func outcome(o dailynote.Outcome) brain.NoteOutcome {
	content := strings.Trim(o.Body, "\r\n")
	if o.Captured {
		content = dailynote.CapturedContent(o.Body)
	}
	if strings.TrimSpace(content) == "" {
		content = o.Title
	}
	return brain.NoteOutcome{
		ID: o.ID, Key: brain.Hash("outcome", o.Identity), LegacyKey: o.LegacyHash,
		Date: o.Date, Time: o.Time, At: o.At, Type: o.Type, Title: o.Title, TitleKey: brain.Hash("title", o.TitleKey),
		Importance: brain.Importance(o.Importance), Tags: brain.CleanTags(o.Tags),
		Body: o.Body, Content: content, BodyHash: o.BodyHash, Line: o.Line, Position: o.Position, Mentions: o.Mentions,
	}
}

// bullet is a list item that is a memory of its own. The text of its heading
// stands below it as context.
func bullet(b dailynote.Bullet, day string, loc *time.Location) brain.NoteOutcome {
	content := b.Text
	if b.Heading != "" {
		content += "\n(" + b.Heading + ")"
	}
	at, err := time.ParseInLocation(time.DateOnly, day, loc)
	if err != nil {
		at = time.Time{}
	}
	return brain.NoteOutcome{
		Key: brain.Hash("bullet", b.Identity), Bullet: true, Date: day, At: at, Type: "note",
		Title: strings.TrimSpace(firstLine(b.Text)), Importance: brain.Importance(b.Importance), Body: b.Text, Content: content,
		BodyHash: b.Hash, Line: b.Line, Position: b.Position, Mentions: b.Mentions,
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
