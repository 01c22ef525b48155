package brain

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/tiers"
)

// Field is one stored field of a node: its name, from which stores derive column and
// property names, and a pointer to its value. The value is a string or a type based on
// string, an int, a float64 or *float64, a bool, a time, a list of strings or raw JSON.
type Field struct {
	Name string
	At   any
}

// UniqueKey marks a field whose value is unique within a brain, unless it is empty.
type UniqueKey string

// Fields returns all stored fields of a memory.
func (m *Memory) Fields() []Field { return append(m.IdentityFields(), m.LifeFields()...) }

// IdentityFields returns the fields that only [MemoryWriter.PutMemories] stores.
func (m *Memory) IdentityFields() []Field {
	return []Field{
		{"id", &m.ID},
		{"name", &m.Name},
		{"content", &m.Content},
		{"memoryType", &m.MemoryType},
		{"tags", &m.Tags},
		{"observations", &m.Observations},
		{"project", &m.Project},
		{"agent", &m.Agent},
		{"sessionId", &m.SessionID},
		{"contentHash", &m.ContentHash},
		{"nameKey", &m.NameKey},
		{"extra", &m.Extra},
		{"created", &m.Created},
		{"retention", &m.Retention},
		{"importance", &m.Importance},
		{"severity", &m.Severity},
		{"origin", &m.Origin},
		{"appliesTo", &m.AppliesTo},
		{"relevanceScore", &m.RelevanceScore},
		{"mergedFrom", &m.MergedFrom},
		{"consolidatedAt", &m.ConsolidatedAt},
	}
}

// LifeFields returns the fields that [MemoryWriter.PutLives] stores as well.
func (m *Memory) LifeFields() []Field {
	return []Field{
		{"tier", &m.Tier},
		{"expiredFrom", &m.ExpiredFrom},
		{"energy", &m.Energy},
		{"peakEnergy", &m.PeakEnergy},
		{"lastDecay", &m.LastDecay},
		{"base", &m.Base},
		{"baseAt", &m.BaseAt},
		{"expiresAt", &m.ExpiresAt},
		{"promoteDue", &m.PromoteDue},
		{"validFrom", &m.ValidFrom},
		{"validTo", &m.ValidTo},
		{"sessionCount", &m.SessionCount},
		{"entity", &m.Entity},
		{"accessCount", &m.AccessCount},
		{"recallCount", &m.RecallCount},
		{"useCount", &m.UseCount},
		{"helpfulCount", &m.HelpfulCount},
		{"notHelpfulCount", &m.NotHelpfulCount},
		{"confirmations", &m.Confirmations},
		{"lastAccessed", &m.LastAccessed},
		{"lastUsed", &m.LastUsed},
		{"entityKey", (*UniqueKey)(&m.EntityKey)},
		{"version", &m.Version},
		{"sourceNodeId", &m.SourceNodeID},
		{"group", &m.Group},
		{"position", &m.Position},
		{"promotedFrom", &m.PromotedFrom},
	}
}

// Fields returns the stored fields of a source.
func (s *Source) Fields() []Field {
	return []Field{
		{"id", &s.ID},
		{"kind", &s.Kind},
		{"created", &s.Created},
		{"project", &s.Project},
		{"tags", &s.Tags},
		{"trigger", &s.Trigger},
		{"insight", &s.Insight},
		{"concept", &s.Concept},
		{"learned", &s.Learned},
		{"text", &s.Text},
		{"due", &s.Due},
		{"done", &s.Done},
		{"type", &s.Type},
		{"description", &s.Description},
		{"date", &s.Date},
		{"time", &s.Time},
		{"title", &s.Title},
		{"importance", &s.Importance},
		{"body", &s.Body},
		{"file", &s.File},
		{"line", &s.Line},
		{"bodyHash", &s.BodyHash},
		{"titleKey", &s.TitleKey},
		{"key", (*UniqueKey)(&s.Key)},
		{"dir", &s.Dir},
		{"removed", &s.Removed},
	}
}

// Fields returns the stored fields of a section.
func (s *Section) Fields() []Field {
	return []Field{
		{"id", &s.ID},
		{"key", (*UniqueKey)(&s.Key)},
		{"dir", &s.Dir},
		{"file", &s.File},
		{"heading", &s.Heading},
		{"line", &s.Line},
		{"group", &s.Group},
		{"position", &s.Position},
		{"text", &s.Text},
		{"project", &s.Project},
		{"hash", &s.Hash},
		{"modified", &s.Modified},
		{"transcript", &s.Transcript},
	}
}

// Fields returns the stored fields of a record.
func (r *Record) Fields() []Field {
	return []Field{{"kind", &r.Kind}, {"id", &r.ID}, {"owner", &r.Owner}, {"key", &r.Key}, {"at", &r.At}, {"body", &r.Body}}
}

// CheckFields returns an error that names the first field with a value that cannot be
// backed up: an unknown tier or kind, a text that is not UTF-8, a number that is not finite,
// a time outside of the years 0 to 9999, or a document that is not JSON.
func CheckFields(fields []Field) error {
	for _, f := range fields {
		if !f.valid() {
			return fmt.Errorf("its %s is not valid", f.Name)
		}
	}
	return nil
}

func (f Field) valid() bool {
	switch v := f.At.(type) {
	case *bool, *int:
		return true
	case *float64:
		return !math.IsNaN(*v) && !math.IsInf(*v, 0)
	case **float64:
		return *v == nil || Field{f.Name, *v}.valid()
	case *time.Time:
		return v.Year() >= 0 && v.Year() <= 9999
	case *json.RawMessage:
		return len(*v) == 0 || json.Valid(*v) && utf8.Valid(*v)
	case *[]string:
		return !slices.ContainsFunc(*v, func(s string) bool { return !utf8.ValidString(s) })
	case *tiers.Tier:
		return slices.Contains(tiers.All(), *v) || *v == "" && f.Name == "expiredFrom"
	case *SourceKind:
		return slices.Contains(SourceKinds(), *v)
	case *RecordKind:
		return slices.Contains(RecordKinds(), *v)
	}
	text := reflect.ValueOf(f.At).Elem().String()
	return utf8.ValidString(text) && (f.Name != "id" || text != "")
}
