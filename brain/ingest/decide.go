package ingest

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// plan is what a batch changes in the graph, and the answer about it.
type plan struct {
	put      additions
	remove   removals
	named    []naming                   // mentions in new and changed texts
	lost     map[string]map[string]bool // keys of the names that a node no longer mentions, by node
	captured []captured                 // by hand, among the new outcomes
	answer   Ingested
}

// additions are stored, new or over what is there.
type additions struct {
	// vacated are sources that give up their key to another outcome. They are
	// stored first, under a key of their own.
	vacated   []brain.Source
	sources   []brain.Source
	memories  []brain.Memory
	sections  []brain.Section
	relations []brain.Relation
}

// removals are deleted before anything is stored.
type removals struct {
	sections  []string // ids
	relations []brain.Relation
}

// captured is a capture by hand and the memory that it became.
type captured struct {
	capture brain.Capture
	memory  brain.Memory
}

// decision builds a plan, file by file.
type decision struct {
	batch
	facts
	identities identities
	byKey      map[string]brain.Source // outcomes by identity, as the plan leaves them
	files      map[string]string       // of the outcomes that are in a note, by id
	plan       plan
}

// decide plans the changes that bring the graph in step with the files of a batch.
func decide(b batch, f facts) plan {
	d := decision{batch: b, facts: f, identities: identitiesOf(b), byKey: maps.Clone(f.byKey), files: map[string]string{}}
	d.plan.lost = map[string]map[string]bool{}
	notes := identify(b, f.byKey, d.identities)
	for _, n := range notes {
		inFile := slices.DeleteFunc(slices.Clone(f.byFile[n.File]), func(s brain.Source) bool {
			file, ok := d.files[s.ID]
			return ok && file != n.File // moved
		})
		stored := match(n, d.byKey, inFile)
		for i, o := range n.Outcomes {
			switch {
			case stored[i].ID != "":
				d.update(n.File, stored[i], o)
			case o.Capture == nil && (f.forgotten[o.Key] || f.forgotten[o.memory().ContentHash]):
				d.plan.answer.Unchanged++
			default:
				d.create(n.File, o)
			}
		}
	}
	for _, file := range slices.Sorted(maps.Keys(f.byFile)) {
		for _, s := range f.byFile[file] {
			d.leave(s)
		}
	}
	d.follow()
	d.compareSections(notes)
	return d.plan
}

// update brings a stored outcome in step with its note.
func (d *decision) update(file string, s brain.Source, o NoteOutcome) {
	next, answer := d.source(s, file, o), &d.plan.answer
	edited := !sameText(next, s)
	if d.identities.elsewhere(file, s) == o.BodyHash {
		answer.Unchanged++
		return
	}
	if !s.Removed.IsZero() {
		answer.BackIDs = append(answer.BackIDs, s.ID)
	}
	if next.Key != s.Key && d.byKey[s.Key].ID == s.ID {
		delete(d.byKey, s.Key)
	}
	d.byKey[o.Key], d.files[s.ID] = next, file
	if edited {
		answer.Changed++
		answer.Redacted += o.secrets
	} else {
		answer.Unchanged++
	}
	if edited || !samePlace(next, s) {
		d.plan.put.sources = append(d.plan.put.sources, next)
	}
	if edited || s.File == "" { // captured while the store was away: its memory gets a place
		d.edit(s, next, o)
	}
}

// create makes the source of a new outcome, and its memory. They have the ids
// that the note gives unless another node has them: anybody can write an id.
func (d *decision) create(file string, o NoteOutcome) {
	s := d.source(brain.Source{ID: o.ID, Created: d.instant(o)}, file, o)
	memoryID := brain.OutcomeMemoryID(o.ID)
	if o.ID == "" || d.taken[o.ID] || d.taken[memoryID] {
		s.ID, memoryID = d.newID(), d.newID()
	}
	m := d.memory(memoryID, s, o)
	if c := o.Capture; c != nil {
		s.Project, s.Created = c.Source.Project, c.Source.Created
		lifecycle.ApplyCapture(d.timeline, *c, &m)
		d.plan.captured = append(d.plan.captured, captured{*c, m})
	}
	d.plan.answer.New++
	d.plan.answer.Redacted += o.secrets
	d.byKey[s.Key], d.files[s.ID] = s, file
	d.plan.put.sources = append(d.plan.put.sources, s)
	d.remember(m, "", o.Mentions)
	d.relate(brain.Relation{From: s.ID, Type: brain.HasMemory, To: m.ID})
}

// leave plans a stored outcome of one of the files. If no note holds it any more,
// it is marked as removed. If another outcome has its identity now, because the
// numbers of one header have changed, it gets a key of its own.
func (d *decision) leave(s brain.Source) {
	if holder, ok := d.byKey[s.Key]; ok && holder.ID != s.ID {
		s.Key = brain.Hash(s.Key, "displaced", s.ID)
		d.plan.put.vacated = append(d.plan.put.vacated, s)
	} else if !s.Removed.IsZero() {
		return
	}
	if _, ok := d.files[s.ID]; ok {
		return
	}
	if s.Removed.IsZero() {
		s.Removed = d.now
		d.plan.answer.Gone++
		d.plan.answer.GoneIDs = append(d.plan.answer.GoneIDs, s.ID)
	}
	d.plan.put.sources = append(d.plan.put.sources, s)
}

// follow relates each new or edited outcome to the latest earlier one with its
// title.
func (d *decision) follow() {
	memoryOf := map[string]string{} // those of the batch
	for _, m := range current(d.plan.put.memories) {
		memoryOf[m.SourceNodeID] = m.ID
	}
	batch := map[string][]brain.Source{} // by title
	for _, s := range d.plan.put.sources {
		if memoryOf[s.ID] != "" && s.TitleKey != "" {
			batch[s.TitleKey] = append(batch[s.TitleKey], s)
		}
	}
	for _, title := range slices.Sorted(maps.Keys(batch)) {
		all := slices.Concat(d.byTitle[title], batch[title])
		for _, s := range batch[title] {
			earlier, _ := latestBefore(s.Date, all)
			if to := cmp.Or(memoryOf[earlier.ID], d.memoryOf[earlier.ID]); to != "" {
				d.relate(brain.Relation{From: memoryOf[s.ID], Type: lifecycle.FollowsType, To: to})
			}
		}
	}
}

func (d *decision) relate(r brain.Relation) { d.plan.put.relations = append(d.plan.put.relations, r) }

// latestBefore returns the outcome of the latest day before a date.
func latestBefore(date string, outcomes []brain.Source) (last brain.Source, ok bool) {
	for _, s := range outcomes {
		if s.Date < date && s.Date > last.Date {
			last, ok = s, true
		}
	}
	return last, ok
}

// source returns s with what the note says now.
func (b batch) source(s brain.Source, file string, o NoteOutcome) brain.Source {
	next := o.Source
	next.Kind, next.Dir, next.File, next.Removed = brain.Outcome, b.dir, file, time.Time{}
	next.ID, next.Created, next.Project = s.ID, s.Created, s.Project
	return next
}

func samePlace(a, z brain.Source) bool {
	return a.Key == z.Key && a.File == z.File && a.Line == z.Line && a.Dir == z.Dir && a.Removed.Equal(z.Removed)
}

// sameText reports whether header, fields and body are the same.
func sameText(a, z brain.Source) bool {
	return a.BodyHash == z.BodyHash && a.Date == z.Date && a.Time == z.Time && a.Type == z.Type &&
		a.Title == z.Title && a.Importance == z.Importance && slices.Equal(a.Tags, z.Tags)
}
