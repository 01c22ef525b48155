package app

import (
	"time"

	"github.com/brainbridge/brainbridge/brain/moment"
)

// clock returns the current time in the time zone of the notes.
type clock func() (time.Time, error)

// LocalNow returns the current time in the time zone of the notes.
func (u *UseCases) LocalNow() (time.Time, error) {
	zone, err := u.app.o.Settings.Config.Notes.Location()
	if err != nil {
		return time.Time{}, err
	}
	return u.app.o.Now().In(zone), nil
}

// parseMoment parses a field of a request as a time. An empty field is the zero time.
func parseMoment(field, text string, now clock, d moment.Direction) (time.Time, error) {
	return parseTime(field, text, now, func(text string, now time.Time) (time.Time, error) {
		t, _, err := moment.Parse(text, now, d)
		return t, err
	})
}

// parseUntil parses the end of a range. A date without a time of day includes the
// whole day.
func parseUntil(field, text string, now clock) (time.Time, error) {
	return parseTime(field, text, now, moment.ParseUntil)
}

func parseTime(field, text string, now clock, parse func(string, time.Time) (time.Time, error)) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	at, err := now()
	if err != nil {
		return time.Time{}, err
	}
	t, err := parse(text, at)
	if err != nil {
		return time.Time{}, BadTime(field, err)
	}
	return t, nil
}

// BadTime returns the error for a field that cannot be read as a time.
func BadTime(field string, err error) error {
	return invalid("write "+moment.Examples, "%s: %v", field, err)
}

// parseRange parses both ends of a range. It returns an error if until is before
// since.
func parseRange(since, until string, now clock) (from, to time.Time, err error) {
	if from, err = parseMoment("since", since, now, moment.Past); err != nil {
		return from, to, err
	}
	to, err = parseUntil("until", until, now)
	if err == nil && !from.IsZero() && !to.IsZero() && to.Before(from) {
		err = invalid("swap them", "until %q is before since %q", until, since)
	}
	return from, to, err
}

// ParseDay parses a date, today or yesterday, in the time zone of the notes and
// returns it as YYYY-MM-DD.
func (u *UseCases) ParseDay(text string) (string, error) {
	now, err := u.LocalNow()
	if err != nil {
		return "", err
	}
	day, err := moment.ParseDay(text, now)
	if err != nil {
		return "", invalid("write it as 2026-02-05, or today or yesterday", "%v", err)
	}
	return day, nil
}
