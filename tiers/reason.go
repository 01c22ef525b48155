package tiers

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// promotedBecause returns the reason why the rules promote a memory out of t. The energy is
// shown with enough digits to differ from the threshold.
func promotedBecause(rules *Policy, t Tier, energy float64, sessions int) string {
	threshold, needed, _ := rules.toLeave(t)
	switch {
	case energy > threshold:
		n := 2
		for n < 17 && digits(energy, n) == digits(threshold, n) {
			n++
		}
		return fmt.Sprintf("energy %s rose above %s", digits(energy, n), digits(threshold, n))
	case sessions >= needed && sessions == 1:
		return "used in 1 session"
	case sessions >= needed:
		return fmt.Sprintf("used in %d sessions", sessions)
	}
	return "was due for promotion"
}

func revivedBecause(expired time.Time) string {
	if expired.IsZero() {
		return "used again after it expired"
	}
	return fmt.Sprintf("used again after it expired at %s", stamp(expired))
}

// stamp writes an instant.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// digits writes v with n decimals, but never a positive number as zero.
func digits(v float64, n int) string {
	text := strconv.FormatFloat(v, 'f', n, 64)
	if v > 0 && strings.Trim(text, "0.") == "" {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	return text
}
