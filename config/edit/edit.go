// Package edit sets and removes keys in settings files that people write by
// hand, and keeps every other byte: comments, order, indentation and line ends.
//
// It reads TOML, and JSON as coding agents read it: with comments and trailing
// commas, and as in JSON5 with unquoted keys and single-quoted strings. JSON5 is
// why the parser of JSON is our own: the files of OpenClaw are written in it,
// which github.com/tailscale/hujson refuses.
package edit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// SyntaxError is a file that cannot be read.
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

// Span is a range of bytes in a file.
type Span struct{ Start, End int }

// splice returns a file with text in place of a span.
func splice(data []byte, s Span, text string) []byte {
	return slices.Concat(data[:s.Start], []byte(text), data[s.End:])
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

// Signature marks text files that this program writes, so that an edit by a person is
// recognised. It is a comment on the last line, with a hash of the lines before it.
type Signature struct {
	Comment   string // format of a comment, with %s for its text
	Note      string // text before the hash
	HashBytes int    // length of the hash
}

// Sign appends the signature to a text of complete lines.
func (s Signature) Sign(text string) string {
	sum := sha256.Sum256([]byte(text))
	return text + fmt.Sprintf(s.Comment, s.Note+hex.EncodeToString(sum[:s.HashBytes])) + "\n"
}

// Signed reports whether a text is as Sign returned it. Blank lines at its end do
// not matter.
func (s Signature) Signed(text string) bool {
	lines := strings.TrimRight(text, "\n")
	body := lines[:strings.LastIndexByte(lines, '\n')+1]
	return s.Sign(body) == lines+"\n"
}
