package watcher

import (
	"context"
	"os"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// doubling returns delays that double from the first to the longest.
func doubling(first, longest time.Duration) *backoff.ExponentialBackOff {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval, b.MaxInterval, b.Multiplier, b.RandomizationFactor = first, longest, 2, 0
	b.Reset()
	return b
}

// present reports whether the directory exists. If not, the watches are closed. A full
// batch follows when it is back, or if another one has replaced it.
func (l *loop) present() bool {
	info, err := checkDir(l.cfg.Dir)
	if err == nil {
		l.full = l.full || l.tree.root != nil && !os.SameFile(l.tree.root, info)
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
	l.retry.Stop()
	l.scanDelay.Reset()
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
	l.retry.Reset(l.scanDelay.NextBackOff())
}
