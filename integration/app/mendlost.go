package app

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
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
		err = m.restoreGraph(ctx, made.Path)
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

// noteMissing counts the memories that the restored store has not, as lost writes.
func (m *mending) noteMissing() error {
	now := m.u.app.seen()
	if m.before == nil || now == nil || now.Memories >= m.before.Memories {
		return nil
	}
	return m.u.noteLostWrites(int64(m.before.Memories - now.Memories))
}

// lostWrites says once how many acknowledged writes could not be had back. The file of what was
// set aside keeps that.
func (m *mending) lostWrites() []Lost {
	c, err := m.u.app.lastCheck()
	if err != nil || c == nil || c.LostWrites == 0 {
		return nil
	}
	l := Lost{Kind: "write", Why: "up to " + english.Plural(int(c.LostWrites), "acknowledged write", "") + " could not be had back", Kept: brain.OrNull(m.aside)}
	if m.from != "" {
		l.Why += ", from after the backup " + m.from
	}
	raw, err := json.Marshal(l)
	if err == nil {
		err = m.keep([]json.RawMessage{raw})
	}
	if c.LostWrites = 0; err == nil {
		err = m.u.app.putCheck(*c)
	}
	if err != nil { // it is said again next time
		m.u.caller.Notices.Warn(err)
	}
	return []Lost{l}
}
