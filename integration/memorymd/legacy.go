package memorymd

import (
	"crypto/md5"
	"encoding/hex"
	"strings"
	"time"
)

// mark is an entry as older tools knew it: the day of its heading and the MD5
// in the comment behind it.
type mark struct{ day, hash string }

// hashOf is the MD5 of older tools. It recognises their comments, no more.
func hashOf(title, typ string) string {
	h := md5.Sum([]byte(title + "|" + typ + "\n"))
	return hex.EncodeToString(h[:])
}

// marksIn counts the marks in a text outside code fences.
func marksIn(texts ...string) map[mark]int {
	found := map[mark]int{}
	for _, text := range texts {
		if !strings.Contains(text, "<!-- hash:") {
			continue
		}
		p, day := scan(text), ""
		for i, l := range p.lines {
			if l.level > 0 && l.level <= 3 {
				day = dayOf(p.content(i))
			}
			if hash := hashIn(p.content(i)); hash != "" && !l.fenced {
				found[mark{day, hash}]++
			}
		}
	}
	return found
}

// dayOf is the date of a heading such as "### [2026-02-05] decision: Title",
// "" for any other line.
func dayOf(heading string) string {
	s, ok := outdent(heading)
	day, ours := strings.CutPrefix(s, "### [")
	if !ok || !ours || len(day) <= len(time.DateOnly) || day[len(time.DateOnly)] != ']' {
		return ""
	}
	day = day[:len(time.DateOnly)]
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return ""
	}
	return day
}

// hashIn is the MD5 of the comment on a line, in lower case, "" for none.
func hashIn(s string) string {
	_, s, ok := strings.Cut(s, "<!-- hash:")
	if !ok {
		return ""
	}
	s, _, closed := strings.Cut(s, "-->")
	s = strings.ToLower(strings.TrimSpace(s))
	if _, err := hex.DecodeString(s); !closed || err != nil || len(s) != 2*md5.Size {
		return ""
	}
	return s
}
