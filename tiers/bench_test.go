package tiers

import "testing"

func BenchmarkEnergy(b *testing.B) {
	p := new(DefaultPolicy())
	s, at := p.Start(Working, 1, 0, start), hours(3)
	b.ReportAllocs()
	for b.Loop() {
		p.Energy(s, at)
	}
}

func BenchmarkSettle(b *testing.B) {
	p := new(DefaultPolicy())
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
			s, now := p.Start(Working, c.energy, 0, start), hours(c.after)
			b.ReportAllocs()
			for b.Loop() {
				p.Settle(s, now)
			}
		})
	}
}

func BenchmarkStart(b *testing.B) {
	p := new(DefaultPolicy())
	for b.Loop() {
		p.Start(Working, 1, 0, start)
	}
}
