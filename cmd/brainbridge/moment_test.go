package main

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// sunday is the clock of these tests: Sunday, 1 March 2026, noon in Berlin.
func sunday(t testing.TB) time.Time {
	t.Helper()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return time.Date(2026, 3, 1, 12, 0, 0, 0, berlin)
}

func TestParseMoment(t *testing.T) {
	for _, c := range []struct {
		text string
		dir  direction
		want string // RFC 3339, "" for none
		day  bool
	}{
		{"2026-02-05", back, "2026-02-05T00:00:00+01:00", true},
		{"2026-02-05 14:30", back, "2026-02-05T14:30:00+01:00", false},
		{"2026-02-05T14:30", back, "2026-02-05T14:30:00+01:00", false},
		{"2026-02-05T14:30:00Z", back, "2026-02-05T14:30:00Z", false},
		{"2026-02-05t14:30:00z", back, "2026-02-05T14:30:00Z", false},
		{"now", back, "2026-03-01T12:00:00+01:00", false},
		{"today", back, "2026-03-01T00:00:00+01:00", true},
		{"yesterday", back, "2026-02-28T00:00:00+01:00", true},
		{"Tomorrow", forward, "2026-03-02T00:00:00+01:00", true},
		{"tomorrow 9:00", forward, "2026-03-02T09:00:00+01:00", false},
		{"tomorrow at 14:15", forward, "2026-03-02T14:15:00+01:00", false},
		{"friday", forward, "2026-03-06T00:00:00+01:00", true},
		{"friday", back, "2026-02-27T00:00:00+01:00", true},
		{"sun", forward, "2026-03-08T00:00:00+01:00", true},
		{"sunday", back, "2026-02-22T00:00:00+01:00", true},
		{"7d", back, "2026-02-22T12:00:00+01:00", false},
		{"7d", forward, "2026-03-08T12:00:00+01:00", false},
		{"2w", back, "2026-02-15T12:00:00+01:00", false},
		{"36h", back, "2026-02-28T00:00:00+01:00", false},
		{"1h30m", forward, "2026-03-01T13:30:00+01:00", false},
		{"two weeks ago", forward, "2026-02-15T12:00:00+01:00", false},
		{"a month ago", back, "2026-02-01T12:00:00+01:00", false},
		{"in 3 days", back, "2026-03-04T12:00:00+01:00", false},
		{"in  an hour", back, "2026-03-01T13:00:00+01:00", false},
		{"last week", forward, "2026-02-22T12:00:00+01:00", false},
		{"next year", back, "2027-03-01T12:00:00+01:00", false},
		// The clocks go forward on 29 March: a day has 23 hours then.
		{"30d", forward, "2026-03-31T12:00:00+02:00", false},
		{"2026-02-30", back, "", false},
		{"tomorrow 25:00", forward, "", false},
		{"whenever", back, "", false},
		{"3 parsecs", back, "", false},
		{"in", back, "", false},
		{"ago", back, "", false},
		{"99999999999999d", back, "", false},
		{"1000000 years ago", back, "", false},
		{"-3d", back, "", false},
		{"NaNd", back, "", false},
	} {
		got, day, ok := parseMoment(c.text, sunday(t), c.dir)
		switch {
		case c.want == "" && ok:
			t.Errorf("%q is read as %s", c.text, got.Format(time.RFC3339))
		case c.want == "":
		case !ok:
			t.Errorf("%q is not read", c.text)
		case got.Format(time.RFC3339) != c.want || day != c.day:
			t.Errorf("%q is %s (day: %v), want %s (day: %v)", c.text, got.Format(time.RFC3339), day, c.want, c.day)
		}
	}
}

func TestParseMomentReadsWhatItWrites(t *testing.T) {
	now := sunday(t)
	rapid.Check(t, func(t *rapid.T) {
		want := time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "seconds"), 0).In(now.Location())
		got, _, ok := parseMoment(want.Format(time.RFC3339), now, back)
		if !ok || !got.Equal(want) {
			t.Fatalf("%s is read as %s", want, got)
		}
	})
}

func TestParseSpan(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"20h": 20 * time.Hour, "3d": 72 * time.Hour, "1w2d12h": (9*24 + 12) * time.Hour, "1.5d": 36 * time.Hour,
		"90m": 90 * time.Minute, "0s": 0,
	} {
		if got, ok := parseSpan(text); !ok || got != want {
			t.Errorf("%q is %s, %v; want %s", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "x", "-1h", "1e300d", "NaNd", "Infw", "3dd", "d", "40000d"} {
		if got, ok := parseSpan(text); ok {
			t.Errorf("%q is read as %s", text, got)
		}
	}
}

func FuzzParseMoment(f *testing.F) {
	for _, seed := range []string{"7d", "two weeks ago", "2026-03-01", "tomorrow at 9:00", "in 1w", "next friday", "", "٣d"} {
		f.Add(seed)
	}
	now := sunday(f)
	f.Fuzz(func(t *testing.T, text string) {
		for _, dir := range []direction{back, forward} {
			got, _, ok := parseMoment(text, now, dir)
			if ok && !inRange(got) {
				t.Errorf("%q is read as %s, which no store can hold", text, got)
			}
		}
	})
}
