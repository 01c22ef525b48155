package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/integration/app"
)

// recallWarmups is the number of recalls that are not measured and only fill the caches.
const recallWarmups = 20

// inProcess measures operations in this process, with the store already open.
func (b *bench) inProcess(ctx context.Context, n int) error {
	h, err := b.loaded(ctx, n)
	if err != nil {
		return err
	}
	if err := b.recalls(ctx, h, "recall", n, func(i int) string { return h.text.question(2 + i%3) }); err != nil {
		return err
	}
	if err := b.recalls(ctx, h, "recallQuestion", n, func(i int) string { return h.text.sentence(8 + i%5) }); err != nil {
		return err
	}
	r := h.use.Runner(h.brain, app.ConsolidateRequest{})
	if err := b.emptySweeps(ctx, r, n); err != nil {
		return err
	}
	if err := b.curate(ctx, h, n); err != nil {
		return err
	}
	if err := b.health(ctx, h, n); err != nil {
		return err
	}
	err = b.runs(ctx, r, "sweep1pct", n, brain.RunConsolidate, max(1, n/100), func(count int) error {
		return loadExpired(ctx, h.brain, h.text, count)
	})
	if err != nil {
		return err
	}
	return b.runs(ctx, r, "promote1000", n, brain.RunPromote, b.Promotions, func(count int) error {
		return loadPromotable(ctx, h.brain, h.text, count)
	})
}

func (b *bench) recalls(ctx context.Context, h *home, name string, n int, ask func(int) string) error {
	b.progress.start("recall", recallWarmups+b.Recalls)
	var took []time.Duration
	for i := range recallWarmups + b.Recalls {
		q := recall.Query{Words: words.Parse(ask(i)), NoTouch: true}
		start := time.Now()
		if _, err := h.brain.Recall.Recall(ctx, q); err != nil {
			return err
		}
		if i >= recallWarmups {
			took = append(took, time.Since(start))
		}
		b.progress.add(1)
	}
	b.spread(name, n, took)
	return nil
}

// curate measures writing the block of MEMORY.md. A new memory before each write changes at
// least the number of those that are not shown: an earlier step may have written the file.
func (b *bench) curate(ctx context.Context, h *home, n int) error {
	c := h.use.Curator(h.brain, app.CurateRequest{})
	b.progress.start("curate", b.Repeats)
	var took []time.Duration
	for range b.Repeats {
		if err := load(ctx, h.brain, h.text, 1, func(int) {}); err != nil {
			return err
		}
		run := brain.Run{ID: brain.NewID(), Kind: brain.RunCurate, Started: h.brain.Base.Now()}
		start := time.Now()
		if _, _, err := c.Apply(ctx, consolidate.Scope{}, run); err != nil {
			return err
		}
		took = append(took, time.Since(start))
		if res, wrote := c.Last(); !wrote || res.Entries == 0 {
			return fmt.Errorf("MEMORY.md has %d entries, written %v", res.Entries, wrote)
		}
		b.progress.add(1)
	}
	b.single("curate", n, millis(median(took)), "ms")
	return nil
}

// health measures reading the facts that `health` reports.
func (b *bench) health(ctx context.Context, h *home, n int) error {
	b.progress.start("health", b.Sweeps)
	var took []time.Duration
	for range b.Sweeps {
		start := time.Now()
		f, err := h.use.HealthFacts(ctx, h.brain)
		if err != nil {
			return err
		}
		took = append(took, time.Since(start))
		if total := health.Check(f).Totals.Memories; total < n {
			return fmt.Errorf("health counts %d of %d memories", total, n)
		}
		b.progress.add(1)
	}
	b.single("health", n, millis(median(took)), "ms")
	return nil
}

// emptySweeps measures a run of the daemon when nothing is due.
func (b *bench) emptySweeps(ctx context.Context, r *consolidate.Runner, n int) error {
	b.progress.start("sweep, nothing due", b.Sweeps)
	var took []time.Duration
	for i := range warmups + b.Sweeps {
		start := time.Now()
		rep, err := r.Run(ctx, consolidate.Request{Kind: brain.RunConsolidate, Background: true})
		if err != nil {
			return err
		}
		if len(rep.Actions) > 0 && i >= warmups {
			return fmt.Errorf("%d memories were due, although none should be", len(rep.Actions))
		}
		if i >= warmups {
			took = append(took, time.Since(start))
		}
		b.progress.add(1)
	}
	b.spread("sweepNone", n, took)
	return nil
}

// runs measures the median of runs for which prepare makes count memories due.
func (b *bench) runs(ctx context.Context, r *consolidate.Runner, name string, n int, kind string, count int, prepare func(int) error) error {
	b.progress.start(name, b.Repeats)
	var took []time.Duration
	for range b.Repeats {
		if err := prepare(count); err != nil {
			return err
		}
		start := time.Now()
		rep, err := r.Run(ctx, consolidate.Request{Kind: kind, Background: true})
		if err != nil {
			return err
		}
		took = append(took, time.Since(start))
		if len(rep.Actions) < count {
			return fmt.Errorf("%d of %d memories were settled", len(rep.Actions), count)
		}
		b.progress.add(1)
	}
	b.single(name, n, millis(median(took)), "ms")
	return nil
}
