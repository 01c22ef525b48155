package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/integration/notes"
)

// daemon measures the memory of the daemon, and how soon it reads a note that was saved.
func (b *bench) daemon(ctx context.Context, n int) (err error) {
	h, err := b.home(ctx, n)
	if err != nil {
		return err
	}
	c := h.command(ctx, "serve")
	var stderr bytes.Buffer
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		return fmt.Errorf("start the daemon: %w", err)
	}
	defer func() {
		err = errors.Join(err, c.Process.Signal(syscall.SIGTERM), c.Wait())
		if err != nil {
			err = fmt.Errorf("%w (the daemon wrote: %s)", err, bytes.TrimSpace(stderr.Bytes()))
		}
	}()
	owner := filepath.Join(h.settings.Paths.NotesDir, notes.OwnerFile) // made once it has the lock and the store
	err = wait(ctx, "the daemon does not watch the notes", func() (bool, error) {
		_, err := os.Stat(owner)
		return err == nil, nil
	})
	if err == nil {
		err = b.idleMemory(ctx, "private memory of the daemon", n, c.Process.Pid)
	}
	if err != nil {
		return err
	}
	return b.saves(ctx, h, n)
}

// saves measures from the save of a note until the store finds its words.
func (b *bench) saves(ctx context.Context, h *home, n int) error {
	if err := h.open(ctx); err != nil {
		return err
	}
	today := time.Now().Format(time.DateOnly)
	text := fmt.Sprintf("# %s - Daily Notes\n", today)
	took, err := repeat(1, b.plan.saves, func(i int) (time.Duration, error) {
		mark := "mark" + strings.ReplaceAll(brain.NewID(), "-", "")
		text += fmt.Sprintf("\n## [10:%02d] 💡 lesson: %s\n\n%s %s\n", i, h.text.Title(), mark, h.text.Body())
		if err := pause(ctx, 300*time.Millisecond); err != nil { // people do not save faster
			return 0, err
		}
		return since(func() error {
			if err := os.WriteFile(filepath.Join(h.settings.Paths.NotesDir, today+".md"), []byte(text), 0o644); err != nil {
				return fmt.Errorf("save a note: %w", err)
			}
			q := brain.SearchQuery{Words: words.Parse(mark), Limit: 1}
			return wait(ctx, "a saved note was not read", func() (found bool, err error) {
				err = h.brain.Base.Store.View(ctx, func(r brain.Reader) error {
					hits, err := r.Search(q)
					found = len(hits) > 0
					return err
				})
				return found, err
			})
		})
	})
	if err != nil {
		return err
	}
	b.spread("saved note to recallable", n, took)
	return h.shut()
}

// wait looks every millisecond for a minute until done is true.
func wait(ctx context.Context, otherwise string, done func() (bool, error)) error {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		if ok, err := done(); ok || err != nil {
			return err
		}
		if err := pause(ctx, time.Millisecond); err != nil {
			return err
		}
	}
	return errors.New(otherwise)
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// idleMemory adds the memory of an idle process that other processes do not share.
func (b *bench) idleMemory(ctx context.Context, name string, n, pid int) error {
	if err := pause(ctx, b.steady); err != nil {
		return err
	}
	report, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return fmt.Errorf("read the memory of a process, which only Linux reports: %w", err)
	}
	bytes := 0
	for line := range strings.Lines(string(report)) {
		if !strings.HasPrefix(line, "Private_") {
			continue
		}
		kibibytes, err := strconv.Atoi(strings.Fields(line)[1])
		if err != nil {
			return fmt.Errorf("read the memory of process %d: %w", pid, err)
		}
		bytes += kibibytes * 1024
	}
	b.single(name, n, megabytes(bytes), "MB")
	return nil
}
