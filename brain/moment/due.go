package moment

import (
	"slices"
	"strings"
	"time"
	"unicode"
)

// longestDate is the maximum number of words of a date in a text.
const longestDate = 6

// Due returns the time by which something is to be done, as its text says it: a date after
// a word such as "due", "by" or "bis", or after 📅; without one, a date that is not past
// after "on" or "am" or at the end of the text; without one, today or tomorrow if the text
// begins with that. It is zero if there is none. now is the start of the day of the text.
func Due(text string, now time.Time) time.Time {
	var all []string
	for word := range strings.FieldsSeq(strings.NewReplacer("📅", " 📅 ", "due:", "due ", "(", " ", ")", " ", "[", " ", "]", " ").Replace(text)) {
		if word = strings.TrimRight(word, ",;:!?"); word != "" && word[0] != '#' {
			all = append(all, word)
		}
	}
	for _, behind := range []struct {
		words string
		past  bool
	}{{"due fällig deadline 📅", true}, {"by until till before bis spätestens", true}, {"on am vor", false}} {
		for i, word := range all {
			if slices.Contains(strings.Fields(behind.words), strings.ToLower(word)) {
				if t := dateAtStart(all[i+1:], now, behind.past); !t.IsZero() {
					return t
				}
			}
		}
	}
	t := dateAtEnd(all, now)
	if t.IsZero() && len(all) > 0 && slices.Contains([]string{"today", "tomorrow"}, english(all[0])) {
		t = date(all[:1], now, false)
	}
	return t
}

func dateAtStart(all []string, now time.Time, past bool) (t time.Time) {
	for n := min(len(all), longestDate); n > 0 && t.IsZero(); n-- {
		t = date(all[:n], now, past)
	}
	return t
}

// dateAtEnd returns the date at the end, unless the word before says otherwise: "letter of 5 May".
func dateAtEnd(all []string, now time.Time) (t time.Time) {
	other := strings.Fields("of from since every each last vom von seit jeden jede letzten")
	for start := max(0, len(all)-longestDate); start < len(all) && t.IsZero(); start++ {
		end := strings.Join(all[start:], " ")
		number := !strings.ContainsFunc(end, unicode.IsLetter) && !strings.Contains(end, "20") // such as a version
		part := slices.ContainsFunc(all[max(0, start-1):start+1], func(word string) bool { return slices.Contains(other, strings.ToLower(word)) })
		if !number && !part && len(end) > len("mon") {
			t = date(all[start:], now, false)
		}
	}
	return t
}

// date reads words as a date from the start of the day now, zero if they are none or past
// and may not be. If they may, as behind "by", a date without a year is at most two months
// past, and a time of day is one of that day. A length of time needs "in" or "next".
func date(all []string, now time.Time, past bool) time.Time {
	from := now
	if past {
		from = now.AddDate(0, -2, 0)
	}
	words := strings.Join(all, " ")
	for _, text := range []string{english(words), english(strings.TrimRight(words, "."))} {
		t, _, ok := parseDate(text, now, Future)
		if !ok {
			t, _, ok = parseNamedDay(text, now, Future)
		}
		if !ok {
			t, _, ok = parseCalendar(text, from, Future)
		}
		if !ok && past {
			t, _, ok = parseClock(text, now, Future)
		}
		if !ok && (strings.HasPrefix(text, "in ") || strings.HasPrefix(text, "next ")) {
			t, _, ok = parseOffset(text, now, Future)
		}
		if ok && text != "now" && (past || !t.Before(now)) {
			return t
		}
	}
	return time.Time{}
}
