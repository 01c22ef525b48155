package corememory

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

const emptyFile = `{
  "version": "1.0",
  "lastUpdated": null,
  "lastConsolidation": null,
  "preferences": {},
  "stablePatterns": {},
  "beliefs": {},
  "memoryConfig": {}
}
`

// Write updates the file from core memory, on fullRun with the time of the run. Edits made
// since [Keeper.Read] are left for the next run. If the file changes meanwhile, Write starts
// over, up to five times, and then returns [brain.ErrBusy].
func (k *Keeper) Write(ctx context.Context, now time.Time, fullRun bool) error {
	return k.locked(ctx, func() error {
		busy := brain.Busy("%s kept changing while it was being written", k.s.Path)
		return durable.RetryChanged(busy, func() error { return k.write(ctx, now, fullRun) })
	})
}

// write replaces the file and then stores its state. After a crash between the two, the
// next Read finds that the new entries are those of their memories.
func (k *Keeper) write(ctx context.Context, now time.Time, fullRun bool) error {
	f, err := k.load(ctx)
	if err != nil {
		return err
	}
	r := rendering{d: f.d, state: f.was, shown: map[string]bool{}}
	core, err := k.s.Brain.Review.CoreMemories(ctx)
	if err != nil {
		return err
	}
	if r.found, r.forgotten, err = k.s.Brain.Review.CoreNewest(ctx, r.state.ids()...); err != nil {
		return err
	}
	r.render(core)
	if !f.Exists && !r.changed && !fullRun {
		return nil // no file, and nothing to write to one
	}
	if r.changed {
		r.setTime("lastUpdated", now)
	}
	if fullRun {
		r.setTime("lastConsolidation", now)
	}
	if text := r.d.Bytes(); !bytes.Equal(text, f.Text) {
		if err := k.replace(f.Snapshot, text); err != nil {
			return err
		}
	}
	if reflect.DeepEqual(r.state, f.was) {
		return nil
	}
	return k.remember(ctx, r.state)
}

type rendering struct {
	d       document
	state   state
	changed bool

	found     map[string]brain.Memory // memories of entries, by the id in the state
	forgotten map[string]bool
	shown     map[string]bool // ids of memories with an entry
}

func (r *rendering) render(core []brain.Memory) {
	for _, e := range slices.Clone(r.state.Entries) {
		if e.ID != "" {
			r.syncEntry(e)
		}
	}
	for _, e := range r.state.Entries {
		for _, id := range e.Earlier {
			r.shown[id] = true
		}
	}
	for _, m := range core {
		if p, ok := placeOf(m); ok && !r.shown[m.ID] {
			r.show(m, p)
		}
	}
}

func (r *rendering) raw(p place) string {
	if sec, ok := r.d.section(p.Section); ok {
		if v, ok := find(sec, p.Key); ok {
			return v.Raw
		}
	}
	return ""
}

// syncEntry updates, removes or keeps the entry of a memory. Later edits wait for the next run.
func (r *rendering) syncEntry(e entry) {
	raw := r.raw(e.place)
	m, there := r.found[e.ID]
	switch {
	case !e.matches(raw):
		if there {
			r.shown[m.ID] = true
		}
	case !there && e.Hand && !r.forgotten[e.ID]: // the edit was undone: keep the text, but track no memory
		e.ID = ""
		r.state.put(e)
	case !there || !m.IsCore() || r.shown[m.ID]:
		r.remove(e, raw)
	default:
		r.shown[m.ID] = true
		r.update(e, m, raw)
	}
}

func (r *rendering) remove(e entry, raw string) {
	r.state.drop(e.place)
	if raw != "" {
		_ = r.d.Remove(1, e.Section, e.Key)
		r.changed = true
	}
}

func (r *rendering) update(e entry, m brain.Memory, raw string) {
	value := raw
	if m.ContentHash != e.Text { // it changed
		value, e.Hand = valueOf(m), false
	}
	e.ID, e.Value, e.Text = m.ID, hash(value), m.ContentHash
	if value != raw {
		r.set(e.place, value)
	}
	r.state.put(e)
}

func (r *rendering) show(m brain.Memory, p place) {
	if _, ok := r.d.section(p.Section); !ok && r.d.At(p.Section).Exists() {
		return // a person uses the section for something else
	}
	next := entry{place: p, ID: m.ID, Text: m.ContentHash, Hand: byHand(m)}
	if e, ok := r.state.at(p); ok && e.ID != "" && !e.Hand && !next.Hand && e.matches(r.raw(p)) {
		next.Earlier = brain.Union(e.Earlier, []string{e.ID})
	} else {
		next.place = r.freePlace(p)
	}
	raw := valueOf(m)
	r.set(next.place, raw)
	r.shown[m.ID] = true
	next.Value = hash(raw)
	r.state.put(next)
}

// freePlace returns p, with a number appended to the key if p is taken.
func (r *rendering) freePlace(p place) place {
	key := p.Key
	for n := 2; r.taken(p); n++ {
		p.Key = fmt.Sprintf("%s%d", key, n)
	}
	return p
}

func (r *rendering) taken(p place) bool {
	_, known := r.state.at(p)
	return known || r.d.At(p.Section, p.Key).Exists()
}

func (r *rendering) set(p place, raw string) {
	r.changed = true
	r.d.set(raw, p.Section, p.Key)
}

func (r *rendering) setTime(key string, at time.Time) {
	raw := plaintext.Quote(at.Format(time.RFC3339))
	if _, ok := find(r.d.At(), key); ok || !r.d.At(key).Exists() {
		r.d.set(raw, key)
	}
}

// Entry returns the place where the file would show a memory, or "" if its type is not
// shown. free is false if a person wrote something else there.
func (k *Keeper) Entry(ctx context.Context, m brain.Memory) (at string, free bool, err error) {
	p, ok := placeOf(m)
	if !ok {
		return "", true, nil
	}
	f, err := k.load(ctx)
	if err != nil || !f.Exists {
		return p.String(), true, err
	}
	r := rendering{d: f.d, state: f.was}
	if e, known := f.was.at(p); e.Hand || !known && r.taken(p) {
		return p.String(), false, nil
	}
	return p.String(), true, nil
}
