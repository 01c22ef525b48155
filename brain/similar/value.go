package similar

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain/words"
)

// value is a word, or a value of a kind of which only one holds, in standard form.
type value struct {
	kind string // "" for a word
	word string
}

// typed reports whether the value can hardly be given in other words.
func (v value) typed() bool { return v.kind != "" && v.kind != "address" }

// group returns the group of things of which one is used for a purpose, "" for other words.
func (v value) group() string {
	name, _, _ := strings.Cut(v.word, "-")
	return known().kinds[name]
}

// identifies reports whether the number at a place tells things of a kind apart:
// issue 12, code 500.
func identifies(tokens []token, at int) bool {
	return at > 0 && tokens[at].kind == numbers && tokens[at-1].is(numbered) && !strings.HasSuffix(tokens[at-1].chunk, ":")
}

// base returns the base form of a token that is one word.
func (t *token) base() string {
	t.stems()
	return t.word.word
}

// measure is a unit: its kind, and how many of the standard unit it has.
type measure struct {
	kind   string
	factor float64
}

// polarity is a word that says yes or no.
type polarity struct {
	word string // first of its group
	no   bool
}

// readValue returns the value at the beginning of tokens, and how many of them it has;
// 0 if there is none.
func readValue(tokens []token) (v value, used int) {
	t := &tokens[0]
	switch t.kind {
	case plain:
		if strings.ContainsAny(t.folded, digits) && pattern().region.MatchString(t.folded) {
			return value{kind: "region", word: t.folded}, 1
		}
	case numbers:
		number, unit, _ := cutNumber(t.folded)
		return readNumber(number, unit, tokens)
	case dates:
		if strings.Contains(t.folded, ":") && !strings.Contains(t.folded, "-") {
			return readNumber(t.folded, "uhr", tokens)
		}
		return value{kind: "date", word: isoDate(t.folded)}, 1
	case versions:
		return value{kind: "number", word: strings.TrimPrefix(t.folded, "v")}, 1
	case paths, urls:
		return value{kind: "address", word: strings.TrimSuffix(t.folded, "/")}, 1
	}
	if len(t.stems()) == 1 {
		return readNamed(t.terms[0], tokens)
	}
	return value{}, 0
}

// readNamed returns the value that begins with a word: two weeks, Friday, May 3.
func readNamed(term string, tokens []token) (v value, used int) {
	t, number := &tokens[0], known().numbers[term]
	if number != "" && (number != "1" || term == "one" && len(tokens) > 1 && !words.Stop(tokens[1].folded)) {
		return readNumber(number, "", tokens)
	}
	if m := month(t); m != "" && (t.text == "May" || t.folded != "may") {
		if len(tokens) > 1 && dayOf(tokens[1].folded) != "" {
			return dated(m+dayOf(tokens[1].folded), tokens, 2)
		}
		return value{kind: "date", word: m}, 1
	}
	v = known().values[strings.TrimSuffix(t.folded, "s")]
	if v.kind == "" || v.kind == "month" {
		return value{}, 0
	}
	return v, 1
}

// month returns the month that a token names, "" if it is none.
func month(t *token) string {
	if v := known().values[strings.TrimSuffix(t.folded, ".")]; v.kind == "month" {
		return v.word
	}
	return ""
}

// dayOf returns the day in "3rd" and "3." with a blank before it, "" if there is none.
func dayOf(text string) string {
	digits := strings.TrimRight(text, "stndrh.")
	n, err := strconv.Atoi(digits)
	if err != nil || n > 31 {
		return ""
	}
	return " " + strconv.Itoa(n)
}

// dated returns a date of so many tokens, which a year may follow.
func dated(date string, tokens []token, used int) (v value, n int) {
	if len(tokens) > used && len(tokens[used].folded) == len("2026") && tokens[used].kind == numbers {
		used++
	}
	return value{kind: "date", word: date}, used
}

// isoDate returns 2026-03-01 as "march 1", other dates as they are.
func isoDate(text string) string {
	day, err := time.Parse(time.DateOnly, text[:min(len(text), len(time.DateOnly))])
	if err != nil {
		return text
	}
	return strings.ToLower(day.Format("January 2"))
}

// readNumber returns a number with the unit that it has or that follows, or the date
// that it begins.
func readNumber(number, unit string, tokens []token) (v value, used int) {
	if strings.HasPrefix(number, "#") {
		return value{}, 0
	}
	if rest := strings.TrimLeft(number, "$€£"); rest != number {
		number, unit = rest, strings.TrimSuffix(number, rest)
	}
	used = 1
	if len(tokens) > 1 && !strings.HasSuffix(tokens[0].chunk, ",") {
		if m := month(&tokens[1]); m != "" { // 3 May
			return dated(m+dayOf(number), tokens, 2)
		}
		if next := unitOf(&tokens[1]); next != "" && (unit == "" || known().measures[next].kind == "time") {
			unit, used = next, 2
		}
	}
	m, ok := known().measures[unit]
	n, err := strconv.ParseFloat(number, 64)
	switch ordinal := strings.TrimLeft(number+unit, digits); {
	case slices.Contains([]string{"st", "nd", "rd", "th"}, ordinal):
		return value{kind: "ordinal", word: number + unit}, used
	case ok && m.kind == "time":
		return value{kind: m.kind, word: clock(number, m.factor)}, used
	case !ok || err != nil:
		return value{kind: cmp.Or(m.kind, "number"), word: number + strings.Trim(unit, ".")}, used
	}
	return value{kind: m.kind, word: strconv.FormatFloat(n*m.factor, 'g', 10, 64)}, used
}

// unitOf returns the unit that a token names, "" if it is none.
func unitOf(t *token) string {
	for _, name := range append(t.stems(), t.folded) {
		if _, ok := known().measures[name]; ok {
			return name
		}
	}
	return ""
}

// isDuration reports whether a token names a unit of time.
func isDuration(t *token) bool { return known().measures[unitOf(t)].kind == "duration" }

// clock returns a time of day, a number of hours from one, as 9:00.
func clock(number string, from float64) string {
	hour, minute, _ := strings.Cut(number, ":")
	h, _ := strconv.Atoi(hour)
	if h < 12 {
		h += int(from)
	}
	return strconv.Itoa(h) + ":" + (minute + "00")[:2]
}
