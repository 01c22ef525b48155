package moment

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"
)

// parseCalendar reads dates with the name of a month, and numeric ones in the order of
// German (1.3.2026), each with or without a time of day.
func parseCalendar(text string, now time.Time, d Direction) (t time.Time, wholeDay, ok bool) {
	name, clock, timed := cutClock(text)
	day, hasYear, ok := calendarDay(name)
	if !ok {
		return t, false, false
	}
	year := day.Year()
	if !hasYear {
		year = now.Year()
		today := time.Date(0, now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
		if d == Future && day.Before(today) || d == Past && day.After(today) {
			year += int(d)
		}
	}
	return onDay(year, day.Month(), day.Day(), clock, now), !timed, true
}

// calendarDay reads a date in UTC, in the year 0 if it has none. One with slashes counts only if
// it is the same day or no day in the order of the other side of the Atlantic.
func calendarDay(text string) (day time.Time, hasYear, ok bool) {
	for _, layout := range []string{"2.1.2006", "2.1.06", "2 January 2006", "January 2 2006", "2.1.", "2 January", "January 2"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, strings.HasSuffix(layout, "06"), true
		}
	}
	monthFirst, err := time.Parse("1/2/2006", text)
	dayFirst, other := time.Parse("2/1/2006", text)
	switch {
	case err == nil && (other != nil || monthFirst.Equal(dayFirst)):
		return monthFirst, true, true
	case err != nil && other == nil:
		return dayFirst, true, true
	}
	return day, false, false
}

func parseClock(text string, now time.Time, d Direction) (t time.Time, wholeDay, ok bool) {
	rest, clock, ok := cutClock(" " + text)
	if !ok || rest != "" {
		return t, false, false
	}
	year, month, day := now.Date()
	t = onDay(year, month, day, clock, now)
	if t.Before(now) == (d == Future) && !t.Equal(now) {
		t = onDay(year, month, day+int(d), clock, now)
	}
	return t, false, true
}

// onDay returns a time of day in the zone of now.
func onDay(year int, month time.Month, day int, clock time.Time, now time.Time) time.Time {
	return time.Date(year, month, day, clock.Hour(), clock.Minute(), 0, 0, now.Location())
}

// cutClock cuts a time of day (at 5pm, 14 uhr) and a word such as evening off the end.
func cutClock(text string) (day string, clock time.Time, timed bool) {
	for _, part := range []string{"morning", "noon", "afternoon", "evening", "night", "vormittag", "mittag", "nachmittag", "abend", "früh"} {
		text = strings.TrimSuffix(text, " "+part)
	}
	for i := range text {
		if text[i] != ' ' {
			continue
		}
		for _, layout := range []string{"15:04", "15:04 uhr", "15 uhr", "3pm", "3:04pm", "3 pm"} {
			if c, err := time.Parse(layout, strings.TrimPrefix(text[i+1:], "at ")); err == nil {
				return text[:i], c, true
			}
		}
	}
	return text, clock, false
}

// english returns a text in lower case with its words of time in English, without
// commas, "the", "of", "der", "des", and the endings of ordinal numbers.
func english(text string) string {
	var all []string
	for word := range strings.FieldsSeq(strings.ReplaceAll(strings.ToLower(text), ",", " ")) {
		if !slices.Contains([]string{"the", "of", "des", "der"}, word) {
			all = append(all, englishWord(word))
		}
	}
	return strings.Join(all, " ")
}

func englishWord(word string) string {
	bare := strings.TrimRight(word, ".")
	for _, ending := range []string{"st", "nd", "rd", "th", ""} {
		if number := strings.TrimSuffix(bare, ending); number != "" && strings.Trim(number, "0123456789") == "" {
			return number
		}
	}
	return cmp.Or(vocabulary()[bare], word)
}

// vocabulary has the English word of time for German and shortened ones.
var vocabulary = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(words) {
		list := strings.Fields(line)
		for _, word := range list {
			all[word] = list[0]
		}
	}
	return all
})

// words has words of time, each line those that mean the same.
const words = `today heute tonight
tomorrow morgen
yesterday gestern
at um
last letzte letzten letzter letztes vergangene vergangenen vergangener vergangenes past
this diese dieser diesen dieses
since seit
next nächste nächsten nächster nächstes kommende kommenden kommender kommendes
sunday sonntag
monday montag
tuesday dienstag
wednesday mittwoch
thursday donnerstag
friday freitag
saturday samstag sonnabend
hour stunde stunden
day tag tage tagen tages
week woche wochen
month monat monate monaten monats
year jahr jahre jahren jahres
one ein eine einem einer
two zwei
three drei
four vier
five fünf
six sechs
seven sieben
eight acht
nine neun
ten zehn
eleven elf
twelve zwölf
january januar jänner jan jän
february februar feb
march märz mar mär mrz
april apr
may mai
june juni jun
july juli jul
august aug
september sep sept
october oktober oct okt
november nov
december dezember dec dez`
