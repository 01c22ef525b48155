package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/brainbridge/brainbridge/watcher/transcript/fixture"
)

// extraction measures extraction from a large transcript, as a whole process on one
// core. It counts processor time, so that other work on the machine does not matter.
func (b *bench) extraction(ctx context.Context) error {
	h, err := b.home(ctx, "transcripts")
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
	if _, err := h.timed(ctx, "init"); err != nil { // creating the store is not part of it
		return err
	}
	c := h.command(ctx, extract...)
	b.progress.start("extracting", 1)
	peak, err := peakMemory(ctx, c)
	if err != nil {
		return fmt.Errorf("extract a transcript: %w", err)
	}
	busy := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	b.single("extractMBps", 0, float64(size)/1e6/max(busy, time.Millisecond).Seconds(), "MB/s")
	b.single("extractMemory", 0, megabytes(peak), "MB")
	took, err := b.processes(ctx, h, "unchanged day", func(int) []string { return extract })
	if err != nil {
		return err
	}
	b.spread("extractUnchanged", 0, took)
	return nil
}

// peakMemory runs a command and returns the most memory that it held, in bytes,
// by a look every few milliseconds. What the system itself keeps of a process
// that has ended begins with what its parent held.
func peakMemory(ctx context.Context, c *exec.Cmd) (peak int, err error) {
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	if err := c.Start(); err != nil {
		return 0, err
	}
	peak, _ = processMemory(ctx, c.Process.Pid, residentMemory) // one that ends at once is seen too
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case err := <-ended:
			if err != nil {
				err = fmt.Errorf("%w: %s", err, &said)
			}
			return peak, err
		case <-look.C:
			if now, err := processMemory(ctx, c.Process.Pid, residentMemory); err == nil { // it may have ended
				peak = max(peak, now)
			}
		}
	}
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
	b.progress.start("writing a transcript, MB", int(b.Transcript/mega)+1)
	size, err = io.Copy(&ticking{to: f, every: mega, tick: func() { b.progress.add(1) }}, fixture.Stream(seed, b.Transcript, day))
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
