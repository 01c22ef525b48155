package main

import (
	"context"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/cmd/benchmark/generate"
	"github.com/brainbridge/brainbridge/integration/app"
)

// store measures operations in this process, with the store already open.
func (b *bench) store(ctx context.Context, n int) error {
	h, err := b.home(ctx, n)
	if err != nil {
		return err
	}
	if err := h.open(ctx); err != nil {
		return err
	}
	for _, r := range []struct {
		figure string
		query  func(i int) string
	}{
		{"recall of 2 to 4 words", func(i int) string { return h.text.Question(2 + i%3) }},
		{"recall of 8 to 12 words", func(i int) string { return h.text.Sentence(8 + i%5) }},
	} {
		took, err := repeat(20, b.recalls, func(i int) (time.Duration, error) {
			q := recall.Query{Words: words.Parse(r.query(i)), NoTouch: true}
			return since(func() error {
				_, err := h.brain.Recall.Recall(ctx, q)
				return err
			})
		})
		if err != nil {
			return err
		}
		b.spread(r.figure, n, took)
	}
	return b.runs(ctx, h, n)
}

// runs measures runs with nothing due, with memories that have expired, and with promotions.
func (b *bench) runs(ctx context.Context, h *home, n int) error {
	r := h.use.Runner(h.brain, app.ConsolidateRequest{})
	nothing := func(context.Context, int) error { return nil }
	for _, run := range []struct {
		figure, kind string
		due          int
		prepare      func(ctx context.Context, count int) error
	}{
		{"sweep, nothing due", brain.RunConsolidate, 0, nothing},
		{"sweep, 1 % due, with journal", brain.RunConsolidate, max(1, n/100), func(ctx context.Context, count int) error {
			return generate.LoadExpired(ctx, h.brain, h.text, count)
		}},
		{fmt.Sprintf("%d promotions, with journal", b.promotions), brain.RunPromote, b.promotions, func(ctx context.Context, count int) error {
			return generate.LoadPromotable(ctx, h.brain, h.text, count)
		}},
	} {
		took, err := repeat(1, b.repeats, func(int) (time.Duration, error) {
			if err := run.prepare(ctx, run.due); err != nil {
				return 0, err
			}
			return since(func() error {
				rep, err := r.Run(ctx, consolidate.Request{Kind: run.kind, Background: true})
				if err == nil && len(rep.Actions) < run.due {
					err = fmt.Errorf("%d of %d memories were settled", len(rep.Actions), run.due)
				}
				return err
			})
		})
		if err != nil {
			return err
		}
		b.single(run.figure, n, median(took), "ms")
	}
	return nil
}
