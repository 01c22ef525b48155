package watcher

import (
	"context"
	"maps"
	"path"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// debounce is the quiet time after the last event before a batch is emitted,
	// maxDelay the longest wait after the first event.
	debounce, maxDelay = 50 * time.Millisecond, time.Second
	// scanEvery is the time between two scheduled scans.
	scanEvery = 5 * time.Minute
	// beatEvery is the time between two signs of life.
	beatEvery = 10 * time.Second
	// maxPending is the number of paths above which a full scan is cheaper.
	maxPending = 4096
	// minRetry is the wait after a failed watch or batch; it doubles up to maxRetry.
	minRetry, maxRetry = 2 * time.Second, 30 * time.Second
)

// loop owns pending set, watches and timers. All belong to the goroutine of run. Events that
// arrive while a batch is handled wait in the queue of the operating system.
type loop struct {
	w    *Watcher
	cfg  Config
	tree *tree
	emit func(context.Context, Batch) error

	pending  map[string]struct{}
	full     bool
	first    time.Time // time of the oldest change not yet emitted
	notUntil time.Time // no batch before this, after a failure of emit

	flush, scan *time.Timer
	watchRetry  time.Duration // wait for the next scan while degraded
	emitRetry   time.Duration // wait after the next failure of emit
}

func (l *loop) run(ctx context.Context) {
	l.flush, l.scan = time.NewTimer(time.Hour), time.NewTimer(scanEvery)
	l.flush.Stop()
	defer l.tree.close()
	l.scanAll(ctx)
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	for ctx.Err() == nil {
		l.w.beat.Store(time.Now().UnixNano())
		select {
		case <-ctx.Done():
		case <-beat.C:
		case ev, ok := <-l.tree.notifier.Events:
			l.onEvent(ctx, ev, ok)
		case err := <-l.tree.notifier.Errors:
			l.onLost(ctx, err)
		case <-l.flush.C:
			l.dispatch(ctx)
		case <-l.scan.C:
			l.scan.Reset(scanEvery)
			l.scanAll(ctx)
		}
	}
}

// scanAll emits a full batch without waiting for quiet.
func (l *loop) scanAll(ctx context.Context) {
	l.full = true
	l.dispatch(ctx)
}

// note records that the file rel changed.
func (l *loop) note(rel string) {
	if !l.full {
		l.pending[rel] = struct{}{}
		l.full = len(l.pending) > maxPending
	}
	l.arm()
}

// arm starts or prolongs the debounce time.
func (l *loop) arm() {
	now := time.Now()
	if l.first.IsZero() {
		l.first = now
	}
	wait := min(debounce, l.first.Add(maxDelay).Sub(now))
	l.flush.Reset(max(wait, l.notUntil.Sub(now), 0))
}

// dispatch emits the collected changes, unless the directory does not exist or nothing
// changed. If that fails, they wait for the next batch.
func (l *loop) dispatch(ctx context.Context) {
	if !l.full && len(l.pending) == 0 {
		return
	}
	if wait := time.Until(l.notUntil); wait > 0 {
		l.flush.Reset(wait)
		return
	}
	if !l.present() {
		return
	}
	if l.full {
		l.sync(ctx)
	}
	if ctx.Err() != nil {
		return
	}
	batch := Batch{Full: l.full}
	if !l.full {
		batch.Paths = slices.Sorted(maps.Keys(l.pending))
	}
	l.first = time.Time{}
	err := l.emit(ctx, batch)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		wait := l.emitRetry
		l.emitRetry = min(2*wait, maxRetry)
		l.cfg.Log.Warn().Err(err).Dur("retry_in", wait).Msg("changed files could not be read in; trying again")
		l.notUntil = time.Now().Add(wait)
		l.arm()
		return
	}
	l.emitRetry = minRetry
	l.full = false
	clear(l.pending)
}

func (l *loop) onEvent(ctx context.Context, ev fsnotify.Event, ok bool) {
	if !ok {
		l.onLost(ctx, nil)
		return
	}
	rel, inside := l.tree.rel(ev.Name)
	name := path.Base(rel)
	switch {
	case !inside:
	case rel == ".":
		if ev.Has(fsnotify.Remove | fsnotify.Rename) {
			l.full = true
			l.arm()
		}
	case !Ignored(name) && printable(name):
		l.onChange(ev, rel)
	}
}

// onChange handles an event for rel. A folder or a link that appears or goes calls for a
// scan: what is in it may have come or gone without events of its own.
func (l *loop) onChange(ev fsnotify.Event, rel string) {
	gone := ev.Has(fsnotify.Remove|fsnotify.Rename) && l.tree.watched[rel]
	if gone || ev.Has(fsnotify.Create|fsnotify.Chmod) && l.tree.isFolderOrLink(rel) {
		if !l.cfg.skips(rel) {
			l.full = true
			l.arm()
		}
	} else if l.cfg.matches(rel) {
		l.note(rel)
	}
}

// onLost starts over after an error of the source of events, or its end.
func (l *loop) onLost(ctx context.Context, err error) {
	l.cfg.Log.Warn().Err(err).Str("dir", l.cfg.Dir).Msg("file events were lost; scanning")
	l.tree.close()
	l.scanAll(ctx)
}

// present reports whether the directory exists. If not, the watches are closed, and a full
// batch follows when it is back.
func (l *loop) present() bool {
	_, err := checkDir(l.cfg.Dir)
	if err == nil {
		return true
	}
	l.tree.close()
	l.full = true
	l.degrade(err.Error())
	return false
}

// sync watches the directories that exist now.
func (l *loop) sync(ctx context.Context) {
	if failed := l.tree.sync(ctx); failed != "" {
		l.degrade(failed)
		return
	}
	if ctx.Err() != nil {
		return
	}
	l.scan.Reset(scanEvery)
	l.watchRetry = minRetry
	if l.w.Degraded() != "" {
		l.cfg.Log.Info().Str("dir", l.cfg.Dir).Msg("file events arrive again")
	}
	l.w.degraded.Store("")
}

// degrade falls back to scanning until a sync succeeds, and says so once in the log.
func (l *loop) degrade(why string) {
	if l.w.Degraded() == "" {
		l.cfg.Log.Warn().Str("dir", l.cfg.Dir).Str("reason", why).Msg("no file events; scanning with back-off instead")
	}
	l.w.degraded.Store(why)
	l.scan.Reset(l.watchRetry)
	l.watchRetry = min(2*l.watchRetry, maxRetry)
}
