package moment

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// parseOffset reads a length of time from now, in calendar units or as a duration.
func parseOffset(text string, now time.Time, d Direction) (t time.Time, wholeDay, ok bool) {
	text, d = cutDirection(text, d)
	if n, unit, ok := parseCount(text); ok {
		if t, ok := addUnits(now, n*int(d), unit); ok {
			return t, false, true
		}
	}
	length, err := ParseDuration(text)
	return now.Add(time.Duration(d) * length), false, err == nil
}

// cutDirection removes the words that say where a length of time points to.
func cutDirection(text string, d Direction) (string, Direction) {
	if rest, found := strings.CutPrefix(text, "in "); found {
		return rest, Future
	}
	if rest, found := strings.CutSuffix(text, " ago"); found {
		return rest, Past
	}
	if rest, found := strings.CutPrefix(text, "last "); found {
		return "1 " + rest, Past
	}
	if rest, found := strings.CutPrefix(text, "next "); found {
		return "1 " + rest, Future
	}
	return text, d
}

// parseCount reads a number and the singular of a unit: 2w, 3 days, a month.
func parseCount(text string) (n int, unit string, ok bool) {
	word := strings.TrimLeft(text, "0123456789")
	if digits := text[:len(text)-len(word)]; digits != "" {
		number, err := strconv.Atoi(digits)
		if err != nil || number > 1_000_000 { // more would overflow in some unit
			return 0, "", false
		}
		n, word = number, strings.TrimSpace(word)
	} else {
		var name string
		name, word, _ = strings.Cut(text, " ")
		if name == "a" || name == "an" {
			name = "one"
		}
		if n = 1 + slices.Index(strings.Fields("one two three four five six seven eight nine ten eleven twelve"), name); n == 0 {
			return 0, "", false
		}
	}
	return n, strings.TrimSuffix(word, "s"), true
}

// addUnits adds n calendar units to a time; ok is false for an unknown unit.
func addUnits(t time.Time, n int, unit string) (sum time.Time, ok bool) {
	switch unit {
	case "min", "minute":
		return t.Add(time.Duration(n) * time.Minute), true
	case "h", "hour":
		return t.Add(time.Duration(n) * time.Hour), true
	case "d", "day":
		return t.AddDate(0, 0, n), true
	case "w", "week":
		return t.AddDate(0, 0, 7*n), true
	case "mo", "month":
		return t.AddDate(0, n, 0), true
	case "y", "year":
		return t.AddDate(n, 0, 0), true
	}
	return t, false
}
