package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/config"
)

// MoveAnswer is the answer to a move of the brain.
type MoveAnswer struct {
	From      string `json:"from"`
	To        string `json:"to"`
	Memories  int    `json:"memories"`
	Relations int    `json:"relations"`
	Equal     bool   `json:"equal"` // both stores were compared; false in a dry run
}

// move is the last move of the brain on this machine. From its first change to Done, the store
// From has the brain, from then on To has it.
type move struct {
	From, To string
	Done     bool
	Followed bool         // the settings name To
	Sums     backups.Sums // of the brain, from just before To is changed
	Before   backups.Sums // of what it replaces in To
}

func moveFile(l config.Loaded) string { return filepath.Join(l.Paths.State, "move.json") }

// readMove returns the zero value if there was no move. A damaged file, which is replaced
// atomically, counts as none.
func readMove(l config.Loaded) (m move) {
	if data, err := os.ReadFile(moveFile(l)); err == nil {
		_ = json.Unmarshal(data, &m)
	}
	return m
}

func (a *App) readMove() move { return readMove(a.Settings) }

func writeMove(l config.Loaded, m move) error {
	data, err := json.Marshal(m)
	if err == nil {
		err = durable.WriteFile(moveFile(l), append(data, '\n'), durable.Options{})
	}
	return brain.Wrap(err, "note the move")
}

// mayWrite returns [brain.ErrHeld] while the brain is being moved and once it has moved, so that
// no process writes to a store that is left behind. Captures wait in the spool.
func (a *App) mayWrite() error {
	m, l := a.readMove(), a.Settings
	switch store := l.Config.Store; {
	case m.Done && m.From == store:
		return brain.Errorf(brain.ErrHeld, fmt.Sprintf("restart the session or the program, or use that store; `%s backup move %s %s` brings the brain back", program(l), m.To, m.From),
			"the brain %s has moved from %s to %s", l.Config.Brain, m.From, m.To)
	case !m.Done && m.To == store:
		return brain.Errorf(brain.ErrHeld, fmt.Sprintf("run `brainbridge backup move %s %s` again, or remove %s to give it up", m.From, m.To, moveFile(l)),
			"the move of the brain %s to %s has not ended", l.Config.Brain, m.To)
	case !m.Done && m.From == store:
		if held, err := durable.Locked(backups.RestoreLock(l.Paths.State)); err != nil || held {
			return brain.Errorf(brain.ErrHeld, "wait for it to end and try again", "the brain %s is being moved to %s", l.Config.Brain, m.To)
		}
	}
	return nil
}

// FollowMove returns the settings with the store that the brain has moved to, if the move ended
// before it changed them, and changes them. A store that a flag or a variable names stays.
func FollowMove(l config.Loaded, dry bool, n Notices) config.Loaded {
	m, origin := readMove(l), l.Origin["store"]
	if !m.Done || m.Followed || m.From != l.Config.Store || origin == config.FromFlag || origin == config.FromEnvironment || l.Test {
		return l
	}
	to, err := l.WithStore(m.To)
	if err == nil && !dry {
		err = follow(l, m)
	}
	if err != nil {
		n.Warn(fmt.Errorf("the brain %s has moved to %s, but the settings do not say so yet: %w", l.Config.Brain, m.To, err))
		return l
	}
	to.Origin["store"] = config.FromFile
	return to
}

// follow makes the settings name the store that the brain has moved to.
func follow(l config.Loaded, m move) error {
	if err := l.SetStore(m.To); err != nil {
		return err
	}
	m.Followed = true
	return writeMove(l, m)
}

// Move moves the brain of the settings from one store to another, compares both, and makes the
// settings name the other. The first store keeps what it has. A move that was interrupted has
// changed nothing, or is complete; carrying it out again ends it.
func (u *UseCases) Move(ctx context.Context, from, to string) (MoveAnswer, error) {
	l := u.app.Settings
	for _, uri := range []string{from, to} {
		if _, err := config.ParseStore(uri); err != nil {
			return MoveAnswer{}, err
		}
	}
	source, err := l.WithStore(from)
	if err != nil {
		return MoveAnswer{}, err
	}
	target, err := l.WithStore(to)
	if err != nil {
		return MoveAnswer{}, err
	}
	m := move{From: source.Config.Store, To: target.Config.Store}
	last := readMove(l)
	switch {
	case m.From == m.To:
		return MoveAnswer{}, invalid("name another store", "%s is both stores", m.From)
	case last.Done && last.From == m.From && last.To == m.To && l.Config.Store == m.To:
		return last.answer(), nil
	case m.From != l.Config.Store:
		return MoveAnswer{}, invalid("name that as the first store", "the brain %s is in %s, not in %s", l.Config.Brain, l.Config.Store, m.From)
	}
	unlock, err := backups.LockRestore(ctx, l.Paths.State, l.Config.Brain)
	if err != nil {
		return MoveAnswer{}, err
	}
	defer unlock()
	release, err := u.app.lockDaemon(ctx) // none starts meanwhile
	if err != nil {
		return MoveAnswer{}, err
	}
	defer release()
	u.moving = true
	if m, err = u.moveTo(ctx, target, m, last); err != nil || u.caller.DryRun {
		return m.answer(), err
	}
	if err := errors.Join(u.KeepNeighbours(ctx, m.To), follow(l, m)); err != nil {
		return m.answer(), fmt.Errorf("the brain has moved to %s, but the settings do not say so yet: %w", m.To, err)
	}
	if l.Origin["store"] == config.FromEnvironment {
		u.warn(fmt.Sprintf("BRAINBRIDGE_STORE names %s: unset it, or set it to %s", m.From, m.To))
	}
	return m.answer(), nil
}

func (m move) answer() MoveAnswer {
	a := MoveAnswer{From: m.From, To: m.To, Equal: m.Done}
	a.Memories, a.Relations = m.Sums[brain.MemoryNode].Count, m.Sums[brain.RelationNode].Count
	return a
}

// moveTo copies the brain to the store of other settings, and notes that it has moved while nobody
// can write to the first store.
func (u *UseCases) moveTo(ctx context.Context, other config.Loaded, m, last move) (move, error) {
	b, err := u.openServices(ctx, false)
	if err == nil {
		err = writable(b.Base.Store)
	}
	if err == nil && !u.caller.DryRun {
		err = u.drain(ctx, b)
	}
	if err != nil {
		return m, err
	}
	source := b.Base.Store
	if u.caller.DryRun {
		m.Sums, err = backups.Of(ctx, source)
		_, refused := u.mayReplace(ctx, other, m, last)
		return m, errors.Join(err, refused)
	}
	if m.Before, err = u.mayReplace(ctx, other, m, last); err != nil {
		return m, err
	}
	release, err := u.holdMaintenance(ctx, source)
	if err != nil {
		return m, err
	}
	defer release()
	there, target, err := u.openTarget(ctx, other)
	if err != nil {
		return m, err
	}
	defer there.Close() //nolint:errcheck // all of it is committed
	if err := writeMove(u.app.Settings, m); err != nil {
		return m, err
	}
	err = u.copyBrain(ctx, source, target, &m)
	return m, err
}

// copyBrain replaces the brain in target by that in source, compares them, and notes the end.
// Until then nobody else writes to source: its load is given up once that is done.
func (u *UseCases) copyBrain(ctx context.Context, source, target brain.Store, m *move) error {
	ended := errors.New("the brain has moved")
	nothing := func(func(brain.Page, error) bool) {}
	err := source.Load(ctx, nothing, func() error {
		sums := backups.Sums{}
		u.caller.Notices.Progress("moving the brain", 0, 0)
		copied := func(yield func(brain.Page, error) bool) {
			for p, err := range sums.Pages(backups.Dumped(ctx, source)) {
				if !yield(p, err) {
					return
				}
			}
			half := *m
			half.Sums = sums
			if err := writeMove(u.app.Settings, half); err != nil { // before anything is replaced
				yield(brain.Page{}, err)
			}
		}
		if err := target.Load(ctx, copied, nil); err != nil {
			return err
		}
		got, err := backups.Of(ctx, target)
		if err != nil {
			return err
		}
		if differ := sums.Differ(got); differ != "" {
			return fmt.Errorf("the brain in %s is not the same as in %s, which stays: %s", m.To, m.From, differ)
		}
		moved := *m
		moved.Done, moved.Sums = true, sums
		if err := writeMove(u.app.Settings, moved); err != nil {
			return err
		}
		*m = moved
		return ended
	})
	if m.Done {
		return nil
	}
	return err
}

// openTarget opens the store of other settings for a brain that replaces what is there.
func (u *UseCases) openTarget(ctx context.Context, other config.Loaded) (*App, brain.Store, error) {
	o := u.app.Options
	o.Settings = other
	there := New(o)
	t := there.As(u.caller)
	t.moving, t.restoring = true, true
	b, err := t.openServices(ctx, true)
	if err == nil {
		err = writable(b.Base.Store)
	}
	if err != nil {
		return nil, nil, errors.Join(err, there.Close())
	}
	return there, b.Base.Store, nil
}

// mayReplace returns what the store of other settings has under the name of the brain. The error
// says that something is there, unless it is as a move of this brain found it, put it there or left
// it behind.
func (u *UseCases) mayReplace(ctx context.Context, other config.Loaded, m, last move) (has backups.Sums, err error) {
	names, err := brainsAt(ctx, u.app.Options, other)
	if err != nil || !slices.Contains(names, other.Config.Brain) {
		return nil, err
	}
	there, target, err := u.openTarget(ctx, other)
	if err != nil {
		return nil, err
	}
	defer there.Close() //nolint:errcheck // only read
	if has, err = backups.Of(ctx, target); err != nil {
		return nil, err
	}
	interrupted := !last.Done && last.From == m.From && last.To == m.To
	leftBehind := last.Done && last.From == m.To && last.To == m.From
	ours := (interrupted || leftBehind) && last.Sums.Differ(has) == "" || interrupted && last.Before.Differ(has) == ""
	if ours || has[brain.MemoryNode].Count+has[brain.SourceNode].Count+has[brain.SectionNode].Count == 0 {
		return has, nil
	}
	return nil, invalid("name an empty store, or remove that brain first: docs/backups.md says how", "%s has a brain %s already, with %s",
		m.To, other.Config.Brain, english.Plural(has[brain.MemoryNode].Count, "memory", ""))
}
