package app

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/config"
)

// losesOnlyItsNode reports whether a brain can be lost although its memories are there: on a
// server its own node may be gone.
func (u *UseCases) losesOnlyItsNode() bool {
	where, err := config.ParseStore(u.app.Settings.Config.Store)
	return err == nil && where.Kind != config.KindSQLite
}

// remake makes the node of a lost brain again if other nodes of it are there, otherwise it calls
// restore.
func (m *mending) remake(ctx context.Context, restore func(*mending, context.Context) error) error {
	s, _, err := m.u.openStore(ctx, true, true)
	if err != nil {
		return err
	}
	nodes, err := lifecycle.Read(ctx, lifecycle.NewBase(s, lifecycle.Options{}), func(r brain.Reader) ([]string, error) { return r.Matching(1, "") })
	if err == nil && len(nodes) > 0 {
		err = s.Repair(ctx, m.keep)
	}
	if err = errors.Join(err, s.Close()); err != nil || len(nodes) > 0 {
		return err
	}
	return restore(m, ctx)
}

// salvageBroken moves everything that can be read in a SQLite file that cannot be opened to a new one.
// It calls restore if that is nothing.
func (m *mending) salvageBroken(ctx context.Context, restore func(*mending, context.Context) error) error {
	l := m.u.app.Settings
	where, err := config.ParseStore(l.Config.Store)
	if err != nil {
		return err
	}
	options, err := m.u.options()
	if err != nil {
		return err
	}
	s, err := sqlite.OpenBroken(ctx, where.Path, l.StoredBrain(), l.UsesDefaultFile())
	var made backups.Backup
	if err == nil {
		o := m.u.backupOptions(services.New(s, options))
		o.Reason = salvaged
		made, err = backups.Create(ctx, o)
		err = errors.Join(err, s.Close())
	}
	if err == nil && made.Memories > 0 {
		err = m.restoreGraph(ctx, made.Path, true)
	}
	if err == nil && made.Memories > 0 || ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		m.u.warn("what can be read could not be saved: " + err.Error())
	}
	return restore(m, ctx)
}

// seen returns what was last seen of the brain, nil for nothing.
func (a *App) seen() *brain.Seen {
	where, err := config.ParseStore(a.Settings.Config.Store)
	if err != nil {
		return nil
	}
	return readSeen(seenFile(a.Settings, where))
}

// noteMissing keeps how many memories a repaired store has less than before.
func (m *mending) noteMissing() error {
	now := m.u.app.seen()
	if m.before == nil || now == nil || now.Memories >= m.before.Memories {
		return nil
	}
	return m.u.noteLost(func(l *health.LostWrites) { l.Memories += m.before.Memories - now.Memories })
}

// noteOlder notes that a backup was restored, unless it has all that was seen.
func (m *mending) noteOlder(b backups.Backup) {
	what := "what was written after the backup"
	if m.before != nil {
		switch n := writesAfter(b, *m.before); {
		case n == 0:
			return
		case n > 0:
			what = "up to " + english.Plural(int(n), "acknowledged write", "") + " after the backup"
		}
	}
	m.older = append(m.older, Lost{
		Kind: "write", Kept: brain.OrNull(m.aside),
		Why: what + " " + b.Path + " could not be recovered; memories that were forgotten after it are back",
	})
}

// writesAfter returns how many of the writes that were seen a backup does not have, -1 if that is
// not known: Neo4j does not number them.
func writesAfter(b backups.Backup, seen brain.Seen) int64 {
	id, number, _ := strings.Cut(b.State, ".")
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || id != seen.ID {
		return -1
	}
	return max(0, seen.Commits-n)
}

// lostWrites says once what could not be recovered. The file of what was set aside keeps that.
func (m *mending) lostWrites() (lost []Lost) {
	c, err := m.u.app.lastCheck()
	if c == nil {
		c = &health.FullCheck{}
	}
	lost = m.older
	if n := c.Lost.Writes; n > 0 {
		l := Lost{Kind: "write", Why: "up to " + english.Plural(int(n), "acknowledged write", "") + " could not be recovered"}
		if m.from != "" {
			l.Why += ", from after the backup " + m.from
		}
		lost = append(lost, l)
	}
	if n := c.Lost.Memories; n > 0 {
		lost = append(lost, Lost{Kind: brain.MemoryNode, Why: english.Plural(n, "memory", "memories") + " of the damaged file could not be recovered", Kept: brain.OrNull(m.aside)})
	}
	if len(lost) == 0 {
		return nil
	}
	for _, l := range lost {
		raw, _ := json.Marshal(l) // it always encodes
		err = errors.Join(err, m.keep([]json.RawMessage{raw}))
	}
	if err == nil && c.Lost != (health.LostWrites{}) {
		c.Lost = health.LostWrites{}
		err = m.u.app.putCheck(*c)
	}
	if err != nil { // it is said again next time
		m.u.caller.Notices.Warn(err)
	}
	return lost
}
