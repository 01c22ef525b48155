package brain

import (
	"encoding/json"
)

// CoreOrigin is the origin of a memory that a person wrote into the core memory file. Its
// name is the key in that file.
const CoreOrigin = "core-memory"

// CoreContent converts a JSON value of core-memory.json to the content of a memory: a
// string without its quotes, anything else as it is written. A string keeps its quotes if
// it would otherwise be read as another value.
func CoreContent(raw string) string {
	var text string
	if json.Unmarshal([]byte(raw), &text) != nil || json.Valid([]byte(text)) {
		return raw
	}
	return text
}
