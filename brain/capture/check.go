package capture

import (
	"cmp"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// Check returns [brain.ErrInvalid] if a memory to remember has an invalid type, an unknown
// severity, origin or retention, or is an entity without a name. If the relevance filter judges the
// text, severity is not checked here: the filter warns of an unknown one and scores it 0.
func Check(m brain.Memory, judged bool) error {
	if m.Entity && strings.TrimSpace(m.Name) == "" {
		return brain.Errorf(brain.ErrInvalid, "give it a name", "an entity needs a name")
	}
	if m.MemoryType != "" && !IsType(m.MemoryType) {
		return brain.Errorf(brain.ErrInvalid, "use a word such as note, decision or preference", "a memory cannot have the type %.40q", m.MemoryType)
	}
	var severity error
	if !judged {
		severity = oneOf("severity", m.Severity, "critical", "high", "medium", "low")
	}
	return cmp.Or(severity,
		oneOf("origin", m.Origin, "mistake", "failure", "feedback"),
		oneOf("retention", m.Retention, brain.RetainCore, brain.RetainPermanent, brain.RetainTemporary))
}

// OriginOf returns the origin of a memory by its name: "explicit_user_feedback", as agents of
// the original program write it, is feedback.
func OriginOf(name string) string {
	if strings.EqualFold(strings.NewReplacer("-", "_", " ", "_").Replace(strings.TrimSpace(name)), "explicit_user_feedback") {
		return "feedback"
	}
	return name
}

// IsType reports whether name is a valid memory type.
func IsType(name string) bool { return strings.TrimSpace(name) != "" && brain.IsWord(name, 64) }

// oneOf returns an error unless value is empty or one of known.
func oneOf(field, value string, known ...string) error {
	if value == "" || slices.Contains(known, value) {
		return nil
	}
	last := len(known) - 1
	return brain.Errorf(brain.ErrInvalid, "use "+strings.Join(known[:last], ", ")+" or "+known[last], "%s is %q, which is not a known value", field, value)
}

// ParseRelations parses relations of a new memory, written as TYPE:ID.
func ParseRelations(texts []string) (all []brain.NewRelation, err error) {
	for _, text := range texts {
		kind, id, found := strings.Cut(text, ":")
		if !found || id == "" {
			return nil, brain.Errorf(brain.ErrInvalid, "write it as TYPE:ID, such as applies_to:3f2a1b9c", "the relation %q names no id", text)
		}
		all = append(all, brain.NewRelation{Type: kind, To: id})
	}
	return all, nil
}
