package transcripts

import (
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/brainbridge/brainbridge/brain/durable"
)

// earlier is the transcript of a day that an earlier run wrote, if it has words that are
// no longer in any file because files were deleted or rewritten.
type earlier struct {
	text      string
	contained map[string]bool // sessions of which it has all words
}

// earlierTranscript returns the earlier transcript of a day. Its text is "" if the files
// have all of its words.
func (c *collector) earlierTranscript(path string, zone *time.Location) (earlier, error) {
	old, err := durable.ReadFile(path)
	if err != nil {
		return earlier{}, err
	}
	inFiles, inOld := map[uint64]bool{}, wordsOf(string(old))
	contained := map[string]bool{}
	err = c.walk(zone, func(p piece) error {
		words := wordsOf(escaped(p.text))
		for line := range words {
			inFiles[line] = true
		}
		contained[p.session] = (p.startsSession || contained[p.session]) && contains(inOld, words)
		return nil
	})
	if err != nil || contains(inFiles, inOld) {
		return earlier{}, err
	}
	return earlier{strings.TrimRight(string(old), "\n") + "\n", contained}, nil
}

// wordsOf returns hashes of the lines of a text without headings and labels, which depend
// on the time zone.
func wordsOf(text string) map[uint64]bool {
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
