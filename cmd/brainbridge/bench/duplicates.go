package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/services"
)

// newMemories is how many memories are new since the previous run.
const newMemories = 10

// duplicates measures looking for duplicates, in whole processes: once among all,
// of which one in a hundred is nearly the same as another, and then whole runs
// that find a few new ones. The first is a dry run, so that it is the search that is measured and
// not the writing of a thousand merges.
func (b *bench) duplicates(ctx context.Context, n int) error {
	h, err := b.loaded(ctx, n)
	if err != nil {
		return err
	}
	if err := loadDuplicates(ctx, h.brain, h.text, max(1, n/100)); err != nil {
		return err
	}
	if err := h.shut(); err != nil {
		return err
	}
	b.progress.start("all duplicates", 1)
	start := time.Now()
	peak, err := peakMemory(ctx, h.command(ctx, "consolidate", "--merge-only", "--dry-run"))
	if err != nil {
		return fmt.Errorf("look for duplicates: %w", err)
	}
	b.single("duplicatesFull", n, millis(time.Since(start)), "ms")
	b.single("duplicatesMemory", n, megabytes(peak), "MB")
	b.progress.start("merging", 2)
	for range 2 { // memories of the first one are new to the second
		if _, err := h.timed(ctx, "-q", "consolidate"); err != nil {
			return err
		}
		b.progress.add(1)
	}
	if err := h.open(ctx); err != nil {
		return err
	}
	return b.newDuplicates(ctx, h, n)
}

// newDuplicates measures whole runs that have a few new memories to look at.
func (b *bench) newDuplicates(ctx context.Context, h *home, n int) error {
	b.progress.start("duplicates among new memories", b.Repeats)
	var took []time.Duration
	for range b.Repeats {
		if err := h.open(ctx); err != nil {
			return err
		}
		if err := load(ctx, h.brain, h.text, newMemories, func(int) {}); err != nil {
			return err
		}
		if err := h.shut(); err != nil {
			return err
		}
		d, err := h.timed(ctx, "-q", "consolidate")
		if err != nil {
			return err
		}
		took = append(took, d)
		b.progress.add(1)
	}
	b.single("duplicatesTen", n, millis(median(took)), "ms")
	return nil
}

// loadDuplicates stores n memories that are nearly the same as others: with one
// word more.
func loadDuplicates(ctx context.Context, b *services.Services, text *textMaker, n int) error {
	mark := ""
	for n > 0 {
		var ms []brain.Memory
		err := b.Base.Store.View(ctx, func(r brain.Reader) (err error) {
			ms, mark, err = r.Written(mark, min(n, loadBatch))
			return err
		})
		if err != nil {
			return fmt.Errorf("read memories to store twice: %w", err)
		}
		if len(ms) == 0 {
			return nil
		}
		n -= len(ms)
		doubles := make([]brain.Memory, 0, len(ms))
		for _, m := range ms {
			double := text.plain(m.Created)
			double.Name, double.NameKey, double.Project, double.MemoryType = m.Name, m.NameKey, m.Project, m.MemoryType
			double.Content = m.Content + " " + text.word()
			double.ContentHash, double.State = brain.Hash(double.Name, double.Content), m.State
			doubles = append(doubles, double)
		}
		if err := b.Base.Store.Update(ctx, func(tx brain.Tx) error { return tx.PutMemories(doubles...) }); err != nil {
			return fmt.Errorf("store %d memories that are nearly the same as others: %w", len(doubles), err)
		}
	}
	return nil
}
