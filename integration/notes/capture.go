package notes

import (
	"cmp"
	"regexp"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// Capture is an outcome that is to be written into the note of its day, with the
// ids that it will have. Graph is what the spool keeps while the store is away.
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
	_, f, _ := dailynote.Append(nil, d.options(c.At.In(d.o.Location).Format(time.DateOnly)), note)
	o := d.outcome(f.Outcomes[0])
	m.ID = brain.OutcomeMemoryID(note.ID)
	m.Root, m.SourceNodeID = m.ID, note.ID
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
