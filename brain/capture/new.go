package capture

import (
	"cmp"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// New returns the capture of a source as of now, complete with its ids. Nothing
// is stored yet. The secrets in it are redacted.
func (s *Service) New(source brain.Source, d brain.Details) (brain.Capture, error) {
	nameOf, name, contentOf, content := prose(source)
	if err := checkTexts(nameOf, name, contentOf, content); err != nil {
		return brain.Capture{}, err
	}
	if source.Kind == brain.Activity && len(d.Relate)+len(d.Replaces) > 0 {
		return brain.Capture{}, brain.Errorf(brain.ErrInvalid, "capture what was learned with `brainbridge learn`",
			"an activity has no memory that could be related")
	}
	if err := brain.CheckDetails(d); err != nil {
		return brain.Capture{}, err
	}
	c := brain.Capture{Source: &source}
	if source.Kind != brain.Activity {
		c.Memory = &brain.Memory{Name: name, Content: content, MemoryType: strings.ToLower(string(source.Kind))}
	}
	return s.complete(c, d), nil
}

// prose returns the name and the content of a source, and what messages call them. A
// reminder has no name.
func prose(s brain.Source) (nameOf, name, contentOf, content string) {
	switch s.Kind {
	case brain.Crystallization:
		return "the trigger", s.Trigger, "the insight", s.Insight
	case brain.Learning:
		return "the concept", s.Concept, "the text", s.Learned
	case brain.Reminder:
		return "", "", "the text", s.Text
	}
	return "the type", s.Type, "the description", s.Description
}

// checkTexts returns an error if the name or the content is missing or cannot be stored.
// Without nameOf no name is needed. The hint for an empty name does not offer standard
// input, from which only the content can come.
func checkTexts(nameOf, name, contentOf, content string) error {
	if nameOf != "" {
		if strings.TrimSpace(name) == "" {
			return brain.Errorf(brain.ErrInvalid, "give a name and a text", "%s is empty", nameOf)
		}
		if err := brain.CheckText(nameOf, name); err != nil {
			return err
		}
	}
	return brain.CheckText(contentOf, content)
}

// NewMemory returns the capture of a memory without a source, see [Service.New].
func (s *Service) NewMemory(m brain.Memory, d brain.Details) (brain.Capture, error) {
	nameOf := ""
	if m.Name != "" {
		nameOf = "the name"
	}
	if err := checkTexts(nameOf, m.Name, "the text", m.Content); err != nil {
		return brain.Capture{}, err
	}
	for _, place := range m.AppliesTo {
		if !brain.IsWord(place, brain.MaxName) {
			return brain.Capture{}, brain.Errorf(brain.ErrInvalid, "use a short word", "%.40q cannot be a place where it applies", place)
		}
	}
	if err := brain.CheckDetails(d); err != nil {
		return brain.Capture{}, err
	}
	m.MemoryType = cmp.Or(m.MemoryType, "note")
	if m.Entity && len(m.Observations) == 0 {
		m.Observations = strings.Split(m.Content, "\n")
	}
	return s.complete(brain.Capture{Memory: &m}, d), nil
}

// complete gives a capture of now its ids, session and details, and redacts it.
func (s *Service) complete(c brain.Capture, d brain.Details) brain.Capture {
	c.At, c.Relate, c.Replaces = s.base.Now(), slices.Clone(d.Relate), d.Replaces
	redaction := s.base.Redaction()
	for i := range c.Relate {
		redaction.Texts(&c.Relate[i].Type)
	}
	sourceID := ""
	if source := c.Source; source != nil {
		sourceID = s.base.NewID()
		source.ID, source.Created, source.Project, source.Tags = sourceID, c.At, d.Project, d.Tags
		redaction.Source(source)
	}
	if m := c.Memory; m != nil {
		session := s.base.SessionAt(c.At)
		m.ID, m.SourceNodeID, m.Created, m.Project, m.Tags = s.base.NewID(), sourceID, c.At, d.Project, d.Tags
		m.SessionID, m.Group, m.Position, m.Agent = session, session, int(c.At.UnixMilli()), s.base.Agent
		m.Importance, m.AccessCount = d.Importance, 1
		redaction.Memory(m)
		m.Complete()
	}
	c.Redacted = redaction.Found
	s.base.ReportRedacted(redaction.Found)
	return c
}
