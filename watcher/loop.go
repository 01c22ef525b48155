package watcher

import (
	"context"
	"maps"
	"path"
	"slices"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/fsnotify/fsnotify"
)

const (
	// debounce is the quiet time after the last event before a batch is emitted,
	// maxDelay the longest wait after the first event.
	debounce, maxDelay = 50 * time.Millisecond, time.Second
	// scanEvery is the time between two scheduled scans.
	scanEvery = 5 * time.Minute
	// maxPending is the number of paths above which a full scan is cheaper.
	maxPending = 4096
	// tickEvery is how often the clock and the identity of the directory are checked.
	tickEvery = 10 * time.Second
	// maxSkew is how much more wall time than running time may pass between
	// two ticks before the machine counts as having slept.
	maxSkew = 5 * time.Second
)

// loop owns pending set, watches and timers. All belong to the goroutine of run.
type loop struct {
	w       *Watcher
	cfg     Config
	tree    *tree
	batches chan<- Batch
	results <-chan error

	pending  map[string]struct{}
	full     bool
	first    time.Time // time of the oldest change not yet emitted
	ready    bool      // the debounce time is over
	inFlight *Batch
	notUntil time.Time // no batch before this, after a failure of emit

	flush, scan, retry *time.Timer
	scanDelay          *backoff.ExponentialBackOff // between tries while degraded
	emitDelay          *backoff.ExponentialBackOff // between tries after a failure of emit

	lastTick, lastWall time.Time
}

func newLoop(w *Watcher, batches chan<- Batch, results <-chan error) *loop {
	return &loop{
		w: w, cfg: w.cfg, batches: batches, results: results,
		tree:      &tree{cfg: w.cfg, watched: map[string]bool{}},
		pending:   map[string]struct{}{},
		scanDelay: doubling(2*time.Second, 30*time.Second),
		emitDelay: doubling(time.Second, time.Minute),
	}
}

func (l *loop) run(ctx context.Context) {
	l.flush, l.scan, l.retry = stopped(), time.NewTimer(scanEvery), stopped()
	tick := time.NewTicker(tickEvery)
	defer l.tree.close()
	l.lastTick, l.lastWall = time.Now(), l.cfg.Now()
	l.requestFullBatch(ctx)
	for ctx.Err() == nil {
		l.step(ctx, tick.C)
	}
}

func stopped() *time.Timer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return t
}

// step waits for one thing and deals with it.
func (l *loop) step(ctx context.Context, tick <-chan time.Time) {
	select {
	case <-ctx.Done():
	case ev, ok := <-l.tree.notifier.Events:
		l.onEvent(ctx, ev, ok)
	case err := <-l.tree.notifier.Errors:
		l.onLost(ctx, err)
	case err := <-l.results:
		l.onResult(ctx, err)
	case <-l.flush.C:
		l.ready = true
		l.dispatch(ctx)
	case <-l.scan.C:
		l.scan.Reset(scanEvery)
		l.requestFullBatch(ctx)
	case <-l.retry.C:
		l.requestFullBatch(ctx)
	case <-tick:
		l.onTick(ctx)
	}
}

// requestFullBatch requests a full batch without waiting for quiet.
func (l *loop) requestFullBatch(ctx context.Context) {
	l.full, l.ready = true, true
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

// noteFull records that a scan is needed after the debounce time.
func (l *loop) noteFull() {
	l.full = true
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

// dispatch hands the collected changes to the emitter, unless it is busy, the
// directory does not exist, or nothing changed.
func (l *loop) dispatch(ctx context.Context) {
	if l.inFlight != nil || !l.ready || (!l.full && len(l.pending) == 0) {
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
	l.full, l.ready, l.first, l.inFlight = false, false, time.Time{}, &batch
	clear(l.pending)
	l.batches <- batch // does not block: nothing is in flight
}

func (l *loop) onResult(ctx context.Context, err error) {
	batch := *l.inFlight
	l.inFlight = nil
	switch {
	case ctx.Err() != nil:
		return
	case err != nil:
		l.takeBack(batch, err)
	default:
		l.emitDelay.Reset()
		l.dispatch(ctx)
	}
}

// takeBack merges a batch that the consumer failed to handle into the next one.
func (l *loop) takeBack(batch Batch, err error) {
	wait := l.emitDelay.NextBackOff()
	l.cfg.Log.Warn().Err(err).Dur("retry_in", wait).Msg("changed files could not be read in; trying again")
	l.notUntil = time.Now().Add(wait)
	l.full = l.full || batch.Full
	for _, rel := range batch.Paths {
		l.pending[rel] = struct{}{}
	}
	l.arm()
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
			l.noteFull()
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
			l.noteFull()
		}
	} else if l.cfg.matches(rel) {
		l.note(rel)
	}
}

// onLost starts over after an error of the source of events, or its end.
func (l *loop) onLost(ctx context.Context, err error) {
	l.cfg.Log.Warn().Err(err).Str("dir", l.cfg.Dir).Msg("file events were lost; scanning")
	l.tree.close()
	l.requestFullBatch(ctx)
}

// onTick detects that the machine slept or that the directory was replaced.
func (l *loop) onTick(ctx context.Context) {
	now, wall := time.Now(), l.cfg.Now()
	skew := wall.Round(0).Sub(l.lastWall.Round(0)) - now.Sub(l.lastTick)
	l.lastTick, l.lastWall = now, wall
	if skew > maxSkew || l.w.Degraded() == "" && l.present() && l.full {
		l.requestFullBatch(ctx)
	}
}
