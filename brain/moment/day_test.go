package moment

import "testing"

func TestDayInTitle(t *testing.T) {
	for title, want := range map[string]string{
		"Retro of 2025-08-14, evening":     "2025-08-14",
		"retro_2025-08-14.md":              "2025-08-14",
		"Kick-off – August 14, 2025":       "2025-08-14",
		"Treffen am 14. August 2025 (Ulm)": "2025-08-14",
		"Treffen 14.8.2025":                "2025-08-14",
		"Order 12025-08-14":                "",
		"Build 2025-08-1412":               "",
		"Day 2025-02-30":                   "",
		"Plans for August 14":              "",
		"Release 3.4.1":                    "",
		"":                                 "",
	} {
		if got := DayInTitle(title); got != want {
			t.Errorf("%q is of %q, not of %q", title, got, want)
		}
	}
}
