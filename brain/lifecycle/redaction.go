package lifecycle

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// Redactor redacts the secrets in a text and counts them. It changes no other bytes.
type Redactor func(text string) (clean string, secrets int)

// Redaction redacts the texts of one operation. A text in several fields counts once.
type Redaction struct {
	Redact Redactor
	Seen   map[string]string // texts, as they are without secrets
	Found  int
}

// Texts redacts texts in place.
func (c *Redaction) Texts(texts ...*string) {
	for _, text := range texts {
		*text = c.Text(*text)
	}
}

// Text returns a text with its secrets redacted.
func (c *Redaction) Text(text string) string {
	if text == "" {
		return text
	}
	if clean, again := c.Seen[text]; again {
		return clean
	}
	clean, n := c.Redact(text)
	c.Seen[text], c.Found = clean, c.Found+n
	return clean
}

// Keyed redacts an entry of core memory together with its key, which can show that the
// content is a secret: "db_password": "…".
func (c *Redaction) Keyed(key, content string) string {
	name, value := plaintext.Quote(key), content
	if brain.CoreContent(content) != content || !json.Valid([]byte(content)) {
		value = plaintext.Quote(content)
	}
	clean, n := c.Redact(name + ": " + value)
	clean, whole := strings.CutPrefix(clean, name+": ")
	if n == 0 || !whole || !json.Valid([]byte(clean)) {
		return c.Text(content)
	}
	clean = c.Text(brain.CoreContent(clean))
	c.Seen[content], c.Found = clean, c.Found+n
	return clean
}

// List returns a redacted copy of a list.
func (c *Redaction) List(texts []string) []string {
	texts = slices.Clone(texts)
	for i := range texts {
		texts[i] = c.Text(texts[i])
	}
	return texts
}

// Memory redacts the texts of a memory in place.
func (c *Redaction) Memory(m *brain.Memory) {
	if m.Origin == brain.CoreOrigin {
		m.Content = c.Keyed(m.Name, m.Content)
	}
	c.Texts(&m.Content, &m.Name, &m.MemoryType, &m.Project, &m.Agent, &m.Origin, &m.Severity, &m.SessionID, &m.Group)
	m.Observations, m.Tags, m.AppliesTo = c.List(m.Observations), brain.CleanTags(c.List(m.Tags)), c.List(m.AppliesTo)
	m.Extra = c.extra(m.Extra)
}

// Source redacts the texts of a source in place.
func (c *Redaction) Source(s *brain.Source) {
	c.Texts(&s.Trigger, &s.Insight, &s.Concept, &s.Learned, &s.Text, &s.Type, &s.Description, &s.Title, &s.Body, &s.Project)
	s.Tags = brain.CleanTags(c.List(s.Tags))
}

// Relations returns a copy of relations with redacted types.
func (c *Redaction) Relations(rels []brain.Relation) []brain.Relation {
	rels = slices.Clone(rels)
	for i := range rels {
		c.Texts(&rels[i].Type)
	}
	return rels
}

// extra redacts a JSON document as a text, because the name of a key may show that its
// value is a secret. If that would break the JSON, it redacts each value.
func (c *Redaction) extra(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	before := c.Found
	clean := json.RawMessage(c.Text(string(raw)))
	if c.Found == before || json.Valid(clean) {
		return clean
	}
	var doc any
	if json.Unmarshal(raw, &doc) != nil {
		return nil // it was not valid JSON
	}
	clean, _ = json.Marshal(c.leaves(doc)) // which was read from JSON, so it cannot fail
	return clean
}

func (c *Redaction) leaves(doc any) any {
	switch v := doc.(type) {
	case string:
		return c.Text(v)
	case []any:
		for i := range v {
			v[i] = c.leaves(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = c.leaves(v[key])
		}
	}
	return doc
}

// redactSession redacts the id of a session. A short hash keeps two ids different.
func redactSession(id string, redact Redactor) string {
	if id == "" { // as in most commands, of which many redact nothing else
		return ""
	}
	clean, secrets := redact(id)
	if secrets == 0 {
		return id
	}
	const enough = 8 // hexadecimal digits, for the sessions of a day
	return clean + " " + brain.Hash("session", id)[:enough]
}
