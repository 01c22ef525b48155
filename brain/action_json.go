package brain

import (
	"encoding/json"
	"errors"
	"reflect"
)

// storedAction is an action as the journal stores it, with the differences between memories
// instead of complete memories.
type storedAction struct {
	plainAction
	Changes []storedChange `json:"changes,omitempty"`
}

// plainAction is an Action without its methods.
type plainAction Action

// storedChange is a change as the journal stores it. Changed replaces After: it has the fields
// that differ from Before. In a change without Before they differ from the first Before of the
// action, because an archived copy is almost the memory that the action changed first.
type storedChange struct {
	Change
	Changed map[string]json.RawMessage `json:"changed,omitempty"`
}

// stored returns the action as the journal stores it.
func (a Action) stored() (storedAction, error) {
	s := storedAction{plainAction: plainAction(a), Changes: make([]storedChange, len(a.Changes))}
	for i := range s.Changes {
		c := &s.Changes[i]
		c.Change = a.Changes[i].WithoutStoredTexts()
		from := c.base(s.Changes)
		if from == nil || c.After == nil {
			continue
		}
		var err error
		if c.Changed, err = changedFields(from, c.After); err != nil {
			return s, err
		}
		if len(c.Changed) > 0 {
			c.After = nil
		}
	}
	return s, nil
}

// base returns the memory from which the fields in Changed differ; nil for none.
func (c *storedChange) base(all []storedChange) *Memory {
	if c.Before != nil {
		return c.Before
	}
	return all[0].Before
}

// changedFields returns the fields of to that differ from those of from.
func changedFields(from, to *Memory) (map[string]json.RawMessage, error) {
	old, changed := from.Fields(), map[string]json.RawMessage{}
	for i, f := range to.Fields() {
		if reflect.DeepEqual(f.At, old[i].At) {
			continue
		}
		raw, err := json.Marshal(f.At)
		if err != nil {
			return nil, err
		}
		changed[f.Name] = raw
	}
	return changed, nil
}

// withFields returns a copy of a memory with some fields changed.
func withFields(from *Memory, changed map[string]json.RawMessage) (*Memory, error) {
	m := *from
	for _, f := range m.Fields() {
		raw, ok := changed[f.Name]
		if !ok {
			continue
		}
		reflect.ValueOf(f.At).Elem().SetZero() // so that no slice is shared with from
		if string(raw) == "null" {
			continue
		}
		if err := json.Unmarshal(raw, f.At); err != nil {
			return nil, err
		}
	}
	return &m, nil
}

// UnmarshalJSON reads an action as the journal stores it, or with complete memories.
func (a *Action) UnmarshalJSON(raw []byte) error {
	var s storedAction
	if err := json.Unmarshal(raw, &s); err != nil {
		return err
	}
	*a = Action(s.plainAction)
	a.Linked, a.Unlinked = WithoutDifferences(a.Linked), WithoutDifferences(a.Unlinked)
	a.Changes = nil
	for i := range s.Changes {
		c := &s.Changes[i]
		if len(c.Changed) > 0 {
			from := c.base(s.Changes)
			if from == nil {
				return errors.New("a change has changed fields, but no memory that they belong to")
			}
			var err error
			if c.After, err = withFields(from, c.Changed); err != nil {
				return err
			}
		}
		a.Changes = append(a.Changes, c.Change)
	}
	return nil
}
