package dailynote

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// maxQuoted bounds the text that a message quotes, in characters.
const maxQuoted = 40

type header struct {
	day     string        // YYYY-MM-DD before the clock time, "" if there is none
	clock   string        // HH:MM or HH:MM:SS
	offset  time.Duration // of the clock time since midnight
	zone    string        // as written, "" if there is none
	written string        // the type before the colon in lower case, "" if there is none
	emoji   string        // the type that the emoji stands for, "" if unknown
	grade   string        // importance in brackets, "" if there is none
	title   string

	bracketed bool // the clock time is in brackets at the beginning
}

// A clock time, also with AM or PM, which the hour alone needs; and what may follow it.
const (
	clockForm = `[0-9]{1,2}(?::[0-9]{2}){1,2}(?:[ \t]*[AaPp](?:\.[Mm]\.|[Mm]\b))?|[0-9]{1,2}[ \t]*[AaPp](?:\.[Mm]\.|[Mm]\b)`
	rangeForm = `[ \t]*[–—][ \t]*(?:` + clockForm + `)|[ \t]+-[ \t]+(?:` + clockForm + `)|-(?:` + clockForm + `)`
	zoneForm  = `(?:UTC|GMT)?[+-][0-9]{1,2}(?::?[0-9]{2})?|[A-Z]{1,4}|[A-Z][A-Za-z]+(?:/[A-Z][A-Za-z_]+)+`
)

// bracketPattern matches a heading that begins with a time in brackets: the time, what
// follows it, the bracket that closes it, and the text behind. "[1:1 with Bob]" is not a time.
var bracketPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\[[ \t]*(` + clockForm + `|[0-9]+:[0-9]{2}[0-9:]*)(?:[ \t]+-[ \t]+(?:` + clockForm + `)|[–—](?:` + clockForm + `))?([^\]]*)(\]?)(.*)`)
})

// startPattern matches a heading that begins with a time, and endPattern one that ends with it.
var startPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(` + clockForm + `)(?:` + rangeForm + `)?(?:[ \t]+(` + zoneForm + `))?([ \t]*[-–—:|,·•].*|[ \t].*|)$`)
})

// After a blank alone, hours of one digit are not a time: "John 3:16".
var endPattern = sync.OnceValue(func() *regexp.Regexp {
	const full = `[0-9]{1,2}(?::[0-9]{2}){0,2}[ \t]*[AaPp](?:\.[Mm]\.|[Mm]\b)|[0-9]{2}(?::[0-9]{2}){1,2}`
	return regexp.MustCompile(`^(.*?)(?:(?:[(\[@~–—|,]|[ \t]-)[ \t]*(` + clockForm + `)|[ \t](` + full + `))(?:` + rangeForm + `)?(?:[ \t]+(` + zoneForm + `))?[ \t]*[)\]]?$`)
})

// timeAtStart reads a time at the beginning of a text; title is the text behind it. found is
// false if there is none; fault says what is wrong with one.
func timeAtStart(text string) (h header, title string, found bool, fault string) {
	if m := bracketPattern().FindStringSubmatch(text); m != nil {
		if m[3] == "" {
			return h, text, true, "the bracket before the time is not closed"
		}
		h.clock, h.zone, title, h.bracketed = m[1], strings.TrimSpace(m[2]), m[4], true
	} else if m := startPattern().FindStringSubmatch(text); m != nil {
		h.clock, h.zone, title = m[1], m[2], m[3]
		if h.zone != "" && zoneOf(h.zone) == nil { // a word of the title
			h.zone, title = "", h.zone+title
		}
	} else {
		return h, text, false, ""
	}
	title = strings.TrimLeft(title, " \t")
	if cut := strings.TrimLeft(title, "-–—:|,·•"); cut == "" || cut[0] == ' ' || cut[0] == '\t' {
		title = strings.TrimLeft(cut, " \t")
	}
	fault = h.setClock()
	return h, title, true, fault
}

// timeAtEnd reads a time at the end of a text like timeAtStart.
func timeAtEnd(text string) (h header, title string, found bool, fault string) {
	m := endPattern().FindStringSubmatch(text)
	if len(m) == 0 || m[4] != "" && zoneOf(m[4]) == nil {
		return h, text, false, ""
	}
	h.clock, h.zone = m[2]+m[3], m[4]
	fault = h.setClock()
	return h, strings.TrimRight(m[1], " \t([@~–—|-,:"), true, fault
}

// setClock reads the clock time as written, and returns what is wrong with it.
func (h *header) setClock() (fault string) {
	written, ok := h.clock, false
	if h.clock, h.offset, ok = parseClock(written); !ok {
		return fmt.Sprintf("%q is not a time of day", plaintext.Shorten(written, maxQuoted))
	}
	return ""
}

// parseHeader reads the text of a heading. If ok is false it is not the header of an outcome;
// fault says what is wrong with a clock time.
func parseHeader(text string) (h header, ok bool, fault string) {
	if !strings.Contains(text, ":") && !strings.ContainsAny(text, "mM") { // no time, as in most headings
		return h, false, ""
	}
	if strings.HasPrefix(text, "**") {
		text = strings.ReplaceAll(text, "**", "")
	}
	day, text := cutDay(text)
	emoji := emojiPrefix(text)
	h, title, found, fault := timeAtStart(strings.TrimLeft(text[len(emoji):], " \t"))
	if h.day = day; !found {
		emoji = ""
		h, title, found, fault = timeAtEnd(text)
	}
	if !found || fault != "" {
		return h, false, fault
	}
	h.readTitle(strings.TrimSpace(emoji + " " + strings.TrimSpace(title)))
	signs := h.title != "" && !strings.ContainsFunc(h.title, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	return h, !signs || h.bracketed || h.written+h.emoji != "", "" // "## 08:04 💓" says nothing
}

// dayPattern matches a date before a clock time: "2026-11-28 09:24", "[2026-11-28 09:24]".
var dayPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\[?)([0-9]{4}-[0-9]{2}-[0-9]{2})(?:T|,?[ \t]+(?:[-–—@][ \t]+)?)([0-9].*)$`)
})

// cutDay cuts a date off that stands before a clock time at the beginning of a heading.
func cutDay(text string) (day, rest string) {
	m := dayPattern().FindStringSubmatch(text)
	if m == nil {
		return "", text
	}
	rest = m[1] + m[3]
	if _, _, found, _ := timeAtStart(rest); !found {
		return "", text
	}
	return m[2], rest
}

// cutTime returns the clock time at the beginning of a list item, also one in bold type, and the
// text behind it.
func cutTime(text string) (h header, rest string) {
	plain := text
	if bold, ok := strings.CutPrefix(text, "**"); ok {
		plain = strings.Replace(bold, "**", "", 1)
	}
	if plain == "" || plain[0] != '[' && (plain[0] < '0' || plain[0] > '9') {
		return h, text
	}
	first, more, _ := strings.Cut(plain, "\n")
	h, title, found, fault := timeAtStart(first)
	if !found || fault != "" {
		return header{}, text
	}
	return h, strings.TrimSuffix(title+"\n"+more, "\n")
}

// parseClock reads a time of day, and returns it with two-digit hours, of 24.
func parseClock(s string) (clock string, offset time.Duration, ok bool) {
	digits := strings.TrimRight(s, " \t.AaPpMm")
	half := strings.ToLower(strings.Trim(s[len(digits):], " \t"))
	hour, rest, _ := strings.Cut(digits, ":")
	h, err := strconv.Atoi(hour)
	switch {
	case err != nil, half != "" && (rest == "" && h == 0 || half[0] == 'a' && h > 12):
		return "", 0, false
	case half != "" && half[0] == 'p' && h < 12:
		h += 12
	case half != "" && half[0] == 'a' && h == 12:
		h = 0
	}
	digits = fmt.Sprintf("%02d:%s", h, cmp.Or(rest, "00"))
	for _, layout := range []string{"15:04", time.TimeOnly} {
		if t, err := time.Parse(layout, digits); err == nil {
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
	h.written, h.title = cutType(rest, h.bracketed)
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

// cutType splits "type: title" and "type - title". The scheme of a URL is not a type. Behind
// a time without brackets, a dash follows a kind only. The type may be in bold type.
func cutType(s string, bracketed bool) (written, title string) {
	if bold, ok := strings.CutPrefix(s, "**"); ok {
		if written, title = cutType(strings.Replace(bold, "**", "", 1), bracketed); written != "" {
			return written, title
		}
	}
	word, after, ok := strings.Cut(s, ":")
	written = cmp.Or(typeWord(word), KindOf(word))
	if ok && written != "" && !strings.HasPrefix(after, "//") {
		return written, strings.TrimSpace(after)
	}
	for _, dash := range []string{" - ", " – ", " — "} {
		word, after, ok = strings.Cut(s, dash)
		written = cmp.Or(typeWord(word), KindOf(word))
		if ok && written != "" && (bracketed || KindOf(word) != "") {
			return written, strings.TrimSpace(after)
		}
	}
	return "", strings.TrimSpace(s)
}

var typePattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`) })

// typeWord returns s in lower case if it has the form [a-z][a-z0-9_-]*, else "".
func typeWord(s string) string {
	if !typePattern().MatchString(s) {
		return ""
	}
	return strings.ToLower(s)
}
