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
	text := prose(source)
	if err := text.check(); err != nil {
		return brain.Capture{}, err
	}
	if source.Kind == brain.Activity && len(d.Relate) > 0 {
		return brain.Capture{}, brain.Errorf(brain.ErrInvalid, "capture what was learned with `brainbridge learn`",
			"an activity has no memory that could be related")
	}
	if err := brain.CheckDetails(d); err != nil {
		return brain.Capture{}, err
	}
	c := brain.Capture{Source: &source}
	if source.Kind != brain.Activity {
		c.Memory = &brain.Memory{Name: text.name, Content: text.content, MemoryType: strings.ToLower(string(source.Kind))}
	}
	return s.complete(c, d), nil
}

// texts is the name and the content of a source, and their names in messages.
type texts struct {
	nameOf, name       string // "" for a source that has no name
	contentOf, content string
}

// prose returns the texts of a source.
func prose(s brain.Source) texts {
	switch s.Kind {
	case brain.Crystallization:
		return texts{"the trigger", s.Trigger, "the insight", s.Insight}
	case brain.Learning:
		return texts{"the concept", s.Concept, "the text", s.Learned}
	case brain.Reminder:
		return texts{"", "", "the text", s.Text}
	}
	return texts{"the type", s.Type, "the description", s.Description}
}

// check returns an error if a text is missing or cannot be stored. The hint for an empty
// name does not offer standard input, from which only the content can come.
func (t texts) check() error {
	if t.nameOf != "" {
		if strings.TrimSpace(t.name) == "" {
			return brain.Errorf(brain.ErrInvalid, "give a name and a text", "%s is empty", t.nameOf)
		}
		if err := brain.CheckText(t.nameOf, t.name); err != nil {
			return err
		}
	}
	return brain.CheckText(t.contentOf, t.content)
}

// NewMemory returns the capture of a memory without a source, see [Service.New].
func (s *Service) NewMemory(m brain.Memory, d brain.Details) (brain.Capture, error) {
	named := texts{"", "", "the text", m.Content}
	if m.Name != "" {
		named.nameOf, named.name = "the name", m.Name
	}
	if err := named.check(); err != nil {
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
	c.At, c.Relate = s.base.Now(), slices.Clone(d.Relate)
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
	s.base.Redacted(redaction.Found)
	return c
}
