package moment

import (
	"slices"
	"strings"
	"time"
)

// Period is a span of past days that a question names.
type Period struct {
	Words string    `json:"words"` // as the question has it: "last week"
	Since time.Time `json:"since"`
	Until time.Time `json:"until"` // the first instant after it, or now
}

// String returns its words, without a preposition, and its days: last week (2026-03-02 to 2026-03-08).
func (p Period) String() string {
	first, last := p.Since.Format(time.DateOnly), p.Until.Add(-1).Format(time.DateOnly)
	if first != last {
		first += " to " + last
	}
	name := p.Words
	if word, rest, more := strings.Cut(name, " "); more && slices.Contains(strings.Fields("in im on am from during since seit"), strings.ToLower(word)) {
		name = rest
	}
	return name + " (" + first + ")"
}

// longestPeriod is the maximum number of words that name a period: "in the last three weeks".
const longestPeriod = 5

// PeriodIn returns the first period that a question names, and the question without it: today,
// yesterday, this or last week, month or year, the last N days, weeks or months, the day,
// week, month or year some time ago, a month ("in October") or last Friday, in English or German. Dates and "on Friday" are not periods: they
// are often what a text is about.
func PeriodIn(question string, now time.Time) (p Period, rest string, ok bool) {
	all := strings.Fields(question)
	for start := range all {
		for n := min(longestPeriod, len(all)-start); n > 0; n-- {
			p.Words = strings.Trim(strings.Join(all[start:start+n], " "), "?!.,;:")
			if p.Since, p.Until, ok = period(english(p.Words), now); ok {
				return p, strings.Join(append(all[:start:start], all[start+n:]...), " "), true
			}
		}
	}
	return Period{}, question, false
}

// spans are periods by their words: how many units ago they were.
var spans = map[string]struct {
	n    int
	unit string
}{
	"today": {0, "day"}, "yesterday": {1, "day"}, "this week": {0, "week"}, "last week": {1, "week"},
	"this month": {0, "month"}, "last month": {1, "month"}, "this year": {0, "year"}, "last year": {1, "year"},
}

// unitBack returns the day, week, month or year of the calendar that was n of them ago, of the
// present one what has passed.
func unitBack(n int, unit string, now time.Time) (since, until time.Time, ok bool) {
	year, month, today := now.Date()
	day := func(year int, month time.Month, day int) time.Time {
		return time.Date(year, month, day, 0, 0, 0, 0, now.Location())
	}
	monday := today - (int(now.Weekday())+6)%7
	switch unit {
	case "day":
		since, until = day(year, month, today-n), day(year, month, today-n+1)
	case "week":
		since, until = day(year, month, monday-7*n), day(year, month, monday-7*n+7)
	case "month":
		since, until = day(year, month-time.Month(n), 1), day(year, month-time.Month(n)+1, 1)
	case "year":
		since, until = day(year-n, 1, 1), day(year-n+1, 1, 1)
	default:
		return since, until, false
	}
	if until.After(now) {
		until = now
	}
	return since, until, true
}

// period reads the English words of a period.
func period(text string, now time.Time) (since, until time.Time, ok bool) {
	if from, found := strings.CutPrefix(text, "since "); found {
		if since, _, ok = period("in "+from, now); !ok {
			since, _, ok = period("last "+from, now)
		}
		return since, now, ok
	}
	year, month, today := now.Date()
	day := func(year int, month time.Month, day int) time.Time {
		return time.Date(year, month, day, 0, 0, 0, 0, now.Location())
	}
	name, behind := text, false // a preposition or last
	for _, word := range []string{"in ", "im ", "on ", "am ", "from ", "during "} {
		if inner, found := strings.CutPrefix(text, word); found {
			name, behind = inner, true
		}
	}
	back, named := spans[name]
	if ago, found := strings.CutSuffix(name, " ago"); found {
		back.n, back.unit, named = parseCount(ago)
	} else if ago, found := strings.CutPrefix(name, "vor "); found {
		back.n, back.unit, named = parseCount(ago)
	}
	if named {
		return unitBack(back.n, back.unit, now)
	}
	name, last := strings.CutPrefix(name, "last ")
	if n, unit, counted := parseCount(name); counted && last {
		since, ok = addUnits(now, -n, unit)
		return since, now, ok
	}
	if days, named := daysUntil(name, now.Weekday(), Past); named && last && len(name) > len("mon") {
		return day(year, month, today+days), day(year, month, today+days+1), true
	}
	return monthNamed(name, behind || last, now)
}

// monthNamed reads a month with its year, and one alone if something says that it is a time: the
// latest that has begun.
func monthNamed(name string, alone bool, now time.Time) (since, until time.Time, ok bool) {
	t, err := time.Parse("January 2006", name)
	if err != nil && alone {
		if t, err = time.Parse("January", name); err == nil {
			t = t.AddDate(now.Year(), 0, 0)
		}
	}
	if err != nil {
		return since, until, false
	}
	since = time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, now.Location())
	if since.After(now) {
		since = since.AddDate(-1, 0, 0)
	}
	return since, since.AddDate(0, 1, 0), true
}
