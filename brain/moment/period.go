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
	monday := today - (int(now.Weekday())+6)%7
	name, behind := text, false // a preposition or last
	for _, word := range []string{"in ", "im ", "on ", "am ", "from ", "during "} {
		if inner, found := strings.CutPrefix(text, word); found {
			name, behind = inner, true
		}
	}
	switch name {
	case "today":
		return day(year, month, today), now, true
	case "yesterday":
		return day(year, month, today-1), day(year, month, today), true
	case "this week":
		return day(year, month, monday), now, true
	case "last week":
		return day(year, month, monday-7), day(year, month, monday), true
	case "this month":
		return day(year, month, 1), now, true
	case "last month":
		return day(year, month-1, 1), day(year, month, 1), true
	case "this year":
		return day(year, 1, 1), now, true
	case "last year":
		return day(year-1, 1, 1), day(year, 1, 1), true
	}
	ago, found := strings.CutSuffix(name, " ago")
	if !found {
		ago, found = strings.CutPrefix(name, "vor ")
	}
	if found {
		n, unit, _ := parseCount(ago)
		switch unit {
		case "day":
			return day(year, month, today-n), day(year, month, today-n+1), true
		case "week":
			return day(year, month, monday-7*n), day(year, month, monday-7*n+7), true
		case "month":
			return day(year, month-time.Month(n), 1), day(year, month-time.Month(n)+1, 1), true
		case "year":
			return day(year-n, 1, 1), day(year-n+1, 1, 1), true
		}
	}
	name, last := strings.CutPrefix(name, "last ")
	if n, unit, counted := parseCount(name); counted && last {
		since, ok = addUnits(now, -n, unit)
		return since, now, ok
	}
	if days, named := daysUntil(name, now.Weekday(), Past); named && last && len(name) > len("mon") {
		return day(year, month, today+days), day(year, month, today+days+1), true
	}
	for _, layout := range []string{"January 2006", "January"} {
		t, err := time.Parse(layout, name)
		if err != nil || !behind && !last && layout == "January" {
			continue
		}
		if layout == "January" {
			t = t.AddDate(year, 0, 0)
		}
		if since = day(t.Year(), t.Month(), 1); since.After(now) {
			since = since.AddDate(-1, 0, 0)
		}
		return since, since.AddDate(0, 1, 0), true
	}
	return since, until, false
}
