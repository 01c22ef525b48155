package watcher

import (
	"context"
	"time"
)

// backoff doubles from one bound to the other.
type backoff struct{ from, to, last time.Duration }

func (b *backoff) next() time.Duration {
	b.last = min(max(2*b.last, b.from), b.to)
	return b.last
}

func (b *backoff) reset() { b.last = 0 }

// present reports whether the directory is there. If not, the watches go with
// it and everything is looked at again when it comes back.
func (l *loop) present() bool {
	err := l.tree.check()
	if err == nil {
		l.full = l.full || l.tree.stale
		return true
	}
	l.tree.close()
	l.full = true
	l.degrade(err.Error())
	return false
}

// sync makes the watches those of the directories that are there now.
func (l *loop) sync(ctx context.Context) {
	if failed := l.tree.sync(ctx); failed != "" {
		l.degrade(failed)
		return
	}
	if ctx.Err() != nil {
		return
	}
	l.retry.Stop()
	l.retrying = false
	l.scanDelay.reset()
	if l.w.State().Degraded != "" {
		l.cfg.Log.Info().Str("dir", l.cfg.Dir).Msg("file events arrive again")
	}
	l.w.setState(func(s *State) { s.Watching, s.Degraded = true, "" })
}

// degrade falls back to scanning until a sync succeeds. It logs when it
// begins, not for each try.
func (l *loop) degrade(why string) {
	if l.w.State().Degraded == "" {
		l.cfg.Log.Warn().Str("dir", l.cfg.Dir).Str("reason", why).Msg("no file events; scanning with back-off instead")
	}
	l.w.setState(func(s *State) { s.Watching, s.Degraded = false, why })
	if !l.retrying { // a stream of failures must not put the next try off
		l.retrying = true
		l.retry.Reset(l.scanDelay.next())
	}
}
