// Package moment reads times and durations as people write them on the command
// line, in settings and in calls of agents.
//
// A time is one of these, in the time zone of now unless it names one:
//
//	2026-03-01T14:00:00Z           RFC 3339
//	2026-03-01 14:00[:30]          also with T between date and time
//	2026-03-01, 1.3.2026           the day, from midnight
//	Dec 5, 5th of December 2026    the day; without a year the next or the last one, as the caller says
//	now
//	today, tomorrow, friday, fri   the day; with a time of day: friday at 9:00
//	3pm, at 15:00                  the next time of day, or the last one
//	2w, 3 days, a month            a number or number word with minutes, hours, days, weeks, months or years
//	1h30m, 1w2d12h                 a duration
//
// The last two count from now: back or forward as the caller says, unless the
// text says it: "in 3 days", "two weeks ago", "last week", "next month". Days,
// weeks, months and years are those of the calendar there. German words are read as the
// English ones: "5. Dezember", "in drei Tagen", "morgen um 14 Uhr".
package moment

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// Direction says whether a time is past or future for a length of time without "in" or "ago", and
// which of two weekdays a name means.
type Direction int

// The directions.
const (
	Past   Direction = -1 // 3d is three days ago
	Future Direction = 1  // 3d is in three days
)

// Examples returns accepted forms, for hints of errors.
func (d Direction) Examples() string {
	if d == Future {
		return `2026-03-01, 2026-03-01T14:00:00Z, 7d, tomorrow, friday, 3pm or "in 3 days"`
	}
	return `2026-03-01, 2026-03-01T14:00:00Z, 7d, yesterday or "two weeks ago"`
}

// Parse reads a time. wholeDay reports whether the text names a day without a
// time of day; t is its midnight then. Only years 1 to 9999 are accepted.
func Parse(text string, now time.Time, d Direction) (t time.Time, wholeDay bool, err error) {
	plain := english(text)
	for _, parse := range []func(string, time.Time, Direction) (time.Time, bool, bool){parseDate, parseNamedDay, parseCalendar, parseClock, parseOffset} {
		t, wholeDay, ok := parse(plain, now, d)
		if ok && t.Year() >= 1 && t.Year() <= 9999 {
			return t, wholeDay, nil
		}
	}
	return time.Time{}, false, fmt.Errorf("cannot read %.60q as a time", text)
}

// ParseEnd reads an instant in the past. A day means the time before its end: 0 is the next
// midnight.
func ParseEnd(text string, now time.Time, before time.Duration) (time.Time, error) {
	t, wholeDay, err := Parse(text, now, Past)
	if wholeDay {
		t = t.AddDate(0, 0, 1).Add(-before)
	}
	return t, err
}

// ParseDay reads a date, today or yesterday, and returns the date as YYYY-MM-DD.
func ParseDay(text string, now time.Time) (string, error) {
	switch strings.ToLower(text) {
	case "today":
		return now.Format(time.DateOnly), nil
	case "yesterday":
		return now.AddDate(0, 0, -1).Format(time.DateOnly), nil
	}
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return "", fmt.Errorf("cannot read %.60q as a date", text)
	}
	return text, nil
}

// LeadingDay returns the date YYYY-MM-DD with which a text begins, "" without one.
func LeadingDay(text string) string {
	day := text[:min(len(text), len(time.DateOnly))]
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return ""
	}
	return day
}

// StartOfDay returns the first instant of a day YYYY-MM-DD in a zone, in UTC; zero if there
// is no such day.
func StartOfDay(day string, zone *time.Location) time.Time {
	t, err := time.ParseInLocation(time.DateOnly, day, zone)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}

// ParseTimestamp reads a time as programs write it: RFC 3339, or a date with or
// without a time of day in UTC.
func ParseTimestamp(text string) (t time.Time, ok bool) {
	t, _, ok = parseDate(text, time.Time{}, Past)
	if !ok || t.Year() <= 0 {
		return time.Time{}, false
	}
	return t, true
}

// parseDate reads RFC 3339, or a date with or without a time of day in the zone of now.
func parseDate(text string, now time.Time, _ Direction) (t time.Time, wholeDay, ok bool) {
	text = strings.ToUpper(text)
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t, false, true
	}
	for _, layout := range []string{
		time.DateTime, "2006-01-02 15:04", "2006-01-02T15:04:05", "2006-01-02T15:04:05-0700", "2006-01-02T15:04", time.DateOnly,
	} {
		if t, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return t, layout == time.DateOnly, true
		}
	}
	return t, false, false
}

// parseNamedDay reads now, and days by their names with or without a time of day.
func parseNamedDay(text string, now time.Time, d Direction) (t time.Time, wholeDay, ok bool) {
	if text == "now" {
		return now, false, true
	}
	name, clock, timed := cutClock(text)
	for _, word := range []string{"next ", "this "} {
		if rest, coming := strings.CutPrefix(name, word); coming {
			name, d = rest, Future
		}
	}
	days, ok := daysUntil(name, now.Weekday(), d)
	return onDay(now.Year(), now.Month(), now.Day()+days, clock, now), !timed, ok
}

// daysUntil returns how many days after today a named day is. A weekday is never today.
func daysUntil(name string, today time.Weekday, d Direction) (days int, ok bool) {
	switch name {
	case "today":
		return 0, true
	case "tomorrow":
		return 1, true
	case "yesterday":
		return -1, true
	case "übermorgen", "day after tomorrow":
		return 2, true
	}
	for weekday := time.Sunday; weekday <= time.Saturday; weekday++ {
		full := strings.ToLower(weekday.String())
		if name != full && name != full[:3] {
			continue
		}
		days = (int(weekday-today) + 7) % 7
		if d == Past {
			return days - 7, true
		}
		return cmp.Or(days, 7), true
	}
	return 0, false
}
