package transcript

import "time"

// Day returns the date of an instant in a zone, YYYY-MM-DD. A nil zone is UTC.
func Day(at time.Time, loc *time.Location) string {
	if loc == nil {
		loc = time.UTC
	}
	return at.In(loc).Format(time.DateOnly)
}

// Bounds returns the first instant of a day in a zone and the first of the day
// after: 23, 24 or 25 hours later. The error names a day that is no date.
func Bounds(day string, loc *time.Location) (from, to time.Time, err error) {
	if loc == nil {
		loc = time.UTC
	}
	date, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return from, to, err
	}
	return firstInstant(date, loc), firstInstant(date.AddDate(0, 0, 1), loc), nil
}

// firstInstant is not always 00:00: where clocks go forward at midnight the
// day begins at 01:00, which time.Date may give as 23:00 of the day before.
func firstInstant(date time.Time, loc *time.Location) time.Time {
	y, m, d := date.Date()
	at := time.Date(y, m, d, 0, 0, 0, 0, loc)
	if at.Day() != d {
		_, at = at.ZoneBounds()
	}
	return at.UTC()
}
