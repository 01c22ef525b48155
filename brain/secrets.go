package brain

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// Redactor takes the secrets out of a text and counts them. Other bytes stay
// as they are, and a clean text comes back as it is.
type Redactor func(text string) (clean string, secrets int)

// WithoutSecrets returns a text as it is stored. Every path into the store does
// this by itself; a door calls it for what it writes elsewhere, such as a note,
// and to compare with what is stored.
func (b *Brain) WithoutSecrets(text string) string {
	clean, _ := b.redact(text)
	return clean
}

// CoreWithoutSecrets is [Brain.WithoutSecrets] of an entry of core memory, whose
// key tells what its content is, and counts them.
func (b *Brain) CoreWithoutSecrets(key, content string) (clean string, secrets int) {
	c := b.cleaner()
	clean = c.keyed(key, content)
	return clean, c.found
}

// cleaner takes the secrets out of the texts of one operation. A text that
// stands in several fields counts once.
type cleaner struct {
	redact Redactor
	seen   map[string]string // texts that held secrets, as they are without
	found  int
}

func (b *Brain) cleaner() *cleaner { return &cleaner{redact: b.redact, seen: map[string]string{}} }

func (c *cleaner) texts(texts ...*string) {
	for _, text := range texts {
		*text = c.text(*text)
	}
}

func (c *cleaner) text(text string) string {
	if text == "" {
		return text
	}
	if clean, again := c.seen[text]; again {
		return clean
	}
	clean, n := c.redact(text)
	if n > 0 {
		c.seen[text], c.found = clean, c.found+n
	}
	return clean
}

// keyed cleans the content of an entry of core memory as it stands beside its
// key: "db_password": "…".
func (c *cleaner) keyed(key, content string) string {
	name, value := CoreValue(key), content
	if CoreContent(content) != content || !json.Valid([]byte(content)) {
		value = CoreValue(content)
	}
	clean, n := c.redact(name + ": " + value)
	clean, whole := strings.CutPrefix(clean, name+": ")
	if n == 0 || !whole || !json.Valid([]byte(clean)) {
		return c.text(content)
	}
	clean = c.text(CoreContent(clean))
	c.seen[content], c.found = clean, c.found+n
	return clean
}

// list returns a copy of a list without secrets: the caller's stays.
func (c *cleaner) list(texts []string) []string {
	texts = slices.Clone(texts)
	for i := range texts {
		texts[i] = c.text(texts[i])
	}
	return texts
}

// memory cleans all that a person or program wrote into a memory.
func (c *cleaner) memory(m *Memory) {
	if m.Origin == CoreOrigin {
		m.Content = c.keyed(m.Name, m.Content)
	}
	c.texts(&m.Content, &m.Name, &m.MemoryType, &m.Project, &m.Agent, &m.Origin, &m.Severity, &m.SessionID, &m.Group)
	m.Observations, m.Tags, m.AppliesTo = c.list(m.Observations), CleanTags(c.list(m.Tags)), c.list(m.AppliesTo)
	m.Extra = c.extra(m.Extra)
}

func (c *cleaner) source(s *Source) {
	c.texts(&s.Trigger, &s.Insight, &s.Concept, &s.Learned, &s.Text, &s.Type, &s.Description, &s.Title, &s.Body, &s.Project)
	s.Tags = CleanTags(c.list(s.Tags))
}

// relations returns a copy whose types hold no secret.
func (c *cleaner) relations(rels []Relation) []Relation {
	rels = slices.Clone(rels)
	for i := range rels {
		c.texts(&rels[i].Type)
	}
	return rels
}

// extra cleans a JSON document as a text, so that the name of a key tells what
// its value is; where that would break it, value by value.
func (c *cleaner) extra(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	before := c.found
	clean := json.RawMessage(c.text(string(raw)))
	if c.found == before || json.Valid(clean) {
		return clean
	}
	var doc any
	if json.Unmarshal(raw, &doc) != nil {
		return nil // it was no JSON, and cannot be stored as such
	}
	clean, err := json.Marshal(c.leaves(doc))
	if err != nil {
		return nil
	}
	return clean
}

func (c *cleaner) leaves(doc any) any {
	switch v := doc.(type) {
	case string:
		return c.text(v)
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

// cleanCapture is a capture without secrets, whichever door made it.
func (b *Brain) cleanCapture(c Capture) Capture {
	clean := b.cleaner()
	if c.Memory != nil {
		m := *c.Memory
		clean.memory(&m)
		if clean.found > 0 {
			m.complete()
		}
		c.Memory = &m
	}
	if c.Source != nil {
		s := *c.Source
		clean.source(&s)
		c.Source = &s
	}
	c.Relate = slices.Clone(c.Relate)
	for i := range c.Relate {
		clean.texts(&c.Relate[i].Type)
	}
	c.Redacted += clean.found
	b.redacted(clean.found)
	return c
}

// CleanNote is a note as it is taken in: without secrets. Identities and hashes
// stay those of the file, so that the same file compares as the same.
func (b *Brain) CleanNote(n Note) Note {
	n.Outcomes, n.Sections = slices.Clone(n.Outcomes), slices.Clone(n.Sections)
	for i := range n.Outcomes {
		clean, o := b.cleaner(), &n.Outcomes[i]
		o.Body = clean.text(o.Body)
		inBody := clean.found // what the other fields hold is the same again
		clean.texts(&o.Content, &o.Title, &o.Type)
		o.Tags, o.Mentions = CleanTags(clean.list(o.Tags)), clean.list(o.Mentions)
		o.secrets = cmp.Or(inBody, clean.found)
	}
	for i := range n.Sections {
		clean, s := b.cleaner(), &n.Sections[i]
		clean.texts(&s.Text, &s.Heading)
		s.Mentions = clean.list(s.Mentions)
		s.secrets = clean.found
	}
	return n
}

// cleanProposal is a text that a model made, and why, without secrets: it can
// invent what looks like one; and how many it had. nil stays nil.
func (b *Brain) cleanProposal(m *Memory, reason string) (*Memory, string, int) {
	clean := b.cleaner()
	reason = clean.text(reason)
	if m != nil {
		whole := *m
		clean.memory(&whole)
		m = &whole
	}
	b.redacted(clean.found)
	return m, reason, clean.found
}

// cleanSession is the id of a session without secrets. What tells two of them
// apart stays: a short hash.
func cleanSession(id string, redact Redactor) string {
	clean, secrets := redact(id)
	if secrets == 0 {
		return id
	}
	const enough = 8 // hexadecimal digits, for the sessions of a day
	return clean + " " + Hash("session", id)[:enough]
}

// cleanImport is a batch of an import without secrets.
func (b *Brain) cleanImport(batch ImportBatch) ImportBatch {
	clean := b.cleaner()
	batch.Items = slices.Clone(batch.Items)
	for i := range batch.Items {
		item := &batch.Items[i]
		clean.memory(&item.Memory)
		item.Text = clean.text(item.Text)
		if item.Source != nil {
			s := *item.Source
			clean.source(&s)
			item.Source = &s
		}
		item.Relations, item.Names = clean.relations(item.Relations), slices.Clone(item.Names)
		for n := range item.Names {
			clean.texts(&item.Names[n].Type, &item.Names[n].Name)
		}
	}
	batch.Relations = clean.relations(batch.Relations)
	batch.Redacted += clean.found
	b.redacted(clean.found)
	return batch
}
