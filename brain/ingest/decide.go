package ingest

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// plan has the changes of a batch to the graph, and the answer.
type plan struct {
	gone   []string // ids of sections to delete
	unlink []brain.Relation
	// vacated are sources that give up their key to another outcome. They are
	// stored first, under a key of their own, so that the key is free.
	vacated   []brain.Source
	sources   []brain.Source
	memories  []brain.Memory
	sections  []brain.Section
	relations []brain.Relation
	redirects [][2]string                // ids that notes give, and the known memories that they lead to
	named     []naming                   // mentions in new and changed texts
	lost      map[string]map[string]bool // by node id: keys of the names that it no longer mentions
	answer    Ingested
}

// planner builds a plan, file by file.
type planner struct {
	batch
	facts
	identities identities
	fileOf     map[string]string // file of each outcome found in a note, by source id
	plan       plan
}

// decide plans the changes that update the graph to match the files of a batch.
func decide(b batch, f facts) plan {
	f.byKey, f.memories = maps.Clone(f.byKey), maps.Clone(f.memories) // they are changed with the plan
	f.memoryOf, f.tellers, f.texts = maps.Clone(f.memoryOf), maps.Clone(f.tellers), f.texts.Clone()
	d := planner{batch: b, facts: f, identities: identitiesOf(b), fileOf: map[string]string{}, plan: plan{lost: map[string]map[string]bool{}}}
	notes := identify(b, f.byKey, d.identities)
	present := map[string]bool{}
	for _, n := range notes {
		for _, o := range n.Outcomes {
			present[o.Key] = true
		}
	}
	for _, n := range notes {
		inFile := slices.DeleteFunc(slices.Clone(f.byFile[n.File]), func(s brain.Source) bool {
			file, ok := d.fileOf[s.ID]
			return ok && file != n.File // moved
		})
		stored := match(n, d.byKey, inFile, present)
		for i, o := range n.Outcomes {
			switch {
			case stored[i].ID != "":
				d.update(n.File, stored[i], o)
			case o.Ticked: // it was done before it was read
			case n.Page && d.importedTask(o).ID != "": // in a daily note its key finds it
				d.update(n.File, d.importedTask(o), o)
			case f.forgotten[o.Key] || f.forgotten[o.Memory().ContentHash]:
				d.plan.answer.Unchanged++
			default:
				d.create(n.File, o)
			}
		}
	}
	for _, file := range slices.Sorted(maps.Keys(f.byFile)) {
		for _, s := range f.byFile[file] {
			d.retire(s)
		}
	}
	d.carryReminders(notes)
	d.linkToPrevious()
	d.compareSections(notes)
	return d.plan
}

// update changes a stored outcome to match its note.
func (d *planner) update(file string, s brain.Source, o NoteOutcome) {
	next, answer := d.source(s, file, o), &d.plan.answer
	edited := !sameText(next, s)
	if d.identities.elsewhere(d.dir, file, s) == o.BodyHash {
		answer.Unchanged++
		return
	}
	if !s.Removed.IsZero() {
		answer.BackIDs = append(answer.BackIDs, s.ID)
	}
	if next.Key != s.Key && d.byKey[s.Key].ID == s.ID {
		delete(d.byKey, s.Key)
	}
	d.byKey[o.Key], d.fileOf[s.ID] = next, file
	switch {
	case edited, !next.Done.Equal(s.Done):
		answer.Changed++
	case !o.Ticked:
		answer.Unchanged++
	}
	if edited {
		answer.Redacted += o.secrets
	}
	if edited || !sameStored(next, s) {
		d.plan.sources = append(d.plan.sources, next)
	}
	if edited || s.File == "" { // captured while the store was unreachable: the memory has no file and line yet
		d.edit(s, next, o)
	} else if !s.Removed.IsZero() {
		d.takeOver(next)
	}
}

// importedTask returns the reminder that an import made of a task, without an id if there is none.
func (d *planner) importedTask(o NoteOutcome) (found brain.Source) {
	for _, s := range d.byTitle[o.TitleKey] {
		if o.Kind == brain.Reminder && s.Dir == ImportDir && s.Removed.IsZero() && d.fileOf[s.ID] == "" {
			found = s
		}
	}
	return found
}

// create plans the source of a new outcome and its memory. It uses the id written in
// the note unless another node has it: anyone can type any id into a note.
func (d *planner) create(file string, o NoteOutcome) {
	s := d.source(brain.Source{ID: o.ID, Created: d.instant(o)}, file, o)
	memoryID := brain.OutcomeMemoryID(o.ID)
	if o.ID == "" || d.taken[o.ID] || d.taken[memoryID] {
		s.ID, memoryID = d.newID(), d.newID()
	}
	d.plan.answer.New++
	d.plan.answer.Redacted += o.secrets
	d.byKey[s.Key], d.fileOf[s.ID] = s, file
	d.plan.sources = append(d.plan.sources, s)
	d.tell(d.memory(memoryID, s, o), s)
}

// retire marks a stored outcome that no note contains any more as removed. If outcomes with
// one header were renumbered and another one has its key, it gets a new key.
func (d *planner) retire(s brain.Source) {
	if holder, ok := d.byKey[s.Key]; ok && holder.ID != s.ID {
		s.Key = brain.Hash(s.Key, "displaced", s.ID)
		d.plan.vacated = append(d.plan.vacated, s)
	} else if !s.Removed.IsZero() {
		return
	}
	if _, ok := d.fileOf[s.ID]; ok {
		return
	}
	if s.Removed.IsZero() {
		s.Removed = d.now
		d.plan.answer.Gone++
		d.plan.answer.GoneIDs = append(d.plan.answer.GoneIDs, s.ID)
	}
	d.plan.sources = append(d.plan.sources, s)
	m := d.memories[d.memoryOf[s.ID]]
	if other, ok := d.otherTeller(m.ID, s); ok && other.Removed.IsZero() && m.SourceNodeID == s.ID {
		d.handOver(m, other)
	}
}

// linkToPrevious relates each new or edited outcome to the last earlier one of its title.
func (d *planner) linkToPrevious() {
	newMemoryOf := map[string]string{} // by source id, of this batch
	for _, m := range current(d.plan.memories) {
		newMemoryOf[m.SourceNodeID] = m.ID
	}
	written := map[string][]brain.Source{} // of this batch, by title
	for _, s := range d.plan.sources {
		if newMemoryOf[s.ID] != "" && s.TitleKey != "" && s.Kind != brain.Reminder {
			written[s.TitleKey] = append(written[s.TitleKey], s)
		}
	}
	for _, title := range slices.Sorted(maps.Keys(written)) {
		all := slices.Concat(d.byTitle[title], written[title])
		for _, s := range written[title] {
			var earlier brain.Source // the most recent one
			for _, o := range all {
				if o.Date < s.Date && o.Date > earlier.Date {
					earlier = o
				}
			}
			if to := cmp.Or(newMemoryOf[earlier.ID], d.memoryOf[earlier.ID]); to != "" {
				d.relate(brain.Relation{From: newMemoryOf[s.ID], Type: lifecycle.FollowsType, To: to})
			}
		}
	}
}

func (d *planner) relate(r brain.Relation) { d.plan.relations = append(d.plan.relations, r) }

// source returns the stored source s, updated from the note.
func (b batch) source(s brain.Source, file string, o NoteOutcome) brain.Source {
	next := o.Source
	next.Kind, next.Dir, next.File, next.Removed = cmp.Or(o.Kind, brain.Outcome), b.dir, file, time.Time{}
	next.ID, next.Created, next.Project = s.ID, s.Created, o.project(s.Project)
	if next.Kind == brain.Reminder {
		next.Body, next.Done = box(s, o)+o.Body, b.done(s, o)
		if s.BodyHash == o.BodyHash {
			next.Text = cmp.Or(s.Text, o.Text) // a correction stays
		}
	}
	return next
}

// sameStored reports whether all stored fields except the text are the same.
func sameStored(a, b brain.Source) bool {
	return a.Key == b.Key && a.TitleKey == b.TitleKey && a.File == b.File && a.Line == b.Line && a.Dir == b.Dir && a.Description == b.Description && a.Removed.Equal(b.Removed) &&
		a.Done.Equal(b.Done) && a.Due.Equal(b.Due) && (a.Kind != brain.Reminder || a.Body == b.Body)
}

// sameText reports whether header, fields and body are the same.
func sameText(a, b brain.Source) bool {
	return a.BodyHash == b.BodyHash && a.Date == b.Date && a.Time == b.Time && a.Type == b.Type &&
		a.Title == b.Title && a.Project == b.Project && a.Importance == b.Importance && slices.Equal(a.Tags, b.Tags)
}

// compareSections plans the changes of the sections of these files.
func (d *planner) compareSections(notes []Note) {
	present := map[string]bool{}
	pages := map[string]bool{}
	for _, n := range notes {
		pages[n.File] = n.Page
		for _, ns := range n.Sections {
			key := brain.Hash(d.dir, n.File, ns.Key)
			if !present[key] {
				present[key] = true
				d.compareSection(n, ns, key)
			}
		}
	}
	for key, s := range d.sections {
		if present[key] {
			continue
		}
		d.plan.gone = append(d.plan.gone, s.ID)
		if pages[s.File] {
			d.plan.answer.Gone++
		}
	}
	slices.Sort(d.plan.gone)
}

func (d *planner) compareSection(n Note, ns NoteSection, key string) {
	before, known := d.sections[key]
	s, answer := ns.Section, &d.plan.answer
	s.ID, s.Key, s.Dir, s.File, s.Modified = before.ID, key, d.dir, n.File, before.Modified
	s.Group, s.Transcript = d.dir+"/"+n.File, n.Transcript
	if n.Transcript && len(n.Outcomes) > 0 { // recall must not come from a memory to the talk around it
		s.Group += TalkGroup
	}
	if !known {
		s.ID = d.newID()
	}
	sameText := known && before.Hash == s.Hash
	switch {
	case !n.Page:
	case !known:
		answer.New++
	case sameText:
		answer.Unchanged++
	default:
		answer.Changed++
	}
	if !sameText {
		answer.Redacted += ns.secrets
		s.Modified = brain.Instant(n.State.Modified)
		if !n.Transcript {
			d.mention(s.ID, before.Heading+"\n"+before.Text, s.Heading+"\n"+s.Text)
		}
	}
	if !n.At.IsZero() {
		s.Modified = brain.Instant(n.At)
	}
	if s != before {
		d.plan.sections = append(d.plan.sections, s)
	}
}
