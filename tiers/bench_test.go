package tiers

import "testing"

func BenchmarkEnergy(b *testing.B) {
	changed, _ := DefaultPolicy().With("lambda.working", 0.4)
	for _, c := range []struct {
		name string
		tl   Timeline
	}{
		{"one policy", NewTimeline()},
		{"changed since", NewTimeline().Append(changed, hours(1))},
	} {
		b.Run(c.name, func(b *testing.B) {
			s, at := c.tl.Start(Working, 1, 0, start), hours(3)
			b.ReportAllocs()
			for b.Loop() {
				c.tl.Energy(s, at)
			}
		})
	}
}

func BenchmarkSettle(b *testing.B) {
	tl := NewTimeline()
	for _, c := range []struct {
		name   string
		energy float64
		after  float64
	}{
		{"nothing due", 1, 1},
		{"promote", 3, 1},
		{"promote twice and expire", 6, 1e5},
	} {
		b.Run(c.name, func(b *testing.B) {
			s, now := tl.Start(Working, c.energy, 0, start), hours(c.after)
			b.ReportAllocs()
			for b.Loop() {
				tl.Settle(s, now)
			}
		})
	}
}

func BenchmarkStart(b *testing.B) {
	tl := NewTimeline()
	for b.Loop() {
		tl.Start(Working, 1, 0, start)
	}
}
