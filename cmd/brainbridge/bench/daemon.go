package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/integration/notes"
)

const (
	// pollInterval is how often the store is asked for a note: well below the 2 ms
	// to which the time of a save is known.
	pollInterval = time.Millisecond
	// patience is how long the daemon may take for anything.
	patience = time.Minute
)

// daemon measures the daemon of an empty brain.
func (b *bench) daemon(ctx context.Context) error {
	h, err := b.home(ctx, "daemon")
	if err != nil {
		return err
	}
	return h.serving(ctx, func(pid int) error {
		idle, err := settledMemory(ctx, pid, b.Steady)
		if err != nil {
			return err
		}
		b.single("memoryIdle", 0, megabytes(idle), "MB")
		return b.saves(ctx, h)
	})
}

// loadedDaemon measures the daemon of a brain with n memories.
func (b *bench) loadedDaemon(ctx context.Context, n int) error {
	h, err := b.loaded(ctx, n)
	if err != nil {
		return err
	}
	if err := h.shut(); err != nil {
		return err
	}
	return h.serving(ctx, func(pid int) error {
		used, err := settledMemory(ctx, pid, b.Steady)
		if err == nil {
			b.single("memoryLoaded", n, megabytes(used), "MB")
		}
		return err
	})
}

func megabytes(bytes int) float64 { return float64(bytes/10_000) / 100 }

// serving runs fn while a daemon runs, once that answers, and stops the daemon.
func (h *home) serving(ctx context.Context, fn func(pid int) error) (err error) {
	c := h.command(ctx, "serve")
	var said bytes.Buffer
	c.Stderr = &said
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = 10 * time.Second
	if err := c.Start(); err != nil {
		return fmt.Errorf("start the daemon: %w", err)
	}
	ended := make(chan struct{})
	var waited error
	go func() {
		defer close(ended)
		waited = c.Wait()
	}()
	if err = h.answers(ctx, ended); err == nil {
		err = fn(c.Process.Pid)
	}
	if err = errors.Join(err, stop(c, ended)); err != nil {
		return fmt.Errorf("%w (the daemon said: %s)", errors.Join(err, waited), bytes.TrimSpace(said.Bytes()))
	}
	return nil
}

// stop ends a daemon and waits for it.
func stop(c *exec.Cmd, ended <-chan struct{}) error {
	if err := c.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stop the daemon: %w", err)
	}
	select {
	case <-ended:
		return nil
	case <-time.After(patience):
		err := c.Process.Kill()
		<-ended
		return errors.Join(errors.New("the daemon did not stop when asked to"), err)
	}
}

// answers waits until the daemon has made the notes directory its own, which
// it does once it has the lock and the store. It is not asked for its lock:
// trying it could take it away from the daemon.
func (h *home) answers(ctx context.Context, ended <-chan struct{}) error {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		if _, err := os.Stat(filepath.Join(h.settings.Paths.NotesDir, notes.OwnerFile)); err == nil {
			return nil
		}
		select {
		case <-ended:
			return errors.New("the daemon ended")
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
	return errors.New("the daemon does not answer")
}

// saves measures from the save of a note until the store finds its words.
func (b *bench) saves(ctx context.Context, h *home) error {
	if err := h.open(ctx); err != nil {
		return err
	}
	note := filepath.Join(h.settings.Paths.NotesDir, time.Now().Format(time.DateOnly)+".md")
	text := fmt.Sprintf("# %s - Daily Notes\n", time.Now().Format(time.DateOnly))
	b.progress.start("saving notes", 1+b.Saves)
	var took []time.Duration
	for i := range 1 + b.Saves { // the first one only waits for the watch
		mark := "mark" + strings.ReplaceAll(brain.NewID(), "-", "")
		text += fmt.Sprintf("\n## [10:%02d] 💡 lesson: %s\n\n%s %s\n", i, h.text.title(), mark, h.text.body())
		start := time.Now()
		if err := os.WriteFile(note, []byte(text), 0o644); err != nil {
			return fmt.Errorf("save a note: %w", err)
		}
		if err := h.recallable(ctx, mark); err != nil {
			return err
		}
		if i > 0 {
			took = append(took, time.Since(start))
		}
		b.progress.add(1)
		if err := pause(ctx, 300*time.Millisecond); err != nil { // people do not save faster
			return err
		}
	}
	b.spread("noteToRecallable", 0, took)
	return h.shut()
}

// recallable waits until a word is found.
func (h *home) recallable(ctx context.Context, word string) error {
	q := brain.SearchQuery{Words: words.Parse(word), Limit: 1}
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		found := false
		err := h.brain.Base.Store.View(ctx, func(r brain.Reader) error {
			hits, err := r.Search(q)
			found = len(hits) > 0
			return err
		})
		if err != nil || found {
			return err
		}
		if err := pause(ctx, pollInterval); err != nil {
			return err
		}
	}
	return errors.New("a saved note was not ingested")
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// steadyBytes is by how many bytes the memory of an idle process may vary.
const steadyBytes = 256 << 10

// settledMemory waits until the private memory of a process has been steady for
// a number of looks, a quarter of a second apart, and returns it in bytes.
func settledMemory(ctx context.Context, pid, looks int) (int, error) {
	last, calm := 0, 0
	for deadline := time.Now().Add(patience); calm < looks && time.Now().Before(deadline); {
		if err := pause(ctx, 250*time.Millisecond); err != nil {
			return 0, err
		}
		now, err := processMemory(ctx, pid, privateMemory)
		if err != nil {
			return 0, err
		}
		if calm++; max(now-last, last-now) > steadyBytes {
			last, calm = now, 0
		}
	}
	return processMemory(ctx, pid, privateMemory)
}

// memoryKind is a kind of memory that Linux reports for a process: the sum of
// the lines of a file in /proc/PID that start with a prefix.
type memoryKind struct{ file, prefix string }

var (
	residentMemory = memoryKind{"status", "VmRSS:"}
	// privateMemory returns the memory that a process does not share: other processes, such
	// as the MCP servers of other agents, share the program's code.
	privateMemory = memoryKind{"smaps_rollup", "Private_"}
)

// processMemory returns how many bytes of memory a process has. Outside Linux
// it is the resident memory whatever the kind.
func processMemory(ctx context.Context, pid int, kind memoryKind) (bytes int, err error) {
	report, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, kind.file))
	if errors.Is(err, fs.ErrNotExist) {
		report, err = exec.CommandContext(ctx, "ps", "-o", "rss=", "-p", strconv.Itoa(pid)).Output()
		report = append([]byte(kind.prefix+" "), report...)
	}
	if err != nil {
		return 0, fmt.Errorf("read the memory of process %d: %w", pid, err)
	}
	for line := range strings.Lines(string(report)) {
		if !strings.HasPrefix(line, kind.prefix) {
			continue
		}
		kibibytes, err := strconv.Atoi(strings.Fields(line)[1])
		if err != nil {
			return 0, fmt.Errorf("read the memory of process %d: %w", pid, err)
		}
		bytes += kibibytes * 1024
	}
	return bytes, nil
}
