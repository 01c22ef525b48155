package dailynote

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// HashText returns the hex SHA-256 of a text after normalising it: lines end with
// LF, and blanks at their ends and blank lines before and after are removed.
func HashText(s string) string {
	var lines strings.Builder
	for line := range strings.SplitSeq(s, "\n") {
		lines.WriteString(strings.TrimRight(line, " \t\r") + "\n")
	}
	return hexDigest(strings.Trim(lines.String(), "\n"))
}

// digest hashes parts with their lengths, which keeps lists of parts apart.
func digest(parts ...string) string {
	var all strings.Builder
	for _, part := range parts {
		all.WriteString(strconv.Itoa(len(part)) + ":" + part)
	}
	return hexDigest(all.String())
}

func hexDigest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// identity returns the digest of parts, with an ordinal from the second time on.
func (p *parser) identity(parts ...string) string {
	base := digest(parts...)
	n := p.seen[base]
	p.seen[base] = n + 1
	if n == 0 {
		return base
	}
	return digest(base, strconv.Itoa(n))
}
