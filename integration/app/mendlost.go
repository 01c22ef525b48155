package app

import (
	"context"
	"errors"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
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
