// Package watcher turns changes below a directory into debounced batches of
// relative paths. It does not know what the files mean.
//
// Events of the operating system are hints; a scan decides. The watcher asks for a
// scan at the start, on a schedule, and after an overflow or an error. Without events it falls back to scanning with
// back-off, says so once in the log and in [Watcher.Degraded], and recovers by itself.
package watcher

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
)

// Config says what to watch. Only Dir is required.
type Config struct {
	// Dir is the absolute path of the directory. It may be a link and need not exist yet.
	Dir string
	// Match reports whether a file is watched. rel is relative to Dir and
	// slash-separated. Nil watches all files. Match and SkipDir must be pure functions.
	Match func(rel string) bool
	// SkipDir reports whether to leave out a directory. Nil enters all directories.
	SkipDir func(rel string) bool
	// Log receives degradation (a warning, once), recovery and errors of the consumer.
	Log zerolog.Logger
	// Open creates the source of events; fsnotify by default.
	Open func() (Notifier, error)
}

func (c Config) matches(rel string) bool { return c.Match == nil || c.Match(rel) }
func (c Config) skips(rel string) bool   { return c.SkipDir != nil && c.SkipDir(rel) }

// Batch lists the files that changed since the last one.
type Batch struct {
	// Paths are matching files that were created, changed or removed, relative to
	// Dir, slash-separated, sorted, each once. Empty if Full.
	Paths []string
	// Full asks for a scan of everything.
	Full bool
}

// Watcher emits batches while Run runs. Its other methods are safe for concurrent use.
type Watcher struct {
	cfg      Config
	degraded atomic.Value // string
	beat     atomic.Int64 // when the loop was last at work, in Unix nanoseconds; 0: not yet
}

// Silent returns how long Run has given no sign of life. It gives one every few seconds, unless
// it hands over a batch.
func (w *Watcher) Silent() time.Duration {
	last := w.beat.Load()
	if last == 0 {
		return 0
	}
	return time.Since(time.Unix(0, last))
}

// New returns a watcher that does nothing until Run is called.
func New(cfg Config) *Watcher {
	if cfg.Open == nil {
		cfg.Open = openFsnotify
	}
	return &Watcher{cfg: cfg}
}

// Degraded says why the watcher scans instead of getting events; empty if it gets them.
func (w *Watcher) Degraded() string {
	why, _ := w.degraded.Load().(string)
	return why
}

// Run watches until ctx ends, and then returns nil.
// The first batch is Full and comes at once. While Dir does not exist, nothing is emitted, so
// that it does not look like the deletion of all files; when it is back, a Full batch is.
//
// emit is called from one goroutine; changes during a call are collected. A batch for which
// emit returns an error is merged into the next one, after a back-off of 2 s to 30 s.
func (w *Watcher) Run(ctx context.Context, emit func(context.Context, Batch) error) error {
	l := &loop{
		w: w, cfg: w.cfg, emit: emit,
		tree:       &tree{cfg: w.cfg, watched: map[string]bool{}},
		pending:    map[string]struct{}{},
		watchRetry: minRetry, emitRetry: minRetry,
	}
	l.run(ctx)
	return nil
}
