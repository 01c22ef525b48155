package ingest

import (
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

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
