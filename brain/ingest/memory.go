package ingest

import (
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/tiers"
)

// memory returns the memory of a new outcome. Its lifecycle begins at the outcome's date.
func (d *planner) memory(id string, s brain.Source, o NoteOutcome) brain.Memory {
	m := o.Memory()
	m.ID, m.SourceNodeID, m.Group = id, s.ID, d.dir+"/"+s.File
	m.Created = d.instant(o)
	at := lifecycleStart(m.Created, o.Time == "", d.now)
	startLifecycle(&m, d.policy, initialEnergy(m, o.Bullet), at)
	return m
}

// startLifecycle gives a memory the lifecycle of one created at an instant and not used since.
func startLifecycle(m *brain.Memory, policy *tiers.Policy, energy float64, at time.Time) {
	tier := tiers.Working
	if m.Retention == brain.RetainCore {
		tier = tiers.Core
	}
	if m.Entity {
		m.State = policy.StartEntity(at)
	} else {
		m.State = policy.Start(tier, energy, 0, at)
	}
	m.ValidFrom, m.LastAccessed, m.AccessCount = m.Created, at, 1
}

// lifecycleStart returns the instant at which the lifecycle of a memory begins: its creation or,
// if only the day is known, the end of that day. It is never in the future.
func lifecycleStart(created time.Time, wholeDay bool, now time.Time) time.Time {
	if wholeDay {
		created = created.Add(24 * time.Hour)
	}
	if created.After(now) {
		return now
	}
	return created
}

// instant returns the time of an outcome; without one, the time at which it was read.
func (b batch) instant(o NoteOutcome) time.Time {
	if o.At.IsZero() {
		return b.now
	}
	return brain.Instant(o.At)
}

func initialEnergy(m brain.Memory, bullet bool) float64 {
	switch {
	case m.MemoryType == "reminder":
		return tiers.InitialReminder
	case bullet:
		return tiers.InitialBullet
	}
	return lifecycle.OutcomeEnergy(m.Importance)
}

// edit gives a memory the text of its outcome, unless it was forgotten. What others say as
// well does not change: the outcome then gets a memory of its own.
func (d *planner) edit(before, after brain.Source, o NoteOutcome) {
	m, ok := d.memories[d.memoryOf[before.ID]]
	switch {
	case !ok:
	case m.Merged() && m.ContentHash != o.Memory().ContentHash:
		d.separate(m, after, o)
	case d.isShared(m, before):
		if own := o.Memory(); d.textKey(own) != m.TextKey() {
			d.separate(m, after, o)
		}
	default:
		d.revise(m, after, o, textOf(before))
	}
}

// isShared reports whether a memory is not only that of one source.
func (d *planner) isShared(m brain.Memory, s brain.Source) bool {
	_, others := d.otherTeller(m.ID, s)
	return others || m.SourceNodeID != s.ID && !m.Merged()
}

// revise changes the text of a memory. textBefore is the earlier text of the note.
func (d *planner) revise(before brain.Memory, s brain.Source, o NoteOutcome, textBefore string) {
	m, now := before, o.Memory()
	m.Name, m.Content, m.Tags, m.MemoryType, m.Importance = now.Name, now.Content, now.Tags, now.MemoryType, now.Importance
	m.Group, m.Position, m.Project = d.dir+"/"+s.File, now.Position, o.project(before.Project)
	if m.Undated() && !o.Undated {
		m.Created = d.instant(o) // its file has a date now
	}
	m.SetUndated(o.Undated)
	m.Complete()
	if brain.Says(before) != brain.Says(m) || !slices.Equal(before.Tags, m.Tags) {
		m.Version++
	}
	if before.ContentHash != m.ContentHash {
		m.ValidFrom = d.now
		past := lifecycle.Earlier(d.policy, before, d.now)
		d.plan.memories = append(d.plan.memories, past)
		d.relate(brain.Relation{From: m.ID, Type: brain.Supersedes, To: past.ID})
	}
	d.texts.Drop(before)
	d.texts.Put(m, &s)
	d.memories[m.ID] = m
	d.remember(m, textBefore, textOf(s))
}

// separate gives an outcome its own memory again, after its memory was merged or others said
// the same. That memory does not change, but no longer belongs to the note.
func (d *planner) separate(merged brain.Memory, s brain.Source, o NoteOutcome) {
	own := d.memory(d.newID(), s, o)
	own.Project, own.Agent, own.SessionID = o.project(merged.Project), merged.Agent, merged.SessionID
	own.ValidFrom = d.now
	d.plan.unlink = append(d.plan.unlink, brain.Relation{From: s.ID, Type: brain.HasMemory, To: merged.ID})
	other, _ := d.otherTeller(merged.ID, s)
	if merged.SourceNodeID == s.ID || merged.Merged() {
		d.handOver(merged, other)
	}
	d.tell(own, s)
}

// textOf returns the text of an outcome in its note, in which it can mention others.
func textOf(s brain.Source) string { return s.Title + "\n" + s.Body }

// remember plans a memory whose present and earlier text may mention others.
func (d *planner) remember(m brain.Memory, before, text string) {
	d.plan.memories = append(d.plan.memories, m)
	d.mention(m.ID, before, text)
}

// mention plans the relations of a node to the names in its text.
func (d *planner) mention(node, before, text string) {
	lost := map[string]bool{}
	for _, name := range markdown.Mentions(before) {
		lost[brain.NameKey(name)] = true
	}
	for _, name := range markdown.Mentions(text) {
		delete(lost, brain.NameKey(name))
		d.plan.named = append(d.plan.named, naming{node, brain.NamedRelation{Type: mentionType, Name: name}})
	}
	if len(lost) > 0 {
		d.plan.lost[node] = lost
	}
}
