package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
)

// indented returns a value as the reference writes it: JSON indented by two spaces,
// with nothing escaped that need not be.
func indented(v any) (string, error) { return written(v, "  ") }

// compact returns the same on one line.
func compact(v any) (string, error) { return written(v, "") }

func written(v any, indent string) (string, error) {
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return "", fmt.Errorf("write the answer: %w", err)
	}
	text := strings.TrimSuffix(out.String(), "\n")
	if !strings.Contains(text, `\u202`) {
		return text, nil
	}
	// Go escapes two separators that JavaScript does not. An escaped backslash is not
	// part of such an escape.
	return strings.NewReplacer(`\\`, `\\`, `\u2028`, "\u2028", `\u2029`, "\u2029").Replace(text), nil
}
