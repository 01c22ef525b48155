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
func (m *Memory) Undated() bool { return bytes.Contains(m.Extra, []byte(`"`+undatedKey+`":"true"`)) }

// WithUndated adds to the extra fields of a memory that it is undated.
func WithUndated(extra map[string]string) map[string]string {
	extra = maps.Clone(extra)
	if extra == nil {
		extra = map[string]string{}
	}
	extra[undatedKey] = "true"
	return extra
}

// SetUndated says whether a memory without other extra fields is undated.
func (m *Memory) SetUndated(is bool) {
	switch {
	case is && len(m.Extra) == 0:
		m.Extra, _ = json.Marshal(WithUndated(nil)) // strings always encode
	case !is && m.Undated():
		m.Extra = nil
	}
}
