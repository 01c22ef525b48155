// Package memorymd keeps the managed block of MEMORY.md, the quick reference that
// an agent loads at each start. The rest of the file belongs to the person.
//
// The block is between two lines,
//
//	<!-- brainbridge:begin RUN -->
//	<!-- brainbridge:end -->
//
// where RUN is the short id of the run that wrote it,
// and every byte outside it stays as it is. The person may edit inside, too: a
// changed line corrects its memory and is kept as written, a line that the program
// did not write moves below the block, and a deleted entry is barred from the file.
// [Plan] finds these edits by comparing the block with the last writing, its
// [State]; it takes bytes and returns values. The block of another run, as in a file
// that was checked out or restored, is replaced: its differences are not edits. [File] reads and replaces the file,
// and a [Change] undoes a writing.
//
// There are two forms. [Curated] is one line an entry, within a budget of
// characters and lines for the whole file. [Full] is one entry an outcome with all
// of its text.
//
// Characters are Unicode code points; a line end of CRLF is two of them. Lines are
// those that an editor shows: a last one without a line end counts.
package memorymd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/rogpeppe/go-internal/diff"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
)

// Settings of a [Curator], which sets File, More, Now and Exists of the options itself.
type Settings struct {
	Options
	Brain    *services.Services
	File     File
	Host     string         // name of this machine
	NotesDir string         // absolute; pointers are into it
	Location *time.Location // zone of the days (notes.timezone)
	// Own makes sure that the notes, and so the file, belong to this brain, and returns the id
	// of the notes directory.
	Own func(context.Context) (dirID string, err error)

	// Day is the only day whose outcomes are added in the full form; "": every day
	// that is over and was not added yet.
	Day  string
	Warn func(string)
}

// Curator keeps the MEMORY.md of a brain in step with it, as a step of a run. One value is
// for one run at a time.
type Curator struct {
	s     Settings
	last  Result
	wrote bool
}

// New returns a curator. It reads and writes nothing.
func New(s Settings) *Curator { return &Curator{s: s} }

// Name implements [consolidate.Step].
func (c *Curator) Name() string { return "MEMORY.md" }

// Kinds implements [consolidate.Step].
func (c *Curator) Kinds() []brain.ActionKind { return []brain.ActionKind{brain.ActCurate} }

// File returns the path of the file.
func (c *Curator) File() string { return c.s.File.Path }

// Last returns the plan of the latest Apply, and whether it wrote the file.
func (c *Curator) Last() (res Result, wrote bool) { return c.last, c.wrote }

// curating is one run of the step.
type curating struct {
	*Curator
	now     time.Time
	dir     string // id of the notes directory
	was     remembered
	entries []Entry // strongest first; in the full form in any order
	options Options
	closes  string // the last day that is complete then, for the full form
	lost    bool   // the file does not have the block that was written last
	text    []byte // of the file
}

func (c *Curator) prepare(ctx context.Context, run string) (g *curating, err error) {
	g = &curating{Curator: c, now: c.s.Brain.Base.Now(), options: c.s.Options}
	g.options.File, g.options.Now, g.options.Run = c.s.File.Path, g.now.In(c.s.Location), brain.ShortID(run)
	if g.dir, err = c.s.Own(ctx); err != nil {
		return nil, err
	}
	if g.was, err = c.remembered(ctx); err != nil {
		return nil, err
	}
	file, err := c.s.File.read()
	if err != nil {
		return nil, err
	}
	b, err := find(c.s.File.Path, string(file.Text))
	if err != nil {
		return nil, err
	}
	g.text, g.lost = file.Text, !b.Found || b.Run != g.was.State.Run
	if err := c.s.Brain.Base.Store.View(ctx, g.gather); err != nil {
		return nil, fmt.Errorf("gather the entries of %s: %w", c.s.File.Path, err)
	}
	return g, nil
}

// Preview plans without writing. It returns the changes in unified form, "" for none.
func (c *Curator) Preview(ctx context.Context) (changes string, res Result, err error) {
	g, err := c.prepare(ctx, "")
	if err != nil {
		return "", Result{}, err
	}
	name := filepath.Base(c.s.File.Path)
	res, err = Plan(g.text, g.was.State, g.entries, g.options)
	return string(diff.Diff(name, g.text, name+" (planned)", res.Text)), res, err
}

// Apply brings the file in step, with one action in the journal if it changed.
func (c *Curator) Apply(ctx context.Context, s consolidate.Scope, run brain.Run) (consolidate.Outcome, brain.Run, error) {
	if s.DryRun {
		_, res, err := c.Preview(ctx)
		if err != nil || !res.Changed {
			return consolidate.Outcome{}, run, err
		}
		return consolidate.Outcome{Actions: []brain.Action{c.action(res)}}, run, nil
	}
	c.last, c.wrote = Result{}, false
	g, err := c.prepare(ctx, run.ID)
	if err != nil {
		return consolidate.Outcome{}, run, err
	}
	var actions []brain.Action
	next := run
	plan := func(text []byte) (Result, State, error) {
		err := g.withdraw(ctx, run, actions) // of a try before this one
		if err != nil {
			return Result{}, State{}, err
		}
		actions, next = nil, run
		res, err := Plan(text, g.was.State, g.entries, g.options)
		if err == nil {
			err = g.correct(ctx, res)
		}
		return res, g.was.State, err
	}
	c.last, c.wrote, err = c.s.File.write(ctx, plan, func(res Result, ch Change) (err error) {
		actions, next, err = g.keep(ctx, run, res, ch)
		return err
	})
	if err != nil {
		return consolidate.Outcome{}, run, errors.Join(err, g.withdraw(ctx, run, actions))
	}
	for _, w := range c.last.Warnings {
		c.s.Warn(w)
	}
	switch {
	case c.wrote:
	case len(c.last.Barred) > 0: // the deletion itself was the change
		actions, next, err = g.keep(ctx, run, c.last, Change{Path: c.s.File.Path, State: g.was.State})
	default: // the state may have changed although the text did not
		if st := (remembered{State: c.last.State, Closed: g.closes, At: g.was.At}); !reflect.DeepEqual(st, g.was) {
			st.At = g.now
			err = c.remember(ctx, st)
		}
	}
	return consolidate.Outcome{Actions: actions}, next, err
}

// keep stores the action and the new state before the file is replaced. After a crash between
// the two, the file has the block of another run, and nothing in it is mistaken for an edit.
func (g *curating) keep(ctx context.Context, run brain.Run, res Result, ch Change) ([]brain.Action, brain.Run, error) {
	a := g.action(res)
	ch.State = ch.State.without(res.Barred)
	var err error
	if a.File, err = json.Marshal(ch); err != nil {
		return nil, run, fmt.Errorf("encode the change of %s: %w", g.s.File.Path, err)
	}
	return g.s.Brain.Base.Act(ctx, run, g.now, func(tx brain.Tx) ([]brain.Action, error) {
		return []brain.Action{a}, g.put(tx, remembered{State: res.State, Closed: g.closes, At: g.now})
	})
}

// withdraw deletes actions that keep stored, and restores the run and the state before them.
func (g *curating) withdraw(ctx context.Context, run brain.Run, actions []brain.Action) error {
	if len(actions) == 0 {
		return nil
	}
	ids := brain.Map(actions, func(a brain.Action) string { return a.ID })
	return g.s.Brain.Base.Store.Update(context.WithoutCancel(ctx), func(tx brain.Tx) error {
		err := tx.DeleteRecords(brain.ActionRecord, ids...)
		switch {
		case err != nil:
		case run.Order.IsZero(): // keep stored it for the first time
			err = tx.DeleteRecords(brain.RunRecord, run.ID)
		default:
			err = lifecycle.WriteJournal(tx, &run, nil)
		}
		if err != nil {
			return err
		}
		return g.put(tx, g.was)
	})
}

func (c *Curator) action(res Result) brain.Action {
	ids := brain.Map(slices.Concat(res.Added, res.Removed, res.Barred), func(r Ref) string { return r.ID })
	const most = 100
	if ids = ids[:min(len(ids), most)]; len(ids) == 0 {
		ids = []string{c.s.File.Path}
	}
	return brain.Action{
		Kind: brain.ActCurate, IDs: ids, At: c.s.Brain.Base.Now(),
		Reason: fmt.Sprintf("%s: %d added, %d removed, %s", filepath.Base(c.s.File.Path),
			len(res.Added), len(res.Removed)+len(res.Barred), english.Plural(res.Entries, "entry", "")),
	}
}

// Undo restores the file as it was before an action.
func (c *Curator) Undo(ctx context.Context, a brain.Action) (reason string, err error) {
	if a.Kind != brain.ActCurate || len(a.File) == 0 {
		return "", nil
	}
	var ch Change
	if err := json.Unmarshal(a.File, &ch); err != nil {
		return "", fmt.Errorf("read the change of a file: %w", err)
	}
	if ch.Path != c.s.File.Path {
		return "it is about " + ch.Path + ", which is not the file that is curated here", nil
	}
	next := remembered{State: ch.State, At: c.s.Brain.Base.Now()}
	if ch.Hash == "" { // the text was not changed
		return "", c.remember(ctx, next)
	}
	err = c.s.File.undo(ctx, ch, func() error { return c.remember(ctx, next) })
	if errors.Is(err, brain.ErrConflict) || errors.Is(err, brain.ErrInvalid) {
		return err.Error(), nil
	}
	return "", err
}

// remembered is what the store keeps of the file.
type remembered struct {
	State State `json:"state"`
	// Closed is the last day whose outcomes the full form has, YYYY-MM-DD.
	Closed string    `json:"closed,omitempty"`
	At     time.Time `json:"at"` // of the writing
}

func (c *Curator) id() string { return brain.Hash("memory file", c.s.Host, c.s.File.Path) }

func (c *Curator) remembered(ctx context.Context) (remembered, error) {
	found, err := lifecycle.Read(ctx, c.s.Brain.Base, func(r brain.Reader) (remembered, error) {
		own, err := brain.Bodies[remembered](r.Records(brain.MemoryFileRecord, c.id()))
		if err != nil || len(own) > 0 {
			return brain.First(own, err)
		}
		return c.moved(r)
	})
	return found, brain.Wrap(err, "read the state of %s", c.s.File.Path)
}

// moved returns the state of a file that was moved here with its block: the one that the same
// run wrote or, if the block names no run, the latest one with the same words.
func (c *Curator) moved(r brain.Reader) (remembered, error) {
	file, err := c.s.File.read()
	if err != nil {
		return remembered{}, err
	}
	b, err := find(c.s.File.Path, string(file.Text))
	if err != nil || !b.Found {
		return remembered{}, nil // what is wrong with the block is reported by the plan
	}
	const known = 20 // files
	states, err := brain.Bodies[remembered](r.ListRecords(brain.MemoryFileRecord, brain.RecordFilter{Limit: known}))
	if err != nil {
		return remembered{}, err
	}
	words := digest(b.inner(string(file.Text)))
	for _, s := range states {
		if s.State.Run == b.Run && (b.Run != "" || s.State.Words == words) {
			return s, nil
		}
	}
	return remembered{}, nil
}

func (c *Curator) remember(ctx context.Context, r remembered) error {
	return c.s.Brain.Base.Store.Update(ctx, func(tx brain.Tx) error { return c.put(tx, r) })
}

func (c *Curator) put(tx brain.RecordWriter, r remembered) error {
	return lifecycle.PutRecord(tx, brain.MemoryFileRecord, c.id(), c.s.Host, "", r.At, r)
}
