package bench

import (
	"context"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/integration/app"
)

// BenchmarkWholeRun is a whole run, with every step as the command wires it,
// that has ten new memories to look at. It is what to profile:
//
//	go test ./cmd/brainbridge/bench -run xxx -bench WholeRun -benchtime 20x -cpuprofile cpu.out
func BenchmarkWholeRun(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) { wholeRuns(b, n) })
	}
}

func wholeRuns(b *testing.B, n int) {
	homes := &bench{dir: b.TempDir(), env: map[string]string{}, homes: map[string]*home{}}
	h, err := homes.loaded(b.Context(), n)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = h.shut() })
	if err := loadDuplicates(b.Context(), h.brain, h.text, n/100); err != nil {
		b.Fatal(err)
	}
	r := h.use.Runner(h.brain, app.ConsolidateRequest{})
	for range 2 { // what the first one merged is new to the second
		wholeRun(b.Context(), b, r)
	}
	for b.Loop() {
		b.StopTimer()
		if err := load(b.Context(), h.brain, h.text, newMemories, func(int) {}); err != nil {
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

// BenchmarkPromote1000 is a run with 1,000 promotions among 100,000 memories,
// as the command's figure promote1000.
func BenchmarkPromote1000(b *testing.B) {
	homes := &bench{dir: b.TempDir(), env: map[string]string{}, homes: map[string]*home{}}
	h, err := homes.loaded(b.Context(), 100_000)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = h.shut() })
	r := h.use.Runner(h.brain, app.ConsolidateRequest{})
	var cpus []time.Duration
	for b.Loop() {
		b.StopTimer()
		if err := loadPromotable(b.Context(), h.brain, h.text, 1000); err != nil {
			b.Fatal(err)
		}
		c0 := cpuTime()
		b.StartTimer()
		rep, err := r.Run(b.Context(), consolidate.Request{Kind: brain.RunPromote, Background: true})
		b.StopTimer()
		cpus = append(cpus, cpuTime()-c0)
		b.StartTimer()
		if err != nil || len(rep.Actions) < 1000 {
			b.Fatal(len(rep.Actions), err)
		}
	}
	slices.Sort(cpus)
	b.ReportMetric(float64(cpus[len(cpus)/2].Microseconds())/1000, "cpu-ms")
	b.ReportMetric(float64(cpus[0].Microseconds())/1000, "least-cpu-ms")
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkRecall asks 100,000 memories for the words of a question, each time another.
func BenchmarkRecall(b *testing.B) {
	homes := &bench{dir: b.TempDir(), env: map[string]string{}, homes: map[string]*home{}}
	h, err := homes.loaded(b.Context(), 100_000)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = h.shut() })
	for name, ask := range map[string]func(int) string{
		"words":    func(i int) string { return h.text.question(2 + i%3) },
		"question": func(i int) string { return h.text.sentence(8 + i%5) },
	} {
		b.Run(name, func(b *testing.B) {
			var asked []string
			for i := range 60 {
				asked = append(asked, ask(i))
			}
			least := make([]time.Duration, len(asked))
			for b.Loop() {
				for i, text := range asked {
					start := time.Now()
					if _, err := h.brain.Recall.Recall(b.Context(), recall.Query{Words: words.Parse(text), NoTouch: true}); err != nil {
						b.Fatal(err)
					}
					if took := time.Since(start); least[i] == 0 || took < least[i] {
						least[i] = took
					}
				}
			}
			slices.Sort(least)
			b.ReportMetric(float64(least[len(least)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(least[len(least)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
}
