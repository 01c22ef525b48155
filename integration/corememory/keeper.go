// Package corememory synchronises core-memory.json with core memory. People and agents read
// the file and edit it: a value under preferences, stablePatterns or beliefs becomes or
// corrects a core memory, and a value that they remove leaves core. The program owns the
// entries that it wrote itself, lastUpdated and lastConsolidation; every other byte stays
// as it is. The store keeps the last writing, so that an edit can be distinguished from a
// change of the memory.
package corememory

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/review"
	"github.com/brainbridge/brainbridge/brain/services"
)

// Settings of a [Keeper].
type Settings struct {
	Brain *services.Services
	Host  string // name of this machine
	Path  string // of the file, absolute
	Lock  string // the lock file of processes that write the file
	// Warn shows a warning to the person.
	Warn func(string)
}

// Keeper keeps the file in step with core memory, for one run.
type Keeper struct {
	s            Settings
	beforeRename func() error // for tests: the moment in which another program may save
}

// New returns a keeper. It reads and writes nothing.
func New(s Settings) *Keeper { return &Keeper{s: s} }

// loaded is the file with its state, or an empty one.
type loaded struct {
	durable.Snapshot
	d   document
	was state
}

// load reads the file. Unless it is a JSON object, it is left for a person to repair.
func (k *Keeper) load(ctx context.Context) (f loaded, err error) {
	if f.Snapshot, err = durable.ReadSnapshot(k.s.Path); err != nil {
		return f, fmt.Errorf("read core memory: %w", err)
	}
	text := f.Text
	if !f.Exists { // perhaps a person removed it
		text = []byte(emptyFile)
	}
	if f.d, err = parse(text); err != nil {
		return f, fmt.Errorf("%s cannot be read (%w); repair it, or move it away", k.s.Path, err)
	}
	if f.Exists {
		f.was, err = k.state(ctx)
	}
	return f, err
}

// Check returns why the file cannot be read, nil if it can.
func (k *Keeper) Check(ctx context.Context) error {
	_, err := k.load(ctx)
	return err
}

// Plan returns the actions that Read would take. It writes nothing.
func (k *Keeper) Plan(ctx context.Context) ([]brain.Action, error) {
	f, err := k.load(ctx)
	if err != nil || !f.Exists {
		return nil, err
	}
	e := compare(f.d, f.was, k.s.Brain.Base.WithoutSecrets)
	var planned []brain.Action
	plan := func(kind brain.ActionKind, id, reason string, p place) {
		planned = append(planned, brain.Action{Kind: kind, IDs: []string{id}, Reason: reason + p.String(), At: k.s.Brain.Base.Now()})
	}
	for _, w := range e.added {
		plan(review.ActCore, w.String(), "written by hand as ", w.place)
	}
	for _, w := range e.changed {
		plan(brain.ActSupersede, w.was.ID, "corrected by hand in ", w.place)
	}
	for _, r := range e.removed {
		plan(review.ActDemote, r.ID, "removed by hand: ", r.place)
	}
	return planned, nil
}

// Read applies a person's edits to core memory, as actions of the run. A correction is a
// separate run, like any correction by hand. Read may be repeated: an edit is applied once.
func (k *Keeper) Read(ctx context.Context, run brain.Run, now time.Time) (done []brain.Action, next brain.Run, err error) {
	next = run
	err = k.locked(ctx, func() error {
		f, err := k.load(ctx)
		if err != nil || !f.Exists {
			return err
		}
		e := compare(f.d, f.was, k.s.Brain.Base.WithoutSecrets)
		for _, message := range e.ignored {
			k.s.Warn(k.s.Path + ": " + message)
		}
		if len(e.added)+len(e.changed)+len(e.removed) == 0 {
			return nil
		}
		t := reading{Keeper: k, now: now, run: run, state: f.was}
		err = t.apply(ctx, e)
		done, next = t.done, t.run
		return errors.Join(err, k.remember(ctx, t.state))
	})
	return done, next, err
}

type reading struct {
	*Keeper
	now   time.Time
	run   brain.Run
	state state
	done  []brain.Action
	found map[string]brain.Memory // the memories of entries now
}

func (t *reading) apply(ctx context.Context, e edits) (err error) {
	if t.found, _, err = t.s.Brain.Review.CoreNewest(ctx, t.state.ids()...); err != nil {
		return err
	}
	for _, w := range e.changed {
		m, ok := t.found[w.was.ID]
		if !ok || !m.IsCore() {
			e.added = append(e.added, written{place: w.place, raw: w.raw})
			continue
		}
		if err := t.correct(ctx, w, m); err != nil {
			return err
		}
	}
	if err := t.add(ctx, e.added); err != nil {
		return err
	}
	return t.remove(ctx, e.removed)
}

func (w written) text() string { return brain.CoreContent(w.raw) }

func (t *reading) link(w written, m brain.Memory) {
	t.state.put(entry{place: w.place, Value: hash(w.raw), ID: m.ID, Text: m.ContentHash, Hand: true, Earlier: w.was.Earlier})
}

// correct replaces the text of a memory by that of its entry. If the program wrote only the
// beginning of a longer text, the rest stays. An equal one was written before a crash.
func (t *reading) correct(ctx context.Context, w written, m brain.Memory) error {
	text, shown := t.s.Brain.Base.Redaction().Keyed(w.Key, w.text()), brain.CoreContent(valueOf(m))
	if text == m.Content || text == shown {
		t.link(w, m)
		return nil
	}
	if w.was.ID != "" && !w.was.Hand {
		if rest, ok := strings.CutPrefix(m.Content, shown); ok {
			text += rest
		}
	}
	next, _, err := t.s.Brain.Capture.InBackground().Correct(ctx, m.ID, m.GivenName(), text)
	if err != nil {
		return err
	}
	t.done = append(t.done, brain.Action{
		Kind: brain.ActSupersede, IDs: []string{next.ID, m.ID}, Reason: "corrected by hand in " + w.String(), At: t.now,
	})
	t.link(w, next)
	return nil
}

// add makes core memories from new entries, unless a memory already has the key.
func (t *reading) add(ctx context.Context, all []written) error {
	if len(all) == 0 {
		return nil
	}
	held, err := t.s.Brain.Review.CoreMemories(ctx)
	if err != nil {
		return err
	}
	var fresh []written
	var entries []review.CoreEntry
	for _, w := range all {
		if m, ok := t.owner(held, w.place); ok {
			if err := t.correct(ctx, w, m); err != nil {
				return err
			}
			continue
		}
		fresh = append(fresh, w)
		entries = append(entries, review.CoreEntry{Type: typeOf(w.Section), Key: w.Key, Text: w.text()})
	}
	made, done, next, err := t.s.Brain.Review.AddCore(ctx, t.run, t.now, entries)
	if err != nil {
		return err
	}
	t.run, t.done = next, append(t.done, done...)
	for i, w := range fresh {
		t.link(w, made[i])
	}
	return nil
}

// owner returns the core memory that belongs in a place and is in no other.
func (t *reading) owner(core []brain.Memory, p place) (brain.Memory, bool) {
	i := slices.IndexFunc(core, func(m brain.Memory) bool {
		at, ok := placeOf(m)
		return ok && at == p && !slices.ContainsFunc(t.state.Entries, func(e entry) bool { return e.ID == m.ID && e.place != p })
	})
	if i < 0 {
		return brain.Memory{}, false
	}
	return core[i], true
}

func (t *reading) remove(ctx context.Context, gone []entry) error {
	var changes []review.CoreChange
	for _, e := range gone {
		if m, ok := t.found[e.ID]; ok && m.IsCore() {
			changes = append(changes, review.CoreChange{Memory: m, Demote: true, Reason: "removed from the file by hand", Entry: e.String()})
		}
	}
	if len(changes) > 0 {
		done, _, next, err := t.s.Brain.Review.ChangeCore(ctx, t.run, t.now, changes)
		if err != nil {
			return err
		}
		t.run, t.done = next, append(t.done, done...)
	}
	for _, e := range gone {
		t.state.drop(e.place)
	}
	return nil
}

func (k *Keeper) locked(ctx context.Context, fn func() error) error {
	return durable.Lock{Path: k.s.Lock, Wait: 30 * time.Second, Busy: brain.Busy("another process is writing %s", k.s.Path)}.Do(ctx, fn)
}

func (k *Keeper) replace(was durable.Snapshot, text []byte) error {
	if err := durable.MakeDir(filepath.Dir(k.s.Path), durable.PrivateDir); err != nil {
		return fmt.Errorf("make the folder of %s: %w", k.s.Path, err)
	}
	err := was.Replace(text, durable.Options{KeepMode: true}, k.beforeRename)
	if errors.Is(err, durable.ErrUnsynced) {
		return nil
	}
	return err
}
