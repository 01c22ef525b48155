package durable

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Signature marks text files that this program writes, so that an edit by a person is
// recognised. It is a comment on the last line, with a hash of the lines before it, such as
// "# written by brainbridge install 5f3a9c0e12b47d88".
type Signature struct {
	Comment   string // format of a comment, with %s for its text: "# %s"
	Note      string // text before the hash: "written by brainbridge install "
	HashBytes int    // length of the hash, at most 32
}

// Sign appends the signature to a text of complete lines.
func (s Signature) Sign(text string) string {
	sum := sha256.Sum256([]byte(text))
	return text + fmt.Sprintf(s.Comment, s.Note+hex.EncodeToString(sum[:s.HashBytes])) + "\n"
}

// Signed reports whether a text is as Sign returned it. Blank lines at its end and CRLF line
// ends do not matter.
func (s Signature) Signed(text string) bool {
	lines := strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	body := lines[:strings.LastIndexByte(lines, '\n')+1]
	return s.Sign(body) == lines+"\n"
}
