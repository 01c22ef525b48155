package moment

import (
	"strings"
	"time"
)

// DayIn returns the first date YYYY-MM-DD in a text, "" for none.
func DayIn(text string) string {
	for i := 0; i+len(time.DateOnly) <= len(text); i++ {
		if !isDigit(text[i]) || i > 0 && isDigit(text[i-1]) {
			continue
		}
		day := LeadingDay(text[i:])
		if rest := text[i+len(day):]; day != "" && (rest == "" || !isDigit(rest[0])) {
			return day
		}
	}
	return ""
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// DayInTitle is DayIn, and also reads a date with the name of its month and its year: "8 March 2026".
func DayInTitle(title string) string {
	if day := DayIn(title); day != "" {
		return day
	}
	all := strings.FieldsFunc(title, func(r rune) bool { return strings.ContainsRune(" \t\n,_()[]–—", r) })
	for i := range all {
		for _, n := range []int{3, 1} {
			if text := strings.Join(all[i:min(i+n, len(all))], " "); len(text) >= len("1.1.2026") {
				if day, hasYear, ok := calendarDay(english(text)); ok && hasYear {
					return day.Format(time.DateOnly)
				}
			}
		}
	}
	return ""
}
