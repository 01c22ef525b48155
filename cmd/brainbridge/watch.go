package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/tiers"
)

// watchEvery is the pause between two pictures.
const watchEvery = 2 * time.Second

// watchStatus draws the brain until ctx ends, on a terminal over the picture before.
func (a *cli) watchStatus(ctx context.Context) error {
	u, err := a.use()
	if err != nil {
		return err
	}
	t := time.NewTicker(watchEvery)
	defer t.Stop()
	for {
		s, err := u.Status(ctx)
		if err != nil {
			return err
		}
		fading, err := u.List(ctx, app.ListRequest{Live: true, Sort: app.ByEnergy, Limit: 1000}, "")
		if err != nil {
			return err
		}
		newest, err := u.List(ctx, app.ListRequest{Sort: app.ByCreated, Limit: 4}, "")
		if err != nil {
			return err
		}
		if a.outTTY {
			fmt.Fprint(a.out, "\x1b[H\x1b[2J")
		}
		a.drawStatus(s, fading.Memories, newest.Memories)
		if err := a.flush(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-t.C:
		}
	}
}

// drawStatus draws the tiers as bars, and what comes next, within 80 columns.
func (a *cli) drawStatus(s app.StatusAnswer, fading, newest []brain.View) {
	const bar = 50 // columns of the longest
	now := a.clock()
	a.printf("%s · %s · %s\n\n", a.bold(s.Brain), s.Kind, counted(s.Total, "memory"))
	most := 1
	for _, t := range tiers.All() {
		if t.Current() {
			most = max(most, s.Tiers[t])
		}
	}
	for _, t := range tiers.All() {
		if n := s.Tiers[t]; t.Current() {
			line := fmt.Sprintf("  %-10s %7d  %s", t, n, a.tinted(t, strings.Repeat("█", (n*bar+most-1)/most)))
			a.printf("%s\n", strings.TrimRight(line, " "))
		}
	}
	fading = slices.DeleteFunc(slices.Clone(fading), func(m brain.View) bool { return m.ExpiresAt == nil || m.ExpiresAt.Before(now) })
	slices.SortFunc(fading, func(x, y brain.View) int { return x.ExpiresAt.Compare(*y.ExpiresAt) })
	a.printf("\nNext\n")
	for _, m := range fading[:min(4, len(fading))] {
		a.printf("  %-15s %s %s\n", ago(*m.ExpiresAt, now), a.tinted(*m.Tier, "expires"), flat(m.Name, 52))
	}
	if len(fading) == 0 {
		a.printf("  %s\n", a.dim("nothing fades"))
	}
	a.printf("\nCaptured\n")
	for _, m := range newest {
		a.printf("  %-15s %s %s\n", ago(m.Created, now), flat(m.Name, 48), a.dim(flat(m.MemoryType, 12)))
	}
	daemon := "running"
	if s.Daemon == nil {
		daemon = "not running"
	}
	a.printf("\n%s\n", a.dim(fmt.Sprintf("daemon: %s · review: %d · spool: %d · Ctrl-C ends", daemon, s.Review, s.Spooled)))
}

// tinted colours a text by its tier, as on the page.
func (a *cli) tinted(t tiers.Tier, text string) string {
	code := map[tiers.Tier]string{tiers.Working: "33", tiers.ShortTerm: "36", tiers.LongTerm: "34", tiers.Core: "93"}[t]
	if code == "" {
		code = "90"
	}
	return a.styled(code, text)
}
