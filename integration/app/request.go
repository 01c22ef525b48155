package app

import (
	"errors"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/moment"
)

// localNow returns the current time in the time zone of the notes.
func (u *UseCases) localNow() time.Time { return u.app.o.Now().In(u.app.o.Settings.Zone) }

// parseMoment parses a field of a request as a time. An empty field is the zero time.
func parseMoment(field, text string, now time.Time, d moment.Direction) (t time.Time, err error) {
	if text == "" {
		return t, nil
	}
	if t, _, err = moment.Parse(text, now, d); err != nil {
		return t, BadTime(field, d, err)
	}
	return t, nil
}

// parseUntil parses the end of a range. A date without a time of day includes the
// whole day.
func parseUntil(field, text string, now time.Time) (t time.Time, err error) {
	if text == "" {
		return t, nil
	}
	if t, err = moment.ParseUntil(text, now); err != nil {
		return t, BadTime(field, moment.Past, err)
	}
	return t, nil
}

// BadTime returns the error for a field that cannot be read as a time.
func BadTime(field string, d moment.Direction, err error) error {
	return invalid("write "+d.Examples(), "%s: %v", field, err)
}

// parseRange parses both ends of a range. It returns an error if until is before
// since.
func parseRange(since, until string, now time.Time) (from, to time.Time, err error) {
	if from, err = parseMoment("since", since, now, moment.Past); err != nil {
		return from, to, err
	}
	to, err = parseUntil("until", until, now)
	if err == nil && !from.IsZero() && !to.IsZero() && to.Before(from) {
		err = invalid("swap them", "until %q is before since %q", until, since)
	}
	return from, to, err
}

// parseDay parses a date, today or yesterday, in the time zone of the notes and
// returns it as YYYY-MM-DD.
func (u *UseCases) parseDay(text string) (string, error) {
	day, err := moment.ParseDay(text, u.localNow())
	if err != nil {
		return "", invalid("write it as 2026-02-05, or today or yesterday", "%v", err)
	}
	return day, nil
}

// today returns the current day in the time zone of the notes as YYYY-MM-DD.
func (u *UseCases) today() string { return u.localNow().Format(time.DateOnly) }

// invalid is the error for a request that is wrong.
func invalid(hint, format string, args ...any) error {
	return brain.Errorf(brain.ErrInvalid, hint, format, args...)
}

// unwritable is the error for a folder that cannot be made or changed.
func unwritable(doing, dir string, err error) error {
	return brain.Errorf(brain.ErrUnavailable, "check the path, and that you may write there", "%s %s: %v", doing, dir, err)
}

// warn reports a message that is not an error value.
func (u *UseCases) warn(message string) { u.caller.Notices.Warn(errors.New(message)) }
