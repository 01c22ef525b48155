package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/brainbridge/brainbridge/watcher/transcript/fixture"
)

// extraction measures what a large transcript costs: a whole process on one
// core, by the time that the core was busy, so that what else runs on the
// machine does not count.
func (b *bench) extraction(ctx context.Context) error {
	h, err := b.home("transcripts")
	if err != nil {
		return err
	}
	day := time.Date(2026, 2, 5, 9, 0, 0, 0, time.UTC)
	h.env["BRAINBRIDGE_NOW"] = day.AddDate(0, 0, 30).Format(time.RFC3339)
	h.env["BRAINBRIDGE_NOTES_TIMEZONE"] = "UTC"
	h.env["GOMAXPROCS"] = "1"
	size, err := b.writeTranscript(filepath.Join(h.dir, "sessions"), day)
	if err != nil {
		return err
	}
	extract := []string{"-q", "transcript", "extract", day.Format(time.DateOnly)}
	if _, err := h.timed(ctx, "init"); err != nil { // making the store is no part of it
		return err
	}
	c := h.command(ctx, extract...)
	b.bar.start("extracting", 1)
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("extract a transcript: %w: %s", err, out)
	}
	busy := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	b.single("extractMBps", 0, float64(size)/1e6/max(busy, time.Millisecond).Seconds(), "MB/s")
	b.single("extractMemory", 0, megabytes(peakMemory(c.ProcessState)), "MB")
	took, err := b.processes(ctx, h, "unchanged day", func(int) []string { return extract })
	if err != nil {
		return err
	}
	b.spread("extractUnchanged", 0, took)
	return nil
}

// writeTranscript writes a session, and returns its size in bytes.
func (b *bench) writeTranscript(dir string, day time.Time) (size int64, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return 0, fmt.Errorf("make the folder of sessions: %w", err)
	}
	f, err := os.Create(filepath.Join(dir, "session.jsonl"))
	if err != nil {
		return 0, fmt.Errorf("write a transcript: %w", err)
	}
	const mega = 1 << 20
	b.bar.start("writing a transcript, MB", int(b.plan.transcript/mega)+1)
	size, err = io.Copy(&ticking{to: f, every: mega, tick: func() { b.bar.add(1) }}, fixture.Stream(benchSeed, b.plan.transcript, day))
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return 0, fmt.Errorf("write a transcript: %w", err)
	}
	return size, nil
}

// ticking is a writer that says when some more bytes were written.
type ticking struct {
	to    io.Writer
	every int
	since int
	tick  func()
}

// Write writes.
func (t *ticking) Write(p []byte) (int, error) {
	n, err := t.to.Write(p)
	for t.since += n; t.since >= t.every; t.since -= t.every {
		t.tick()
	}
	return n, err
}
