package notes

import (
	"regexp"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain/moment"
)

// due returns the date that a reminder of a day's note names, zero without one: a date
// with the year anywhere in it, or a day behind a word such as "by" or "bis".
func (d *Directory) due(day, text string) time.Time {
	now := moment.StartOfDay(day, d.o.Location).In(d.o.Location)
	if now.IsZero() {
		return now
	}
	if found := regexp.MustCompile(`\d{4}-\d\d-\d\d([ T]\d\d:\d\d)?`).FindString(text); found != "" {
		return at(found, now)
	}
	if m := regexp.MustCompile(`\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b`).FindStringSubmatch(text); m != nil {
		return at(m[3]+"-"+twoDigits(m[2])+"-"+twoDigits(m[1]), now)
	}
	named := regexp.MustCompile(`(?i)(?:^|[\s(])(?:due|by|until|before|on|bis|am|vor):?\s+(\pL+)(\s+(?:at\s+|um\s+)?\d\d?:\d\d)?`)
	for _, m := range named.FindAllStringSubmatch(text, -1) {
		clock := strings.TrimSpace(strings.NewReplacer("at", "", "um", "").Replace(strings.ToLower(m[2])))
		if t := at(strings.TrimSpace(englishDay(m[1])+" "+clock), now); !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

// at reads a time as of a day, zero if it is none.
func at(text string, now time.Time) time.Time {
	t, _, err := moment.Parse(text, now, moment.Future)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}

func twoDigits(n string) string { return strings.Repeat("0", 2-len(n)) + n }

// englishDay returns the English name of a day.
func englishDay(name string) string {
	switch name = strings.ToLower(name); name {
	case "heute":
		return "today"
	case "morgen":
		return "tomorrow"
	case "montag":
		return "monday"
	case "dienstag":
		return "tuesday"
	case "mittwoch":
		return "wednesday"
	case "donnerstag":
		return "thursday"
	case "freitag":
		return "friday"
	case "samstag", "sonnabend":
		return "saturday"
	case "sonntag":
		return "sunday"
	}
	return name
}
