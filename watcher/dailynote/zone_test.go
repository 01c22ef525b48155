package dailynote

import (
	"testing"
	"time"
)

func TestInstants(t *testing.T) {
	tests := []struct{ name, zone, day, header, want string }{
		{"winter", "Europe/Berlin", "2026-02-05", "[14:30]", "2026-02-05T13:30:00Z"},
		{"summer", "Europe/Berlin", "2026-07-05", "[14:30:15]", "2026-07-05T12:30:15Z"},
		{"other day in UTC", "America/New_York", "2026-02-05", "[23:30]", "2026-02-06T04:30:00Z"},
		{"skipped hour goes on", "Europe/Berlin", "2026-03-29", "[02:30]", "2026-03-29T01:30:00Z"},
		{"after the skipped hour", "Europe/Berlin", "2026-03-29", "[03:30]", "2026-03-29T01:30:00Z"},
		{"before the skipped hour", "Europe/Berlin", "2026-03-29", "[01:59:59]", "2026-03-29T00:59:59Z"},
		{"repeated hour, second by name", "Europe/Berlin", "2026-10-25", "[02:30 CET]", "2026-10-25T01:30:00Z"},
		{"repeated hour, first by name", "Europe/Berlin", "2026-10-25", "[02:30 CEST]", "2026-10-25T00:30:00Z"},
		{"repeated hour, EST", "America/New_York", "2026-11-01", "[01:30 EST]", "2026-11-01T06:30:00Z"},
		{"southern summer", "Australia/Sydney", "2026-10-04", "[02:30]", "2026-10-03T16:30:00Z"},
		{"IANA name", "Europe/Berlin", "2026-02-05", "[14:30 Asia/Tokyo]", "2026-02-05T05:30:00Z"},
		{"offset", "Europe/Berlin", "2026-02-05", "[14:30 +05:30]", "2026-02-05T09:00:00Z"},
		{"offset without colon", "Europe/Berlin", "2026-02-05", "[14:30-0800]", "2026-02-05T22:30:00Z"},
		{"offset after UTC", "Europe/Berlin", "2026-02-05", "[14:30 UTC+2]", "2026-02-05T12:30:00Z"},
		{"Z", "Europe/Berlin", "2026-02-05", "[14:30Z]", "2026-02-05T14:30:00Z"},
		{"the zone's own CST", "Asia/Shanghai", "2026-02-05", "[14:30 CST]", "2026-02-05T06:30:00Z"},
		{"any other CST", "Europe/Berlin", "2026-02-05", "[14:30 CST]", "2026-02-05T20:30:00Z"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			loc, err := time.LoadLocation(tt.zone)
			if err != nil {
				t.Fatal(err)
			}
			f := Parse([]byte("## "+tt.header+" decision: T\n"), Options{Day: tt.day, Location: loc})
			if len(f.Outcomes) != 1 || len(f.Problems) != 0 {
				t.Fatalf("%+v", f)
			}
			if got := f.Outcomes[0].At.Format(time.RFC3339); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
