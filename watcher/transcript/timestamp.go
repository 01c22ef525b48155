package transcript

import (
	"cmp"
	"strconv"
	"time"

	"github.com/tidwall/gjson"

	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

const (
	milliseconds = 1e12 // numbers from here on count milliseconds, smaller ones seconds
	oldest       = 2000 // no agent wrote before this year
)

// parseTime reads ISO 8601, or a number in quotes or not.
func parseTime(raw gjson.Result) (at time.Time, ok bool) {
	text := cmp.Or(raw.Str, raw.Raw)
	if at, ok := moment.ParseTimestamp(text); ok {
		return at.UTC().Truncate(time.Millisecond), true
	}
	n, err := strconv.ParseFloat(text, 64)
	if n < milliseconds {
		n *= 1000
	}
	const last = 253402300799999 // the last millisecond of the year 9999
	if err != nil || !(n > 0 && n <= last) {
		return at, false
	}
	return time.UnixMilli(int64(n)).UTC(), true
}

// date sets the instant of the line at hand, and remembers it for the lines after.
func (r *reader) date(raw gjson.Result) {
	at, ok := r.checkedTime(raw)
	if ok {
		r.last = at
	}
	r.line.undated = !ok
	for _, at := range []time.Time{r.opts.FileTime, r.started, r.last} {
		if !at.IsZero() {
			r.line.at = at.UTC().Truncate(time.Millisecond)
		}
	}
}

// start sets the beginning of the session, if the timestamp is one.
func (r *reader) start(raw gjson.Result) {
	if at, ok := r.checkedTime(raw); ok {
		r.started = at
	}
}

// checkedTime reads a timestamp, and reports one that is not plausible.
func (r *reader) checkedTime(raw gjson.Result) (at time.Time, ok bool) {
	if isNull(raw) {
		return at, false
	}
	at, ok = parseTime(raw)
	wrong := ""
	switch {
	case !ok:
		wrong = "is not one"
	case at.Year() < oldest:
		wrong = "is before the year 2000"
	case !r.opts.Now.IsZero() && at.After(r.opts.Now.Add(24*time.Hour)):
		wrong = "is in the future"
	default:
		return at, true
	}
	quoted := plaintext.Shorten(plaintext.OneLine(raw.Raw), 40)
	r.problem("the timestamp %s %s; the time of the line before is taken", quoted, wrong)
	return at, false
}
