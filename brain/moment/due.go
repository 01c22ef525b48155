package moment

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// longestDate is the maximum number of words of a date in a text.
const longestDate = 6

// Due returns the time by which something is to be done, as its text says it: a date after
// a word such as "due", "by" or "bis", or after 📅; without one, a date that is not past
// after "on" or "am" or at the end of the text; without one, the only date in it that is not
// past; without one, today or tomorrow if the text begins with that. It is zero if there is
// none. now is the start of the day of the text.
func Due(text string, now time.Time) time.Time {
	var all []string
	for word := range strings.FieldsSeq(strings.NewReplacer("📅", " 📅 ", "due:", "due ", "(", " ", ")", " ", "[", " ", "]", " ").Replace(text)) {
		if word = strings.TrimRight(word, ",;:!?"); word != "" && word[0] != '#' {
			all = append(all, word)
		}
	}
	if !slices.ContainsFunc(all, isTimeWord) { // as in most texts
		return time.Time{}
	}
	for _, behind := range []struct {
		words string
		past  bool
	}{{"due fällig deadline 📅", true}, {"by until till before bis spätestens", true}, {"on am vor", false}} {
		if t := dateBehind(strings.Fields(behind.words), all, now, behind.past); !t.IsZero() {
			return t
		}
	}
	t := dateAtEnd(all, now)
	if t.IsZero() {
		t = onlyDate(all, now)
	}
	if t.IsZero() && len(all) > 0 && slices.Contains([]string{"today", "tomorrow"}, english(all[0])) {
		t = date(all[:1], now, false)
	}
	return t
}

// isTimeWord reports whether a word can be part of a date and is not a number word or a
// preposition. A date has at least one.
func isTimeWord(word string) bool {
	if strings.ContainsAny(word, "0123456789") {
		return true
	}
	word = strings.TrimRight(strings.ToLower(word), ".")
	word = strings.TrimSuffix(cmp.Or(vocabulary()[word], word), "s")
	switch word {
	case "today", "tomorrow", "yesterday", "übermorgen", "min", "minute", "hour", "day", "week", "month", "year", "noon", "midnight", "mittag", "mitternacht", "now":
		return true
	}
	for weekday := time.Sunday; weekday <= time.Saturday; weekday++ {
		if name := strings.ToLower(weekday.String()); word == name || word == name[:3] {
			return true
		}
	}
	return false
}

// dateBehind returns the first date behind one of the words, or the only one in full if that is
// the name of a day: "by Friday next week (27.11.)".
func dateBehind(words, all []string, now time.Time, past bool) time.Time {
	for i, word := range all {
		if !slices.Contains(words, strings.ToLower(word)) {
			continue
		}
		t, n := dateAtStart(all[i+1:], now, past)
		switch {
		case t.IsZero():
		case hasDayAndMonth(strings.Join(all[i+1:i+1+n], " ")):
			return t
		default:
			return cmp.Or(onlyDate(all, now), t)
		}
	}
	return time.Time{}
}

// dateAtStart returns the date that words begin with, and of how many words it is.
func dateAtStart(all []string, now time.Time, past bool) (t time.Time, n int) {
	for n = min(len(all), longestDate); n > 0; n-- {
		if t = date(all[:n], now, past); !t.IsZero() {
			break
		}
	}
	return t, n
}

// other has words behind which a date is not that of a task: "letter of 5 May".
var other = strings.Fields("of from since every each last vom von seit jeden jede letzten")

// onlyDate returns the only date in a text that has a day and a month. It is zero if there are several.
func onlyDate(all []string, now time.Time) (t time.Time) {
	for start := 0; start < len(all); start++ {
		first, _ := utf8.DecodeRuneInString(all[start])
		if unicode.IsLower(first) || start > 0 && slices.Contains(other, strings.ToLower(all[start-1])) {
			continue // "we may 5 of us go"
		}
		for n := min(len(all)-start, longestDate); n > 0; n-- {
			found := date(all[start:start+n], now, false)
			if found.IsZero() || !hasDayAndMonth(strings.Join(all[start:start+n], " ")) {
				continue
			}
			if !t.IsZero() && !t.Equal(found) {
				return time.Time{}
			}
			t, start = found, start+n-1
			break
		}
	}
	return t
}

// hasDayAndMonth reports whether a date is written in full. A number such as 3.4 can be a version.
func hasDayAndMonth(text string) bool {
	digits := 0
	for _, r := range text {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	return digits > 2 || digits > 0 && strings.ContainsFunc(text, unicode.IsLetter)
}

// dateAtEnd returns the date at the end, unless the word before says otherwise.
func dateAtEnd(all []string, now time.Time) (t time.Time) {
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
