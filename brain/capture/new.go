package capture

import (
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// New returns the capture of a source as of now, complete with its ids. Nothing
// is stored yet. The secrets in it are redacted.
func (b *Service) New(s brain.Source, d brain.Details) (brain.Capture, error) {
	m, err := memoryOf(s)
	if err == nil && s.Kind == brain.Activity && len(d.Relate) > 0 {
		err = brain.Errorf(brain.ErrInvalid, "capture what was learned with `brainbridge learn`",
			"an activity has no memory that could be related")
	}
	if err != nil {
		return brain.Capture{}, err
	}
	c, err := b.newCapture(&s, m, d)
	if s.Kind == brain.Activity {
		c.Memory = nil
	}
	return c, err
}

// memoryOf returns the memory that a source begins with. It refuses a source
// that lacks a text.
func memoryOf(s brain.Source) (brain.Memory, error) {
	switch s.Kind {
	case brain.Crystallization:
		return brain.Memory{Name: s.Trigger, Content: s.Insight, MemoryType: "crystallization"}, checkPair("the trigger", s.Trigger, "the insight", s.Insight)
	case brain.Learning:
		return brain.Memory{Name: s.Concept, Content: s.Learned, MemoryType: "learning"}, checkPair("the concept", s.Concept, "the text", s.Learned)
	case brain.Reminder:
		return brain.Memory{Content: s.Text, MemoryType: "reminder"}, brain.CheckText("the text", s.Text)
	}
	return brain.Memory{Content: s.Description, MemoryType: "activity"}, checkPair("the type", s.Type, "the description", s.Description)
}

// checkPair refuses a name or a text that cannot be stored. Only the text can come
// from standard input.
func checkPair(nameOf, name, textOf, text string) error {
	if strings.TrimSpace(name) == "" {
		return brain.Errorf(brain.ErrInvalid, "give a name and a text", "%s is empty", nameOf)
	}
	return brain.CheckTexts(nameOf, name, textOf, text)
}

// NewMemory returns the capture of a memory without a source, see [Service.New].
func (b *Service) NewMemory(m brain.Memory, d brain.Details) (brain.Capture, error) {
	if m.Name != "" {
		if err := brain.CheckText("the name", m.Name); err != nil {
			return brain.Capture{}, err
		}
	}
	if err := brain.CheckText("the text", m.Content); err != nil {
		return brain.Capture{}, err
	}
	if m.MemoryType == "" {
		m.MemoryType = "note"
	}
	if m.Entity && len(m.Observations) == 0 {
		m.Observations = strings.Split(m.Content, "\n")
	}
	for _, place := range m.AppliesTo {
		if !brain.IsWord(place, brain.MaxName) {
			return brain.Capture{}, brain.Errorf(brain.ErrInvalid, "use a short word", "%.40q cannot be a place where it applies", place)
		}
	}
	return b.newCapture(nil, m, d)
}

// newCapture completes a capture; s is nil for one without a source.
func (b *Service) newCapture(s *brain.Source, m brain.Memory, d brain.Details) (brain.Capture, error) {
	if err := brain.CheckDetails(d); err != nil {
		return brain.Capture{}, err
	}
	now := b.base.Now()
	m.ID, m.Created = b.base.NewID(), now
	m.Project, m.Tags, m.Importance = d.Project, d.Tags, d.Importance
	m.SessionID, m.Group, m.Agent = b.base.SessionAt(now), b.base.SessionAt(now), b.base.Agent
	m.AccessCount = 1
	redaction := b.base.Redaction()
	if s != nil {
		s.ID, s.Created, s.Project, s.Tags = b.base.NewID(), now, m.Project, m.Tags
		m.SourceNodeID = s.ID
		redaction.Source(s)
	}
	redaction.Memory(&m)
	m.Complete()
	relate := slices.Clone(d.Relate)
	for i := range relate {
		redaction.Texts(&relate[i].Type)
	}
	b.base.Redacted(redaction.Found)
	return brain.Capture{Source: s, Memory: &m, Relate: relate, At: now, Redacted: redaction.Found}, nil
}
