package main

import (
	"context"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
)

// BenchmarkWholeRun is a whole run, with every step as the command wires it,
// that has ten new memories to look at. It is what to profile:
//
//	go test ./cmd/brainbridge -run xxx -bench WholeRun -benchtime 20x -cpuprofile cpu.out
func BenchmarkWholeRun(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(grouped(n), func(b *testing.B) { benchWholeRuns(b, n) })
	}
}

func benchWholeRuns(b *testing.B, n int) {
	homes := &bench{dir: b.TempDir(), env: map[string]string{}, homes: map[string]*benchHome{}, bar: &benchBar{}}
	h, err := homes.loaded(b.Context(), n)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = h.shut() })
	if err := benchDoubles(b.Context(), h.brain, h.text, n/100); err != nil {
		b.Fatal(err)
	}
	r, err := h.app.runner(h.brain, runOptions{}, func(err error) { b.Log(err) })
	if err != nil {
		b.Fatal(err)
	}
	for range 2 { // what the first one merged is new to the second
		wholeRun(b.Context(), b, r)
	}
	for b.Loop() {
		b.StopTimer()
		if err := benchLoad(b.Context(), h.brain, h.text, benchNew, func(int) {}); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		wholeRun(b.Context(), b, r)
	}
}

func wholeRun(ctx context.Context, b *testing.B, r *consolidate.Runner) {
	if _, err := r.Run(ctx, consolidate.Request{Kind: brain.RunConsolidate, ByPerson: true}); err != nil {
		b.Fatal(err)
	}
}
