package brain

import (
	"bytes"
	"encoding/json"
	"maps"
)

// undatedKey marks in Extra a memory of which nobody knows when it was written.
const undatedKey = "undated"

// Undated reports whether nobody knows when a memory was written: its file has no date, and
// the time of the file is that of a copy.
func (m *Memory) Undated() bool {
	if !bytes.Contains(m.Extra, []byte(undatedKey)) {
		return false
	}
	var extra map[string]any
	return json.Unmarshal(m.Extra, &extra) == nil && extra[undatedKey] == "true"
}

// WithUndated adds to the extra fields of a memory that it is undated.
func WithUndated(extra map[string]string) map[string]string {
	extra = maps.Clone(extra)
	if extra == nil {
		extra = map[string]string{}
	}
	extra[undatedKey] = "true"
	return extra
}

// SetUndated sets whether a memory is undated. Other extra fields stay; if Extra is not a JSON
// object, nothing changes.
func (m *Memory) SetUndated(is bool) {
	if m.Undated() == is {
		return
	}
	extra := map[string]json.RawMessage{}
	if len(m.Extra) > 0 && (json.Unmarshal(m.Extra, &extra) != nil || extra == nil) {
		return
	}
	delete(extra, undatedKey)
	if is {
		extra[undatedKey] = json.RawMessage(`"true"`)
	}
	m.Extra = nil
	if len(extra) > 0 {
		m.Extra, _ = json.Marshal(extra) // what was decoded always encodes
	}
}
