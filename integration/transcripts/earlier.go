package transcripts

import (
	"maps"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/brainbridge/brainbridge/brain/durable"
)

// earlier is the transcript of a day that an earlier run wrote, if it has lines that are
// no longer in any session file, because files were deleted or rewritten.
type earlier struct {
	text      string
	contained map[string]bool // sessions of which it has all lines
}

// earlierTranscript returns the earlier transcript of a day. Its text is "" if the session
// files have all of its lines.
func (c *collector) earlierTranscript(path string, zone *time.Location) (earlier, error) {
	old, err := durable.ReadFile(path)
	if err != nil {
		return earlier{}, err
	}
	inFiles, inOld := map[uint64]bool{}, lineHashes(string(old))
	contained := map[string]bool{}
	err = c.walk(zone, func(p piece) error {
		lines := lineHashes(escaped(p.text))
		maps.Copy(inFiles, lines)
		contained[p.session] = (p.startsSession || contained[p.session]) && contains(inOld, lines)
		return nil
	})
	if err != nil || contains(inFiles, inOld) {
		return earlier{}, err
	}
	return earlier{strings.TrimRight(string(old), "\n") + "\n", contained}, nil
}

// lineHashes returns hashes of the lines of a text, except headings and labels, which
// depend on the time zone.
func lineHashes(text string) map[uint64]bool {
	all := map[uint64]bool{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		isLabel := strings.HasPrefix(line, "**") && strings.HasSuffix(line, "):") && strings.Contains(line, "** (")
		if line != "" && !isLabel && !strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "## ") && !strings.HasPrefix(line, "### ") {
			all[xxh3.HashString(strings.TrimPrefix(line, "→ "))] = true
		}
	}
	return all
}

// contains reports whether all lines of part are in all.
func contains(all, part map[uint64]bool) bool {
	for line := range part {
		if !all[line] {
			return false
		}
	}
	return true
}
