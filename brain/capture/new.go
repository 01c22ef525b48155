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
	nameOf, contentOf := "the type", "the description"
	m := brain.Memory{MemoryType: strings.ToLower(string(source.Kind)), Name: source.Type, Content: source.Description}
	switch source.Kind {
	case brain.Crystallization:
		nameOf, m.Name, contentOf, m.Content = "the trigger", source.Trigger, "the insight", source.Insight
	case brain.Learning:
		nameOf, m.Name, contentOf, m.Content = "the concept", source.Concept, "the text", source.Learned
	case brain.Reminder:
		nameOf, m.Name, contentOf, m.Content = "", "", "the text", source.Text
	}
	if err := checkTexts(nameOf, m.Name, contentOf, m.Content); err != nil {
		return brain.Capture{}, err
	}
	if source.Kind != brain.Activity {
		return s.complete(brain.Capture{Source: &source, Memory: &m}, d)
	}
	if len(d.Relate)+len(d.Replaces) > 0 {
		return brain.Capture{}, brain.Errorf(brain.ErrInvalid, "capture what was learned with `brainbridge learn`",
			"an activity has no memory that could be related")
	}
	return s.complete(brain.Capture{Source: &source}, d)
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
	for _, scope := range m.AppliesTo {
		if !brain.IsWord(scope, brain.MaxName) {
			return brain.Capture{}, brain.Errorf(brain.ErrInvalid, "use a short word", "%.40q cannot be a place where it applies", scope)
		}
	}
	m.MemoryType = cmp.Or(m.MemoryType, "note")
	if m.Entity && len(m.Observations) == 0 {
		m.Observations = strings.Split(m.Content, "\n")
	}
	return s.complete(brain.Capture{Memory: &m}, d)
}

// complete gives a capture of now its ids, session and details, and redacts it.
func (s *Service) complete(c brain.Capture, d brain.Details) (brain.Capture, error) {
	if err := brain.CheckDetails(d); err != nil {
		return brain.Capture{}, err
	}
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
	return c, nil
}
