package moment

import (
	"fmt"
	"math"
	"strconv"
	"strings"
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
	rest := strings.ReplaceAll(strings.TrimSpace(text), " ", "")
	if rest == "" {
		return 0, wrong
	}
	total := time.Duration(0)
	for _, unit := range []struct {
		name string
		size time.Duration
	}{{"w", week}, {"d", day}} {
		number, after, found := strings.Cut(rest, unit.name)
		if !found {
			continue
		}
		n, ok := parseDecimal(number)
		if !ok || n*float64(unit.size) > float64(MaxDuration) {
			return 0, wrong
		}
		total, rest = total+time.Duration(n*float64(unit.size)), after
	}
	if rest != "" {
		smaller, err := time.ParseDuration(rest)
		if err != nil || smaller < 0 || smaller > MaxDuration {
			return 0, wrong
		}
		total += smaller
	}
	if total > MaxDuration {
		return 0, wrong
	}
	return total, nil
}

// parseDecimal reads digits with at most one point.
func parseDecimal(text string) (float64, bool) {
	if strings.Trim(text, "0123456789.") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil && !math.IsInf(n, 0)
}

// FormatDuration returns a form that ParseDuration reads as d: days if d is a
// number of whole days, else hours and smaller units without trailing zeros.
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
