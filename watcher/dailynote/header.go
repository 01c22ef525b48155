package dailynote

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// maxQuoted bounds the text that a message quotes, in characters.
const maxQuoted = 40

type header struct {
	clock   string        // HH:MM or HH:MM:SS
	offset  time.Duration // of the clock time since midnight
	zone    string        // as written, "" if there is none
	written string        // the type before the colon in lower case, "" if there is none
	emoji   string        // the type that the emoji stands for, "" if unknown
	grade   string        // importance in brackets, "" if there is none
	title   string
}

// clockPattern matches the bracket of a header: the clock time, what follows it, the
// bracket that closes it, and the text behind. "[1:1 with Bob]" is not a clock time.
var clockPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\[[ \t]*([0-9]+:[0-9]{2}[0-9:]*)([^\]]*)(\]?)(.*)`)
})

// parseHeader reads the text of a level-2 heading. If ok is false it is not the header of an
// outcome; fault says what is wrong with a clock time.
func parseHeader(text string) (h header, ok bool, fault string) {
	found := clockPattern().FindStringSubmatch(text)
	switch {
	case found == nil:
		return h, false, ""
	case found[3] == "":
		return h, false, "the bracket before the time is not closed"
	}
	h.zone = strings.TrimSpace(found[2])
	if h.clock, h.offset, ok = parseClock(found[1]); !ok {
		return h, false, fmt.Sprintf("%q is not a time of day", plaintext.Shorten(strings.TrimSpace(found[1]+found[2]), maxQuoted))
	}
	h.readTitle(strings.TrimSpace(found[4]))
	return h, true, ""
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

var typePattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`) })

// typeWord returns s in lower case if it has the form [a-z][a-z0-9_-]*, else "".
func typeWord(s string) string {
	if !typePattern().MatchString(s) {
		return ""
	}
	return strings.ToLower(s)
}
