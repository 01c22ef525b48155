package app

import (
	"context"
	"errors"
	"fmt"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/spool"
)

// spool returns the spool of captures that wait for the store.
func (a *App) spool() *spool.Spool {
	l := a.o.Settings
	return spool.New(l.Paths.Spool, l.Config.Brain, l.Config.Store)
}

// drain stores what was captured while the store was away. A store that goes
// away again is an error, so that later captures stay behind these.
func (u *UseCases) drain(ctx context.Context, b *services.Services) (spool.Drained, error) {
	d, err := u.app.spool().Drain(ctx, func(ctx context.Context, c brain.Capture) error {
		note, err := b.Capture.CaptureSpooled(ctx, c)
		if note != "" {
			u.warn(note)
		}
		return err
	})
	if d.Stored > 0 {
		u.caller.Notices.Info(fmt.Sprintf("stored %s that had waited for the store", english.Plural(d.Stored, "capture", "")))
	}
	if d.Rejected > 0 {
		u.warn(fmt.Sprintf("the store does not accept %s; see %s", english.Plural(d.Rejected, "capture", ""), d.RejectedFile))
	}
	if err != nil && !errors.Is(err, brain.ErrUnavailable) && ctx.Err() == nil {
		u.caller.Notices.Warn(err)
		return d, nil
	}
	return d, err
}
