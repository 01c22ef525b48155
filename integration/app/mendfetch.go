package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/integration/notes"
)

// wanted chooses what is fetched from a backup.
type wanted struct {
	ids  map[string]bool // "kind id"; nil: everything but what follows
	gone map[string]bool // ids that were forgotten, or whose making was undone
	dir  string          // of the notes, whose sections are read from the files
	by   time.Time       // when the backup was made
	had  *int64          // memories that were had back
}

func nameOf(kind, id string) string { return kind + " " + id }

// setAside takes what cannot be read out of the store, unless a repair makes it readable, and
// fetches it from backups and notes.
func (m *mending) setAside(ctx context.Context, damaged []brain.Unreadable) error {
	b, err := m.u.Brain(ctx)
	if err == nil {
		err = b.Base.Store.Repair(ctx, m.keep)
	}
	if err != nil {
		return err
	}
	still, err := b.Base.Unreadable(ctx, checkBody)
	if err == nil {
		err = b.Base.Store.Scan(ctx, true, func(p brain.Page) error { still = append(still, p.Unreadable...); return nil })
	}
	if err != nil {
		return err
	}
	damaged = filter(damaged, func(d brain.Unreadable) bool {
		return slices.ContainsFunc(still, func(u brain.Unreadable) bool { return u.Kind == d.Kind && u.ID == d.ID })
	})
	if err := b.Base.Store.SetAside(ctx, damaged, m.keep); err != nil {
		return err
	}
	w := wanted{ids: map[string]bool{}, had: new(int64)}
	for _, d := range damaged {
		w.ids[nameOf(d.Kind, d.ID)] = true
	}
	_, err = m.fetch(ctx, b, w)
	switch {
	case err == nil && len(w.ids) > 0: // perhaps under other ids, if these are damaged, too
		if err = m.fetchMissing(ctx); errors.Is(err, errNothing) {
			err = nil
		}
	case err == nil:
		err = m.readNotesAgain(ctx)
	}
	if err != nil {
		return err
	}
	ids := map[string][]string{}
	for _, d := range damaged {
		ids[d.Kind] = append(ids[d.Kind], d.ID)
	}
	have, err := lifecycle.Read(ctx, b.Base, func(r brain.Reader) (map[string]bool, error) { return present(r, ids) })
	if err != nil {
		return err
	}
	for _, d := range damaged {
		if !have[nameOf(d.Kind, d.ID)] && d.Kind != string(brain.NoteFileRecord) {
			m.lost = append(m.lost, Lost{Kind: d.Kind, ID: d.ID, Why: d.Why, Kept: brain.OrNull(m.kept)})
		}
	}
	return nil
}

// fetchMissing stores what the newest intact backup has and the store has not, but for what was
// forgotten or undone since.
func (m *mending) fetchMissing(ctx context.Context) error {
	b, err := m.u.Brain(ctx)
	if err != nil {
		return err
	}
	w := wanted{gone: map[string]bool{}, had: new(int64)}
	if owner, err := notes.ReadOwner(m.u.app.Settings.Paths.NotesDir); err == nil {
		w.dir = owner.ID
	}
	err = b.Base.Store.Scan(ctx, false, func(p brain.Page) error {
		for _, rec := range p.Records {
			w.addGone(rec)
		}
		return nil
	})
	var from backups.Backup
	if err == nil {
		from, err = m.fetch(ctx, b, w)
	}
	if err == nil {
		err = m.readNotesAgain(ctx)
	}
	c, checkErr := m.u.app.lastCheck()
	if err = cmp.Or(err, checkErr); err != nil || c == nil || c.Lost == (health.LostWrites{}) {
		return err
	}
	m.from = from.Path
	c.Lost.Memories = max(0, c.Lost.Memories-int(*w.had))
	if n := writesAfter(from, c.Lost.Last); n >= 0 && !from.Created.After(c.Lost.At) {
		c.Lost.Writes = min(c.Lost.Writes, n)
	}
	if err = m.u.app.putCheck(*c); err == nil && *w.had == 0 {
		err = errNothing
	}
	return err
}

// errNothing is the error of a step that found nothing to mend with. The answer says what is lost.
var errNothing = errors.New("nothing was had back")

// addGone adds what a record says is no more.
func (w wanted) addGone(rec brain.Record) {
	switch rec.Kind {
	case brain.TombstoneRecord:
		w.gone[rec.Owner] = true
	case brain.ActionRecord:
		var a brain.Action
		if json.Unmarshal(rec.Body, &a) == nil && !a.Undone.IsZero() {
			for _, id := range a.IDs {
				w.gone[id] = true
			}
		}
	}
}

// fetch stores what is wanted and not in the store, from the newest intact backup that has it. What
// is found leaves the ids. Everything comes from the newest one that lacks nothing: older ones have
// what was removed since. It returns that newest one, if everything is wanted.
func (m *mending) fetch(ctx context.Context, b *services.Services, w wanted) (from backups.Backup, err error) {
	l := m.u.app.Settings
	all, err := backups.Created(l.Paths.Backups, l.StoredBrain(), nil)
	if err != nil {
		return from, err
	}
	for _, from = range all {
		if w.ids != nil && len(w.ids) == 0 {
			break
		}
		if w.ids == nil && (len(from.Unreadable()) > 0 || from.Reason == salvaged) {
			continue
		}
		if v, err := backups.Verify(ctx, from.Path, backups.Options{Progress: m.u.caller.Notices.Progress}); err != nil || !v.OK {
			continue
		}
		w.by = from.Created
		if err := m.fetchFrom(ctx, b, from.Path, w); err != nil {
			return from, fmt.Errorf("fetch what is missing from %s: %w", from.Path, err)
		}
		if w.ids == nil {
			return from, nil
		}
	}
	return backups.Backup{}, ctx.Err()
}

func (m *mending) fetchFrom(ctx context.Context, b *services.Services, path string, w wanted) error {
	var found []string
	for p, err := range backups.Pages(path) {
		if err != nil {
			return err
		}
		p = w.in(p)
		if err := m.store(ctx, b, p, w); err != nil {
			return err
		}
		for _, one := range singles(p) {
			found = append(found, one.name())
		}
	}
	for _, name := range found { // now: relations come after their ends
		delete(w.ids, name)
	}
	return nil
}

// in returns the part of a page that is wanted. The states of notes are those of the files.
func (w wanted) in(p brain.Page) brain.Page {
	keep := func(kind, id string) bool {
		if w.ids != nil {
			return w.ids[nameOf(kind, id)]
		}
		return !w.gone[id]
	}
	end := func(id string) bool {
		return w.ids[nameOf(brain.MemoryNode, id)] || w.ids[nameOf(brain.SourceNode, id)] || w.ids[nameOf(brain.SectionNode, id)]
	}
	return brain.Page{
		Memories: filter(p.Memories, func(m brain.Memory) bool { return keep(brain.MemoryNode, m.ID) }),
		Sources:  filter(p.Sources, func(s brain.Source) bool { return keep(brain.SourceNode, s.ID) }),
		Sections: filter(p.Sections, func(s brain.Section) bool {
			return keep(brain.SectionNode, s.ID) && (w.ids != nil || s.Dir != w.dir)
		}),
		Relations: filter(p.Relations, func(r brain.Relation) bool {
			u := brain.UnreadableRelation(&r)
			return w.ids == nil || w.ids[nameOf(u.Kind, u.ID)] || end(r.From) || end(r.To)
		}),
		Records: filter(p.Records, func(r brain.Record) bool {
			return r.Kind != brain.NoteFileRecord && (keep(string(r.Kind), r.ID) || w.ids[nameOf(brain.RecordNode, r.ID)])
		}),
	}
}

func filter[T any](all []T, keep func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(all), func(v T) bool { return !keep(v) })
}

// store stores what is not there yet. If something has a key that another one has taken since,
// only that is left out.
func (m *mending) store(ctx context.Context, b *services.Services, p brain.Page, w wanted) error {
	if p.Len() == 0 {
		return nil
	}
	put := func(p brain.Page) (err error) {
		memories := 0
		err = b.Base.Store.Update(ctx, func(tx brain.Tx) error {
			memories, err = putMissing(tx, p, w.by)
			return err
		})
		if err == nil {
			*w.had += int64(memories)
		}
		return err
	}
	err := put(p)
	if !errors.Is(err, brain.ErrConflict) {
		return err
	}
	for _, one := range singles(p) {
		err := put(one.page)
		if err != nil && !errors.Is(err, brain.ErrConflict) {
			return err
		}
	}
	return nil
}

// single is a page with one node, record or relation.
type single struct {
	page     brain.Page
	kind, id string
}

func (s single) name() string { return nameOf(s.kind, s.id) }

func singles(p brain.Page) (all []single) {
	for _, v := range p.Memories {
		all = append(all, single{brain.PageOf([]brain.Memory{v}), brain.MemoryNode, v.ID})
	}
	for _, v := range p.Sources {
		all = append(all, single{brain.PageOf([]brain.Source{v}), brain.SourceNode, v.ID})
	}
	for _, v := range p.Sections {
		all = append(all, single{brain.PageOf([]brain.Section{v}), brain.SectionNode, v.ID})
	}
	for _, v := range p.Records {
		all = append(all, single{brain.PageOf([]brain.Record{v}), string(v.Kind), v.ID})
	}
	for _, v := range p.Relations {
		u := brain.UnreadableRelation(&v)
		all = append(all, single{brain.PageOf([]brain.Relation{v}), u.Kind, u.ID})
	}
	return all
}

// putMissing stores what is missing of a page, and memories of which the store has an earlier
// version that nothing has changed since the backup was made. It returns the number of memories.
func putMissing(tx brain.Tx, p brain.Page, by time.Time) (memories int, err error) {
	stored, err := tx.Memories(brain.IDs(p.Memories)...)
	if err != nil {
		return 0, err
	}
	now := brain.ByID(stored)
	ids := map[string][]string{}
	for _, one := range singles(brain.Page{Sources: p.Sources, Sections: p.Sections, Records: p.Records}) {
		ids[one.kind] = append(ids[one.kind], one.id)
	}
	have, err := present(tx, ids)
	if err != nil {
		return 0, err
	}
	put := brain.Page{
		Memories: filter(p.Memories, func(m brain.Memory) bool {
			old, found := now[m.ID]
			return !found || old.Version < m.Version && !old.LastDecay.After(by) && !old.LastAccessed.After(by)
		}),
		Sources:  filter(p.Sources, func(s brain.Source) bool { return !have[nameOf(brain.SourceNode, s.ID)] }),
		Sections: filter(p.Sections, func(s brain.Section) bool { return !have[nameOf(brain.SectionNode, s.ID)] }),
		Records:  filter(p.Records, func(r brain.Record) bool { return !have[nameOf(string(r.Kind), r.ID)] }),
	}
	if err := put.StoreNodes(tx); err != nil {
		return 0, err
	}
	var ends []string
	for _, r := range p.Relations {
		ends = append(ends, r.From, r.To)
	}
	have, err = present(tx, map[string][]string{brain.MemoryNode: ends, brain.SourceNode: ends, brain.SectionNode: ends})
	if err != nil {
		return 0, err
	}
	node := func(id string) bool {
		return have[nameOf(brain.MemoryNode, id)] || have[nameOf(brain.SourceNode, id)] || have[nameOf(brain.SectionNode, id)]
	}
	return len(put.Memories), tx.PutRelations(filter(p.Relations, func(r brain.Relation) bool { return node(r.From) && node(r.To) })...)
}

// present returns the names of those ids, by kind, that can be read. The id of a relation is that of
// [brain.UnreadableRelation].
func present(r brain.Reader, ids map[string][]string) (names map[string]bool, err error) {
	names = map[string]bool{}
	for _, kind := range slices.Sorted(maps.Keys(ids)) {
		var p brain.Page
		switch kind {
		case brain.MemoryNode:
			p.Memories, err = r.Memories(ids[kind]...)
		case brain.SourceNode:
			p.Sources, err = r.Sources(ids[kind]...)
		case brain.SectionNode:
			p.Sections, err = r.Sections(ids[kind]...)
		case brain.RelationNode:
			p.Relations, err = r.Relations(brain.Map(ids[kind], func(id string) string { return strings.Fields(id + " ?")[0] })...)
		default:
			p.Records, err = r.Records(brain.RecordKind(kind), ids[kind]...)
		}
		if err != nil {
			return nil, err
		}
		for _, one := range singles(p) {
			names[one.name()] = true
		}
	}
	return names, nil
}
