package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// warmups is how many measurements only warm the caches of the machine.
const warmups = 2

// StartOnly is the argument with which the program ends at once. What remains is
// starting a process: the floor of every command.
const StartOnly = "--bench-process-start"

// processes measures whole processes; args returns the arguments of the i-th one.
func (b *bench) processes(ctx context.Context, h *home, what string, args func(i int) []string) ([]time.Duration, error) {
	b.progress.start(what, warmups+b.Processes)
	var took []time.Duration
	for i := range warmups + b.Processes {
		d, err := h.timed(ctx, args(i)...)
		if err != nil {
			return nil, err
		}
		if i >= warmups {
			took = append(took, d)
		}
		b.progress.add(1)
	}
	return took, nil
}

// floors measures what the machine itself needs.
func (b *bench) floors(ctx context.Context) error {
	h, err := b.home(ctx, "memories-0")
	if err != nil {
		return err
	}
	starts, err := b.processes(ctx, h, "process start", func(int) []string { return []string{StartOnly} })
	if err != nil {
		return err
	}
	b.report.Floor.ProcessStartMs = millis(median(starts))
	writes, err := durableWrites(filepath.Join(h.dir, "tmp", "floor"))
	if err != nil {
		return err
	}
	b.report.Floor.DurableWriteMs = millis(median(writes))
	return nil
}

// durableWrites appends blocks of 4 KiB to a file and syncs each.
func durableWrites(path string) (took []time.Duration, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("measure durable writes: %w", err)
	}
	defer f.Close() //nolint:errcheck // thrown away with its folder
	block := make([]byte, 4096)
	for range 100 {
		start := time.Now()
		if _, err := f.Write(block); err != nil {
			return nil, fmt.Errorf("measure durable writes: %w", err)
		}
		if err := syncData(f); err != nil {
			return nil, fmt.Errorf("measure durable writes: %w", err)
		}
		took = append(took, time.Since(start))
	}
	return took, nil
}

// emptyProcesses measures commands on a brain that is empty at the start.
func (b *bench) emptyProcesses(ctx context.Context) error {
	h, err := b.home(ctx, "memories-0")
	if err != nil {
		return err
	}
	took, err := b.processes(ctx, h, "version", func(int) []string { return []string{"version"} })
	if err != nil {
		return err
	}
	b.spread("version", 0, took)
	return b.captures(ctx, h, 0)
}

// smallProcesses measures commands on a brain with memories.
func (b *bench) smallProcesses(ctx context.Context) error {
	h, err := b.loaded(ctx, b.Small)
	if err != nil {
		return err
	}
	if err := h.shut(); err != nil { // a process that is open elsewhere would spare the others work
		return err
	}
	if err := b.captures(ctx, h, b.Small); err != nil {
		return err
	}
	took, err := b.processes(ctx, h, "recall", func(i int) []string {
		return []string{"recall", h.text.question(2 + i%3)}
	})
	if err != nil {
		return err
	}
	b.spread("recallProcess", b.Small, took)
	return nil
}

func (b *bench) captures(ctx context.Context, h *home, n int) error {
	took, err := b.processes(ctx, h, "capture", func(int) []string {
		return []string{"learn", h.text.title(), h.text.body()}
	})
	if err != nil {
		return err
	}
	b.spread("capture", n, took)
	return nil
}
