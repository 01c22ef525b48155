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
	"github.com/brainbridge/brainbridge/brain/services"
)

// blank is a new file.
const blank = `{
  "version": "1.0",
  "lastUpdated": null,
  "lastConsolidation": null,
  "preferences": {},
  "stablePatterns": {},
  "beliefs": {},
  "memoryConfig": {}
}
`

// Write brings the file in step with core memory. If whole is set, a complete run
// has ended, and the file gets its time. Edits since [Keeper.Read] stay for the next
// run. If somebody saves the file meanwhile it plans again, and after five times it
// returns [brain.ErrBusy].
func (k *Keeper) Write(ctx context.Context, now time.Time, whole bool) error {
	return k.update(ctx, now, whole, mustParse("{}"))
}

// Adopt is Write, and adds the keys of another core-memory.json that this one lacks
// and that are not core memories, with their values but without secrets. A text that
// is not a JSON object is [brain.ErrInvalid].
func (k *Keeper) Adopt(ctx context.Context, now time.Time, other []byte) error {
	d, err := parse(other)
	if err != nil {
		return brain.Errorf(brain.ErrInvalid, "repair the file", "it is not a core memory file: %v", err)
	}
	return k.update(ctx, now, false, d)
}

func (k *Keeper) update(ctx context.Context, now time.Time, whole bool, other document) error {
	return k.locked(ctx, func() error {
		busy := brain.Busy("another program saved %s each time that it was to be written", k.s.Path)
		return durable.RetryChanged(busy, func() error { return k.write(ctx, now, whole, other) })
	})
}

func (k *Keeper) write(ctx context.Context, now time.Time, whole bool, other document) error {
	f, err := k.load(ctx)
	if err != nil {
		return err
	}
	if f.bad != nil {
		return fmt.Errorf("%s cannot be read: %w; the next run sets it aside", k.s.Path, f.bad)
	}
	r := rendering{b: k.s.Brain, d: f.d, state: f.was, shown: map[string]bool{}}
	if !f.Exists {
		r.d = mustParse(blank)
	}
	if err := r.read(ctx); err != nil {
		return err
	}
	r.adopt(other)
	if r.render(); !f.Exists && !r.changed && !whole {
		return nil // there is no entry to write yet
	}
	if r.changed {
		r.note("lastUpdated", now)
	}
	if whole {
		r.note("lastConsolidation", now)
	}
	text := r.d.Bytes()
	keep := func() error { return k.rememberChanged(ctx, f.was, r.state) }
	if bytes.Equal(text, f.Text) {
		return keep()
	}
	if err := k.replace(f.Snapshot, text, keep); err != nil {
		return err
	}
	return k.rememberChanged(ctx, r.state, r.state.settled())
}

// adopt adds the members of another file that are not core memory.
func (r *rendering) adopt(other document) {
	for _, m := range other.Root().Members {
		kept := m.Key == configKey || m.Key == "patterns" || slices.Contains(sections(), m.Key)
		if kept || has(r.d.Root(), m.Key) {
			continue
		}
		r.d.set(withoutSecrets(r.b, m.Key, other.raw(m.Value)), m.Key)
		r.changed = true
	}
}

// rememberChanged stores a state that differs from the stored one.
func (k *Keeper) rememberChanged(ctx context.Context, was, s state) error {
	if reflect.DeepEqual(s, was) {
		return nil
	}
	return k.remember(ctx, s)
}

// rendering works out the file from core memory.
type rendering struct {
	b       *services.Services
	d       document
	state   state
	changed bool

	core      []brain.Memory
	found     map[string]brain.Memory // memories of entries, by the id in the state
	forgotten map[string]bool
	shown     map[string]bool // ids of memories with an entry
}

func (r *rendering) read(ctx context.Context) (err error) {
	if r.core, err = r.b.Core.Memories(ctx); err != nil {
		return err
	}
	r.found, r.forgotten, err = r.b.Core.Whereabouts(ctx, r.state.ids()...)
	return err
}

func (r *rendering) render() {
	for _, e := range slices.Clone(r.state.Entries) {
		if e.ID != "" {
			r.follow(e)
		}
	}
	for _, m := range r.core {
		if p, ok := placeOf(m); ok && !r.shown[m.ID] {
			r.show(m, p)
		}
	}
}

// raw returns the value of an entry in the file, "" for none.
func (r *rendering) raw(p place) string {
	if sec, ok := r.d.section(p.Section); ok {
		if v, ok := find(sec, p.Key); ok {
			return r.d.raw(v)
		}
	}
	return ""
}

// follow brings an entry in step with its memory. An entry that a person edited
// since it was read is left to the next run.
func (r *rendering) follow(e entry) {
	raw := r.raw(e.place)
	m, there := r.found[e.ID]
	switch {
	case !e.matches(raw):
		if there {
			r.shown[m.ID] = true
		}
	case !there && e.Hand && !r.forgotten[e.ID]: // the edit was undone: the person's text stays
		e.ID = ""
		r.state.put(e)
	case !there || !m.IsCore() || r.shown[m.ID]:
		r.remove(e, raw)
	default:
		r.shown[m.ID] = true
		r.update(e, m, raw)
	}
}

// remove removes an entry from the file.
func (r *rendering) remove(e entry, raw string) {
	r.state.drop(e.place)
	if raw != "" {
		_ = r.d.Remove(e.Section, e.Key) // raw has found it
		r.changed = true
	}
}

// update writes the present content of a memory.
func (r *rendering) update(e entry, m brain.Memory, raw string) {
	says := raw
	if m.ContentHash != e.Text || hash(raw) != e.Value { // it changed, or a crash kept it from the file
		says, e.Hand = valueOf(m), false
	}
	e.ID, e.Before, e.Value, e.Text = m.ID, "", hash(says), m.ContentHash
	if says != raw {
		e.Before = hash(raw)
		r.set(e.place, says)
	}
	r.state.put(e)
}

// show gives a memory an entry of its own.
func (r *rendering) show(m brain.Memory, p place) {
	if _, ok := r.d.section(p.Section); !ok && has(r.d.Root(), p.Section) {
		return // a person uses the section for something else
	}
	p = r.free(p)
	raw := valueOf(m)
	r.set(p, raw)
	r.shown[m.ID] = true
	r.state.put(entry{place: p, Value: hash(raw), Before: hash(""), ID: m.ID, Text: m.ContentHash, Hand: m.Origin == brain.CoreOrigin})
}

// free returns a place that is not taken, with a number if the key is.
func (r *rendering) free(p place) place {
	key := p.Key
	for n := 2; r.taken(p); n++ {
		p.Key = fmt.Sprintf("%s%d", key, n)
	}
	return p
}

func (r *rendering) taken(p place) bool {
	sec, _ := r.d.section(p.Section)
	_, known := r.state.at(p)
	return known || has(sec, p.Key)
}

// set writes a value, and the section if it is missing.
func (r *rendering) set(p place, raw string) {
	r.changed = true
	r.d.set(raw, p.Section, p.Key)
}

// note writes an instant at the top level of the file.
func (r *rendering) note(key string, at time.Time) {
	raw := plaintext.Quote(at.Format(time.RFC3339))
	if _, ok := find(r.d.Root(), key); ok || !has(r.d.Root(), key) {
		r.d.set(raw, key)
	}
}

// Entry returns the place where the file would show a memory, "" for none. free is
// false if a person wrote something else there.
func (k *Keeper) Entry(ctx context.Context, m brain.Memory) (at string, free bool, err error) {
	p, ok := placeOf(m)
	if !ok {
		return "", true, nil
	}
	f, err := k.load(ctx)
	if err != nil || !f.Exists || f.bad != nil {
		return p.String(), true, err
	}
	r := rendering{d: f.d, state: f.was}
	if e, known := f.was.at(p); e.Hand || !known && r.taken(p) {
		return p.String(), false, nil
	}
	return r.free(p).String(), true, nil
}
