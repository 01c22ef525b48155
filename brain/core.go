package brain

import (
	"encoding/json"
)

// CoreOrigin is the origin of a memory that a person wrote into the file of
// core memory; its name is the key there.
const CoreOrigin = "core-memory"

// CoreContent is a value of core-memory.json, which is JSON, as the content of a
// memory: a text itself, anything else as it is written. A text that would be
// read as another value keeps its quotes.
func CoreContent(raw string) string {
	var text string
	if json.Unmarshal([]byte(raw), &text) != nil || json.Valid([]byte(text)) {
		return raw
	}
	return text
}
