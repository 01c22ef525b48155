package moment

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	day  = 24 * time.Hour
	week = 7 * day
	// MaxDuration is the longest duration that is accepted: a hundred years.
	MaxDuration = 36500 * day
)

// ParseDuration reads a duration that is not negative: weeks and days of 24
// hours, then hours and smaller units as in Go, such as "90m", "1.5d" or
// "1w2d12h". Spaces are ignored.
func ParseDuration(text string) (time.Duration, error) {
	wrong := fmt.Errorf("cannot read %.60q as a duration", text)
	bare := strings.ReplaceAll(strings.TrimSpace(text), " ", "")
	parts := durationPattern().FindStringSubmatch(bare)
	if bare == "" || parts == nil {
		return 0, wrong
	}
	weeks, _ := strconv.ParseFloat(parts[1], 64) // 0 without any
	days, _ := strconv.ParseFloat(parts[2], 64)
	long := weeks*float64(week) + days*float64(day)
	smaller, err := time.ParseDuration(cmp.Or(parts[3], "0s"))
	if err != nil || smaller < 0 || long > float64(MaxDuration) || smaller > MaxDuration-time.Duration(long) {
		return 0, wrong
	}
	return time.Duration(long) + smaller, nil
}

// durationPattern matches weeks, days and the rest of a duration.
var durationPattern = sync.OnceValue(func() *regexp.Regexp {
	const number = `([0-9]+(?:\.[0-9]*)?|\.[0-9]+)`
	return regexp.MustCompile(`^(?:` + number + `w)?(?:` + number + `d)?([^wd]*)$`)
})

// FormatDuration returns a form that ParseDuration reads as d: days if d is a whole number
// of days, otherwise hours and smaller units without trailing zeros.
func FormatDuration(d time.Duration) string {
	if d >= day && d%day == 0 {
		return strconv.FormatInt(int64(d/day), 10) + "d"
	}
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-len("0s")]
		}
	}
	return text
}

// Rough returns a duration for people, in its largest unit: 5m, 3h, 40d, 2 months.
func Rough(d time.Duration) string {
	switch h := d.Hours(); {
	case d < time.Minute:
		return "a moment"
	case h < 1:
		return strconv.Itoa(int(d.Minutes())) + "m"
	case h < 48:
		return strconv.Itoa(int(h)) + "h"
	case h < 24*60:
		return strconv.Itoa(int(h/24)) + "d"
	case h < 24*730:
		return strconv.Itoa(int(h/24/30)) + " months"
	default:
		return strconv.Itoa(int(h/24/365)) + " years"
	}
}
