package health

import (
	"errors"
	"testing"
	"time"
)

// Recalls touch several memories at one instant, and a page may end among them.
func TestNothingIsLostBetweenPages(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	instants := make([]time.Time, 0, 3*dayPage) // seven touches at each, the latest first
	for i := range cap(instants) {
		instants = append(instants, now.Add(-time.Duration(i/7)*time.Second))
	}
	read := func(before time.Time) (page []time.Time, err error) {
		for _, at := range instants {
			if at.Before(before) && len(page) < dayPage {
				page = append(page, at)
			}
		}
		return page, nil
	}
	self := func(at time.Time) time.Time { return at }
	for from, want := range map[time.Time]int{{}: len(instants), now.Add(-99 * time.Second): 700, now.Add(time.Hour): 0} {
		n := 0
		for at, err := range latest(from, now.Add(time.Millisecond), self, read) {
			if err != nil || at != instants[n] {
				t.Fatalf("value %d since %s: %s, %v", n, from, at, err)
			}
			n++
		}
		if n != want {
			t.Errorf("%d since %s, want %d", n, from, want)
		}
	}
	away := errors.New("away")
	for _, err := range latest(now, now, self, func(time.Time) ([]time.Time, error) { return nil, away }) {
		if !errors.Is(err, away) {
			t.Errorf("the error is %v", err)
		}
	}
}
