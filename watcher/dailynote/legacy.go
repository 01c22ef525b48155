package dailynote

import (
	"crypto/md5"
	"encoding/hex"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/brainbridge/brainbridge/brain/markdown"
)

// LegacyHash is a comment <!-- hash: md5 --> of an older tool.
type LegacyHash struct {
	Day  string // the date of the "### [DATE]" heading above it, "" if there is none
	Hash string // 32 hex digits in lower case
	Line int
}

// LegacyHashOf returns the hash that older tools wrote for an entry. MD5 serves
// to recognise their comments and for nothing else.
func LegacyHashOf(title, typ string) string {
	sum := md5.Sum([]byte(title + "|" + typ + "\n"))
	return hex.EncodeToString(sum[:])
}

// LegacyHashes returns the comments of older tools outside code fences.
func LegacyHashes(d *markdown.Document) []LegacyHash {
	var all []LegacyHash
	day := ""
	for i, line := range d.Prose() {
		if level := d.Lines[i].Level; level > 0 && level <= 3 {
			day = HeadingDay(line)
		}
		if hash := LegacyHashIn(line); hash != "" {
			all = append(all, LegacyHash{Day: day, Hash: hash, Line: i + 1})
		}
	}
	return all
}

var hashPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`<!-- hash:[ \t]*([0-9a-fA-F]{32})[ \t]*-->`)
})

// LegacyHashIn returns the hash in the first comment of an older tool on a line, ""
// if there is none.
func LegacyHashIn(line string) string {
	if found := hashPattern().FindStringSubmatch(line); found != nil {
		return strings.ToLower(found[1])
	}
	return ""
}

// HeadingDay returns the date of a heading such as "### [2026-02-05] decision:
// Title", "" for any other line.
func HeadingDay(line string) string {
	_, text := markdown.Heading(line)
	inner, _, closed := strings.Cut(strings.TrimPrefix(text, "["), "] ")
	if _, ok := parseDay(inner); !ok || !closed || text[0] != '[' {
		return ""
	}
	return inner
}

func parseDay(s string) (time.Time, bool) {
	day, err := time.Parse(time.DateOnly, s)
	return day, err == nil
}
