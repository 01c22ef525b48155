package moment

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// sunday is the current time in these tests: Sunday, 1 March 2026, noon in Berlin.
func sunday(t testing.TB) time.Time {
	t.Helper()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return time.Date(2026, 3, 1, 12, 0, 0, 0, berlin)
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text string
		dir  Direction
		want string // RFC 3339, "" for none
		day  bool
	}{
		{"2026-02-05", Past, "2026-02-05T00:00:00+01:00", true},
		{"2026-02-05 14:30", Past, "2026-02-05T14:30:00+01:00", false},
		{"2026-02-05T14:30", Past, "2026-02-05T14:30:00+01:00", false},
		{"2026-02-05T14:30:00Z", Past, "2026-02-05T14:30:00Z", false},
		{"2026-02-05t14:30:00z", Past, "2026-02-05T14:30:00Z", false},
		{"now", Past, "2026-03-01T12:00:00+01:00", false},
		{"today", Past, "2026-03-01T00:00:00+01:00", true},
		{"yesterday", Past, "2026-02-28T00:00:00+01:00", true},
		{"Tomorrow", Future, "2026-03-02T00:00:00+01:00", true},
		{"tomorrow 9:00", Future, "2026-03-02T09:00:00+01:00", false},
		{"tomorrow at 14:15", Future, "2026-03-02T14:15:00+01:00", false},
		{"friday", Future, "2026-03-06T00:00:00+01:00", true},
		{"friday", Past, "2026-02-27T00:00:00+01:00", true},
		{"sun", Future, "2026-03-08T00:00:00+01:00", true},
		{"sunday", Past, "2026-02-22T00:00:00+01:00", true},
		{"7d", Past, "2026-02-22T12:00:00+01:00", false},
		{"7d", Future, "2026-03-08T12:00:00+01:00", false},
		{"2w", Past, "2026-02-15T12:00:00+01:00", false},
		{"36h", Past, "2026-02-28T00:00:00+01:00", false},
		{"1h30m", Future, "2026-03-01T13:30:00+01:00", false},
		{"two weeks ago", Future, "2026-02-15T12:00:00+01:00", false},
		{"a month ago", Past, "2026-02-01T12:00:00+01:00", false},
		{"in 3 days", Past, "2026-03-04T12:00:00+01:00", false},
		{"in  an hour", Past, "2026-03-01T13:00:00+01:00", false},
		{"last week", Future, "2026-02-22T12:00:00+01:00", false},
		{"next year", Past, "2027-03-01T12:00:00+01:00", false},
		// The clocks go forward on 29 March: a day has 23 hours then.
		{"30d", Future, "2026-03-31T12:00:00+02:00", false},
		{"2026-02-30", Past, "", false},
		{"tomorrow 25:00", Future, "", false},
		{"whenever", Past, "", false},
		{"3 parsecs", Past, "", false},
		{"in", Past, "", false},
		{"ago", Past, "", false},
		{"99999999999999d", Past, "", false},
		{"1000000 years ago", Past, "", false},
		{"-3d", Past, "", false},
		{"NaNd", Past, "", false},
	} {
		got, day, err := Parse(c.text, sunday(t), c.dir)
		ok := err == nil
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

func TestParseReadsWhatFormatWrites(t *testing.T) {
	now := sunday(t)
	rapid.Check(t, func(t *rapid.T) {
		want := time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "seconds"), 0).In(now.Location())
		got, _, err := Parse(want.Format(time.RFC3339), now, Past)
		if err != nil || !got.Equal(want) {
			t.Fatalf("%s is read as %s", want, got)
		}
	})
}

func TestParseDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"20h": 20 * time.Hour, "3d": 72 * time.Hour, "1w2d12h": (9*24 + 12) * time.Hour, "1.5d": 36 * time.Hour,
		"90m": 90 * time.Minute, "0s": 0, "0d": 0, "36500d": MaxDuration, "876000h": MaxDuration, "36499d24h": MaxDuration,
	} {
		if got, err := ParseDuration(text); err != nil || got != want {
			t.Errorf("%q is %s, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "x", "-1h", "1e300d", "NaNd", "Infw", "3dd", "d", "40000d", "36500.1d", "876001h", "36500d1ns", "1d876000h", "1e2d", "-10m"} {
		if got, err := ParseDuration(text); err == nil {
			t.Errorf("%q is read as %s", text, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"7d", "two weeks ago", "2026-03-01", "tomorrow at 9:00", "in 1w", "next friday", "", "٣d"} {
		f.Add(seed)
	}
	now := sunday(f)
	f.Fuzz(func(t *testing.T, text string) {
		for _, dir := range []Direction{Past, Future} {
			got, _, err := Parse(text, now, dir)
			if err == nil && (got.Year() < 1 || got.Year() > 9999) {
				t.Errorf("%q is read as %s, which no store can hold", text, got)
			}
		}
	})
}

func TestFormatDurationReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, err := ParseDuration(rapid.StringMatching(`[0-9]{1,5}d|[0-9]{1,5}d[0-9]{1,7}h|[0-9]{1,7}[smh]|[0-9]{1,3}h[0-9]{1,3}m`).Draw(t, "duration"))
		if got, again := ParseDuration(FormatDuration(d)); err == nil && (again != nil || got != d) {
			t.Fatalf("%s is written as %s and read as %s", d, FormatDuration(d), got)
		}
	})
}

func TestParseEnd(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 30, 9, 0, 0, 0, zone)
	for text, want := range map[string]string{
		"yesterday":            "2026-03-29T23:59:59.999+02:00", // a day of 23 hours
		"2026-03-28":           "2026-03-28T23:59:59.999+01:00",
		"today":                "2026-03-30T23:59:59.999+02:00",
		"2026-03-28 14:00":     "2026-03-28T14:00:00+01:00",
		"2026-03-28T00:00:00Z": "2026-03-28T00:00:00Z",
	} {
		got, err := ParseEnd(text, now, time.Millisecond)
		if err != nil || got.Format(time.RFC3339Nano) != want {
			t.Errorf("%s: %v, %v, want %s", text, got.Format(time.RFC3339Nano), err, want)
		}
	}
	if _, err := ParseEnd("whenever", now, 0); err == nil {
		t.Error("it is read")
	}
}

func TestParseDay(t *testing.T) {
	for text, want := range map[string]string{"today": "2026-03-01", "Yesterday": "2026-02-28", "2026-02-05": "2026-02-05", "2026-02-30": "", "5 March": ""} {
		if got, err := ParseDay(text, sunday(t)); got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v; want %q", text, got, err, want)
		}
	}
}

func TestParseWhatPeopleWrite(t *testing.T) {
	for text, want := range map[string]string{
		"Dec 5": "2026-12-05 00:00", "5th of December 2027": "2027-12-05 00:00", "December 5, 2026": "2026-12-05 00:00", "1 Feb": "2027-02-01 00:00",
		"5. Dezember um 14 Uhr": "2026-12-05 14:00", "31.12.": "2026-12-31 00:00", "5.12.26": "2026-12-05 00:00",
		"Next Monday": "2026-03-02 00:00", "nächsten Mittwoch": "2026-03-04 00:00", "heute Abend": "2026-03-01 00:00",
		"morgen um 9:30": "2026-03-02 09:30", "übermorgen": "2026-03-03 00:00", "in drei Tagen": "2026-03-04 12:00", "friday at 5pm": "2026-03-06 17:00",
		"3pm": "2026-03-01 15:00", "at 9:30": "2026-03-02 09:30",
		"12:00": "2026-03-01 12:00", "um 14 Uhr": "2026-03-01 14:00",
		"12/24": "", "12/24/2026": "2026-12-24 00:00", "24/12/2026": "2026-12-24 00:00", "4/4/2026": "2026-04-04 00:00", "end of month": "",
		"03/04/2026": "", "2/30/2026": "", "31. Februar 2026": "", "Mai": "", "3.4": "",
	} {
		got := ""
		if at, _, err := Parse(text, sunday(t), Future); err == nil {
			got = at.Format("2006-01-02 15:04")
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"Dec 5": "2025-12-05", "3pm": "2026-02-28"} {
		if got, _, err := Parse(text, sunday(t), Past); err != nil || got.Format(time.DateOnly) != want {
			t.Errorf("the last %s is %v, %v, want %s", text, got, err, want)
		}
	}
}

func TestDue(t *testing.T) {
	day := time.Date(2026, 11, 5, 0, 0, 0, 0, sunday(t).Location()) // Thursday
	for text, want := range map[string]string{
		"Call the tax office by Dec 5":                             "2026-12-05 00:00",
		"Pay (due: December 5th) the rest":                         "2026-12-05 00:00",
		"Call Bob tomorrow":                                        "2026-11-06 00:00",
		"Call Bob tomorrow morning.":                               "2026-11-06 00:00",
		"Tomorrow: water the plants":                               "2026-11-06 00:00",
		"Renew the pass in 3 days":                                 "2026-11-08 00:00",
		"Send the draft by next monday, then rest":                 "2026-11-09 00:00",
		"Plan the budget next week":                                "2026-11-12 00:00",
		"Steuer bis 31.12. abgeben":                                "2026-12-31 00:00",
		"Steuer bis 5.12.26":                                       "2026-12-05 00:00",
		"Zahnarzt am 5. Dezember um 14 Uhr":                        "2026-12-05 14:00",
		"Angebot bis nächsten Mittwoch":                            "2026-11-11 00:00",
		"Müll rausbringen heute Abend":                             "2026-11-05 00:00",
		"Review the report of 2026-10-01 by Friday":                "2026-11-06 00:00",
		"Miete zahlen #home 📅 2026-11-30 #geld":                    "2026-11-30 00:00",
		"Bis Freitag um 14:00 abgeben":                             "2026-11-06 14:00",
		"Umsatzsteuer bis 15.10.":                                  "2026-10-15 00:00", // carried over
		"Rechnung zahlen (12.12.2026)":                             "2026-12-12 00:00",
		"Call Bob by 3pm":                                          "2026-11-05 15:00",
		"Electrician 10.12., 8 Uhr, meter cupboard":                "2026-12-10 08:00",
		"Hand over the keys on the 3rd floor, 7 January, with Ada": "2027-01-07 00:00",
		"2026-12-18 dinner of the team, bring cake":                "2026-12-18 00:00",
		"Photos → 2026-12-02 night, tripod":                        "2026-12-02 00:00",
		"Choose between 2026-12-01 and 2026-12-08, then tell Bo":   "",
		"Fix the crash on 2026-10-01, in the parser":               "",
		"Upgrade to 3.4., then test":                               "",
		"Offer to Kim by Thursday next week (19 Nov)":              "2026-11-19 00:00",
		"Block two mornings (by Monday, 2026-11-30)":               "2026-11-30 00:00",
		"Pay the rent by the end of the month":                     "",
		"Move standup to 3pm":                                      "",
		"Antwort auf den Brief vom 12.10.2026":                     "",
		"Answer the letter of 12 December 2026":                    "",
		"Feedback on Friday's demo":                                "",
		"Read the notes on 2026-10-01":                             "",
		"Upgrade to 3.4.":                                          "",
		"Upgrade Go to 1.26.2":                                     "",
		"Book the hotel for 3 days":                                "",
		"Water the plants every friday":                            "",
		"Look how it works now":                                    "",
		"Call Bob about the 12/24 thing, on the way":               "",
		"We may 5 of us go":                                        "",
	} {
		got := ""
		if due := Due(text, day); !due.IsZero() {
			got = due.Format("2006-01-02 15:04")
		}
		if got != want {
			t.Errorf("%q is due %q, want %q", text, got, want)
		}
	}
}
