package durable

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

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
