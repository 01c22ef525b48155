package dailynote

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// maxQuoted bounds the text that a message quotes, in characters.
const maxQuoted = 40

// header is the header line of an outcome.
type header struct {
	clock   string        // HH:MM or HH:MM:SS
	offset  time.Duration // of the clock time since midnight
	zone    string        // as written, "" if there is none
	written string        // the type before the colon in lower case, "" if there is none
	emoji   string        // the type that the emoji stands for, "" if unknown
	grade   string        // importance in brackets, "" if there is none
	title   string
}

// parseHeader reads the text of a level-2 heading. If ok is false it is not the
// header of an outcome; fault then says what is wrong with it if a clock time was
// meant.
func parseHeader(text string) (h header, ok bool, fault string) {
	inner, rest, meant := cutClock(text)
	if !meant {
		return h, false, ""
	}
	if inner == "" {
		return h, false, "the bracket before the time is not closed"
	}
	digits := inner[:len(inner)-len(strings.TrimLeft(inner, "0123456789:"))]
	h.zone = strings.TrimSpace(inner[len(digits):])
	if h.clock, h.offset, ok = parseClock(digits); !ok {
		return h, false, fmt.Sprintf("%q is not a time of day", plaintext.Shorten(inner, maxQuoted))
	}
	h.readTitle(strings.TrimSpace(rest))
	return h, true, ""
}

// cutClock splits "[14:30 CET] rest". meant is false if the bracket does not
// begin like a clock time, as in "[1:1 with Bob]"; inner is empty if the bracket
// is not closed.
func cutClock(text string) (inner, rest string, meant bool) {
	if !strings.HasPrefix(text, "[") {
		return "", "", false
	}
	after := strings.TrimLeft(text[1:], " \t")
	number := strings.TrimLeft(after, "0123456789")
	minute, colon := strings.CutPrefix(number, ":")
	if number == after || !colon || len(strings.TrimLeft(minute, "0123456789"))+2 > len(minute) {
		return "", "", false
	}
	inner, rest, closed := strings.Cut(after, "]")
	if !closed {
		return "", "", true
	}
	return strings.TrimSpace(inner), rest, true
}

// parseClock reads a time of day, and returns it with two-digit hours.
func parseClock(s string) (clock string, offset time.Duration, ok bool) {
	for _, layout := range []string{"15:04", time.TimeOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Format(layout), t.Sub(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)), true
		}
	}
	return "", 0, false
}

// readTitle reads the part behind the clock time: emoji, importance, type, title.
func (h *header) readTitle(s string) {
	cluster := emojiPrefix(s)
	rest := strings.TrimLeft(s[len(cluster):], " \t")
	h.grade, rest = cutGrade(rest)
	if cluster == "" && h.grade != "" {
		cluster = emojiPrefix(rest)
		rest = strings.TrimLeft(rest[len(cluster):], " \t")
	}
	h.emoji = emojiType(cluster)
	h.written, h.title = cutType(rest)
	// An unknown emoji is part of the title.
	if h.written == "" && h.emoji == "" && cluster != "" {
		h.title = strings.TrimSpace(cluster + " " + h.title)
		if h.grade == "" {
			h.title = s
		}
	}
}

func cutGrade(s string) (grade, rest string) {
	if !strings.HasPrefix(s, "[") {
		return "", s
	}
	inner, after, _ := strings.Cut(s[1:], "]")
	grade = parseGrade(inner)
	if grade == "" {
		return "", s
	}
	return grade, strings.TrimLeft(after, " \t")
}

func parseGrade(s string) string {
	s = strings.TrimSpace(s)
	for _, grade := range []string{Critical, Important, Reference} {
		if strings.EqualFold(s, grade) {
			return grade
		}
	}
	return ""
}

// cutType splits "type: title". The scheme of a URL is not a type.
func cutType(s string) (written, title string) {
	word, after, ok := strings.Cut(s, ":")
	written = cmp.Or(typeWord(word), KindOf(word))
	if !ok || written == "" || strings.HasPrefix(after, "//") {
		return "", strings.TrimSpace(s)
	}
	return written, strings.TrimSpace(after)
}

// typeWord returns s in lower case if it has the form [a-z][a-z0-9_-]* in any
// case, else "".
func typeWord(s string) string {
	for i := range len(s) {
		c := s[i] | 0x20
		letter := c >= 'a' && c <= 'z'
		other := s[i] >= '0' && s[i] <= '9' || s[i] == '_' || s[i] == '-'
		if !letter && (i == 0 || !other) {
			return ""
		}
	}
	return strings.ToLower(s)
}
