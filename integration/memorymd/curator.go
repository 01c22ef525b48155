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
// [Plan] finds these edits by comparing the lines of the block with those of the last
// writing, its [State]; it takes bytes and returns values. The block of another run, as in
// a file that was checked out or restored, is replaced: its differences are not edits.
// [File] reads and replaces the file, and a [Change] undoes a writing.
//
// There are two forms. [Curated] is one line an entry, within a budget of
// characters and lines for the whole file. [Full] is one entry an outcome with all
// of its text.
//
// Characters are Unicode code points; a line end of CRLF is two of them. Lines are
// those that an editor shows: a last one without a line end counts.
package memorymd

import (
	"cmp"
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
	"github.com/brainbridge/brainbridge/brain/durable"
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

// facts are what the store says before a writing.
type facts struct {
	dir     string // id of the notes directory
	was     remembered
	entries []Entry // strongest first; in the full form in any order
	options Options
	closes  string // the last day that is complete then, for the full form
}

func (c *Curator) facts(ctx context.Context, run string, text []byte) (f facts, err error) {
	now := c.s.Brain.Base.Now()
	f.options = c.s.Options
	f.options.File, f.options.Now, f.options.Run = c.s.File.Path, now.In(c.s.Location), brain.ShortID(run)
	if f.dir, err = c.s.Own(ctx); err != nil {
		return f, err
	}
	block, err := find(c.s.File.Path, string(text))
	if err != nil {
		return f, err
	}
	err = c.s.Brain.Base.Store.View(ctx, func(r brain.Reader) (err error) {
		if f.was, err = c.remembered(r, block); err != nil {
			return err
		}
		return c.gather(r, &f, block)
	})
	return f, brain.Wrap(err, "gather the entries of %s", c.s.File.Path)
}

// Preview plans without writing. It returns the changes in unified form, "" for none.
func (c *Curator) Preview(ctx context.Context) (changes string, res Result, err error) {
	file, err := c.s.File.read()
	if err != nil {
		return "", Result{}, err
	}
	f, err := c.facts(ctx, "", file.Text)
	if err != nil {
		return "", Result{}, err
	}
	name := filepath.Base(c.s.File.Path)
	res, err = Plan(file.Text, f.was.State, f.entries, f.options)
	return string(diff.Diff(name, file.Text, name+" (planned)", res.Text)), res, err
}

// Apply brings the file in step, with one action in the journal if it changed.
func (c *Curator) Apply(ctx context.Context, s consolidate.Scope, run brain.Run) (out consolidate.Outcome, next brain.Run, err error) {
	if s.DryRun {
		_, res, err := c.Preview(ctx)
		if err == nil && res.Changed {
			out.Actions = []brain.Action{c.action(res)}
		}
		return out, run, err
	}
	c.last, c.wrote = Result{}, false
	err = c.s.File.locked(ctx, func(file durable.Snapshot) (err error) {
		out.Actions, next, err = c.write(ctx, run, file)
		return err
	})
	if err != nil {
		return consolidate.Outcome{}, run, err
	}
	for _, w := range c.last.Warnings {
		c.s.Warn(w)
	}
	return out, next, nil
}

// write brings a file in step that was just read. The error is [durable.ErrChanged] if somebody
// saved it meanwhile; nothing is stored then but the corrections.
func (c *Curator) write(ctx context.Context, run brain.Run, file durable.Snapshot) (actions []brain.Action, next brain.Run, err error) {
	f, err := c.facts(ctx, run.ID, file.Text)
	if err != nil {
		return nil, run, err
	}
	res, err := Plan(file.Text, f.was.State, f.entries, f.options)
	if err != nil {
		return nil, run, err
	}
	if err := c.correct(ctx, res.Corrections); err != nil {
		return nil, run, err
	}
	c.last, next = res, run
	now := remembered{State: res.State, Closed: f.closes, At: f.was.At}
	same := reflect.DeepEqual(now, f.was)
	now.At = f.options.Now.UTC()
	if !res.Changed && len(res.Barred) == 0 { // without barred ones, which are a change to undo
		if !same {
			err = c.remember(ctx, now)
		}
		return nil, run, err
	}
	a, change := c.action(res), newChange(c.s.File.Path, file.Text, file.Exists, f.was.State, res)
	change.State = change.State.without(res.Barred)
	if a.File, err = json.Marshal(change); err != nil {
		return nil, run, fmt.Errorf("encode the change of %s: %w", c.s.File.Path, err)
	}
	keep := func() (err error) {
		actions, next, err = c.s.Brain.Base.Act(ctx, run, now.At, func(tx brain.Tx) ([]brain.Action, error) {
			return []brain.Action{a}, c.put(tx, now)
		})
		return err
	}
	if !res.Changed {
		err := keep()
		return actions, next, err
	}
	// The action and the new state are stored before the file is replaced. After a crash between
	// the two, the file has the block of another run, and nothing in it is mistaken for an edit.
	err = c.s.File.replace(ctx, file, res.Text, keep)
	if errors.Is(err, durable.ErrUnsynced) {
		c.last.Warnings = append(c.last.Warnings, err.Error())
		err = nil
	}
	if err != nil {
		return nil, run, cmp.Or(c.withdraw(ctx, run, actions, f.was), err)
	}
	c.wrote = true
	return actions, next, nil
}

// withdraw deletes stored actions, and restores the run and the state before them.
func (c *Curator) withdraw(ctx context.Context, run brain.Run, actions []brain.Action, was remembered) error {
	if len(actions) == 0 {
		return nil
	}
	ids := brain.Map(actions, func(a brain.Action) string { return a.ID })
	return c.s.Brain.Base.Store.Update(context.WithoutCancel(ctx), func(tx brain.Tx) error {
		err := tx.DeleteRecords(brain.ActionRecord, ids...)
		if err == nil && run.Order.IsZero() { // it was stored for the first time
			err = tx.DeleteRecords(brain.RunRecord, run.ID)
		} else if err == nil {
			err = lifecycle.WriteJournal(tx, &run, nil)
		}
		if err != nil {
			return err
		}
		return c.put(tx, was)
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

// remembered returns the state of the last writing. That of a file that was moved here with its
// block is the one that the same run wrote.
func (c *Curator) remembered(r brain.Reader, block Block) (was remembered, err error) {
	own, err := brain.Bodies[remembered](r.Records(brain.MemoryFileRecord, c.id()))
	if err == nil && len(own) == 0 && block.Run != "" {
		const known = 20 // files
		own, err = brain.Bodies[remembered](r.ListRecords(brain.MemoryFileRecord, brain.RecordFilter{Limit: known}))
		own = slices.DeleteFunc(own, func(s remembered) bool { return s.State.Run != block.Run })
	}
	if err != nil || len(own) == 0 {
		return remembered{}, err
	}
	return own[0], nil
}

func (c *Curator) remember(ctx context.Context, r remembered) error {
	return c.s.Brain.Base.Store.Update(ctx, func(tx brain.Tx) error { return c.put(tx, r) })
}

func (c *Curator) put(tx brain.RecordWriter, r remembered) error {
	return lifecycle.PutRecord(tx, brain.MemoryFileRecord, c.id(), c.s.Host, "", r.At, r)
}
