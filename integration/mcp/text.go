package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// indented returns a value as the reference writes it: JSON indented by two spaces,
// with nothing escaped that need not be.
func indented(v any) (string, error) { return written(v, "  ") }

// compact returns the same on one line.
func compact(v any) (string, error) { return written(v, "") }

func written(v any, indent string) (string, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return "", fmt.Errorf("write the answer: %w", err)
	}
	return string(unescaped(bytes.TrimSuffix(out.Bytes(), []byte("\n")))), nil
}

// unescaped replaces the escapes of the two separators that Go escapes and JavaScript
// does not.
func unescaped(raw []byte) []byte {
	if !bytes.Contains(raw, []byte(`\u202`)) {
		return raw
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		switch {
		case raw[i] != '\\':
			out = append(out, raw[i])
		case bytes.HasPrefix(raw[i:], []byte(`\u2028`)):
			out, i = append(out, "\u2028"...), i+5
		case bytes.HasPrefix(raw[i:], []byte(`\u2029`)):
			out, i = append(out, "\u2029"...), i+5
		default:
			out, i = append(out, raw[i], raw[i+1]), i+1
		}
	}
	return out
}
