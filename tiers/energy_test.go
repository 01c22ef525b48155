package tiers

import (
	"math"
	"testing"
	"time"
)

var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func hours(h float64) time.Time {
	return start.Add(time.Duration(h * float64(time.Hour)))
}

func TestEnergyPinnedValues(t *testing.T) {
	p := new(DefaultPolicy())
	for _, c := range []struct {
		name         string
		energy, at   float64
		want, within float64
		tier         Tier
	}{
		{"2.0 in working after 1 h", 2, 1, 1.213, 0.001, Working},
		{"0.05 in working after 20 h", 0.05, 20, 2.27e-6, 0.005e-6, Working},
		{"one half-life of shortTerm", 2, math.Ln2 / 0.05, 1, 1e-6, ShortTerm},
		{"longTerm after 28.9 days", 4, 28.9 * 24, 2, 0.002, LongTerm},
		{"core after a year", 4, 8766, 4, 0, Core},
		{"an hour before it was written", 2, -1, 2, 0, Working},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := p.Energy(p.Start(c.tier, c.energy, 0, start), hours(c.at))
			if math.Abs(got-c.want) > c.within {
				t.Errorf("energy %v, want %v within %v", got, c.want, c.within)
			}
		})
	}
}
