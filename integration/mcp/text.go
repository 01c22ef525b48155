package mcp

import (
	"fmt"
	"strings"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// indented returns a value as the reference writes it: JSON indented by two spaces,
// with nothing escaped that need not be.
func indented(v any) (string, error) { return written(v, "  ") }

// compact returns the same on one line.
func compact(v any) (string, error) { return written(v, "") }

func written(v any, indent string) (string, error) {
	out, err := plaintext.JSON(v, indent)
	if err != nil {
		return "", fmt.Errorf("write the answer: %w", err)
	}
	text := strings.TrimSuffix(string(out), "\n")
	if !strings.Contains(text, `\u202`) {
		return text, nil
	}
	// Go escapes two separators that JavaScript does not. An escaped backslash is not
	// part of such an escape.
	return strings.NewReplacer(`\\`, `\\`, `\u2028`, "\u2028", `\u2029`, "\u2029").Replace(text), nil
}
