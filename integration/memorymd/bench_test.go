package memorymd

import "testing"

// BenchmarkPlan curates from 100,000 entries, far more than fit.
func BenchmarkPlan(b *testing.B) {
	entries := many(100_000)
	first, err := planned(nil, State{}, entries, Options{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := planned(first.Text, first.State, entries, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
