package config

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// SyntaxError is a settings file that cannot be read.
type SyntaxError struct {
	Line int // from 1; 0 if it is not known
	Text string
}

// Error names the line.
func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return e.Text
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Text)
}

// QuoteList returns texts as a list of JSON, which TOML reads as well.
func QuoteList(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = plaintext.Quote(text)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// splice returns a file with text in place of the bytes from start to end.
func splice(data []byte, start, end int, text string) []byte {
	return slices.Concat(data[:start], []byte(text), data[end:])
}

// lineOf returns the number of the line that has the byte at an offset.
func lineOf(data []byte, offset int) int {
	return 1 + bytes.Count(data[:min(max(offset, 0), len(data))], []byte("\n"))
}

// lineStart returns the offset of the line that has the byte at an offset.
func lineStart(data []byte, offset int) int {
	return bytes.LastIndexByte(data[:offset], '\n') + 1
}

// afterLine returns the offset after the line that has the byte at an offset.
func afterLine(data []byte, offset int) int {
	if n := bytes.IndexByte(data[offset:], '\n'); n >= 0 {
		return offset + n + 1
	}
	return len(data)
}

// lineEnd returns how the lines of a file end.
func lineEnd(data []byte) string {
	if bytes.Contains(data, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}
