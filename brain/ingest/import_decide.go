package ingest

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/statement"
	"github.com/brainbridge/brainbridge/brain/words"
)

// importPlan is what a batch adds to the graph.
type importPlan struct {
	sources   []brain.Source
	memories  []brain.Memory
	sections  []brain.Section
	actions   []brain.Action
	action    map[string]int // of a new memory, section or source, by id
	named     []naming       // relations of the memories to names
	redirects []brain.Record // of ids to memories that said the same
	answer    ImportAnswer
}

// importDecision builds the plan of an import. If several items have the same identity, id
// or entity name, only the first is imported.
type importDecision struct {
	importRequest
	importFacts
	plan importPlan
}

// decideImport also adds what it plans to the facts.
func decideImport(req importRequest, f importFacts) importPlan {
	d := importDecision{importRequest: req, importFacts: f, plan: importPlan{action: map[string]int{}}}
	for _, item := range req.Items {
		d.plan.answer.Results = append(d.plan.answer.Results, d.decide(item))
	}
	d.relate()
	return d.plan
}

// decide plans an item if it is new.
func (d *importDecision) decide(item ImportItem) ImportResult {
	m := item.Memory
	if item.Section != nil {
		return d.decideSection(item)
	}
	if reason := item.invalid(d.idPrefix); reason != "" {
		return ImportResult{Status: Refused, Reason: reason}
	}
	if m.ID == "" {
		return d.decideSource(*item.Source)
	}
	if held, ok := d.memories[m.ID]; ok && held.ContentHash == m.ContentHash {
		return ImportResult{Held, held.ID, "the brain has it already"}
	} else if ok {
		return ImportResult{Refused, held.ID, fmt.Sprintf("the brain has another text with the id %s; `brainbridge correct %s TEXT` changes it there", m.ID, m.ID)}
	}
	if held := d.aliases[m.ID]; held != "" {
		return ImportResult{Held, held, "the brain has it already"}
	}
	if d.exists(m.ID) {
		return ImportResult{Status: Refused, Reason: "its id is that of a source or a section"}
	}
	source, holder, held := d.identity(item)
	if held {
		return ImportResult{Held, d.memoryOf[holder.ID], "the brain has it already"}
	}
	if slices.ContainsFunc(item.hashes(), func(key string) bool { return d.forgotten[key] }) {
		return ImportResult{Status: Forgotten, Reason: "it was forgotten"}
	}
	if held, ok := d.sameText(item); ok {
		if source.Kind == brain.Reminder && !item.AsIs { // another one would be open twice
			return ImportResult{Held, held.ID, "the brain has it already"}
		}
		d.confirm(item, source, held)
		return ImportResult{Held, held.ID, "the brain already has the same text"}
	}
	if key := item.entityKey(); key != "" {
		if d.entities[key] {
			return ImportResult{Status: Refused, Reason: "there is an entity with its name already"}
		}
		d.entities[key] = true
	}
	d.add(item, source)
	return ImportResult{Status: Imported, ID: m.ID}
}

// decideSource plans a source without a memory if it is new.
func (d *importDecision) decideSource(s brain.Source) ImportResult {
	if d.exists(s.ID) {
		return ImportResult{Held, s.ID, "the brain has it already"}
	}
	a := brain.Action{Kind: ActImport, IDs: []string{s.ID}, Reason: "imported", At: d.now}
	d.addSource(s, &a, len(d.plan.actions))
	d.plan.actions = append(d.plan.actions, a)
	return ImportResult{Status: Imported, ID: s.ID}
}

// decideSection plans a section if it is new. All those of a batch are one action.
func (d *importDecision) decideSection(item ImportItem) ImportResult {
	s := *item.Section
	if d.exists(s.ID) {
		return ImportResult{Held, s.ID, "the brain has it already"}
	}
	at := len(d.plan.actions)
	if len(d.plan.sections) > 0 {
		at = d.plan.action[d.plan.sections[0].ID]
	} else {
		d.plan.actions = append(d.plan.actions, brain.Action{Kind: ActImport, Reason: "imported sections", At: d.now})
	}
	a := &d.plan.actions[at]
	a.IDs, a.Sections = append(a.IDs, s.ID), append(a.Sections, s.ID)
	d.plan.action[s.ID] = at
	d.plan.sections = append(d.plan.sections, s)
	d.name(s.ID, item)
	return ImportResult{Status: Imported, ID: s.ID}
}

// name plans the relations of an item to names.
func (d *importDecision) name(id string, item ImportItem) {
	for _, n := range item.Names {
		if brain.CheckRelationType(n.Type) == nil {
			d.plan.named = append(d.plan.named, naming{id, n})
		}
	}
}

// identity returns the source of an item and, if held, the other source with its key and
// the same text. If the source with its key has another text, own gets a separate key.
func (d *importDecision) identity(item ImportItem) (own, holder brain.Source, held bool) {
	if item.Source == nil {
		return own, holder, false
	}
	own = *item.Source
	holder, held = d.holders[own.Key]
	if held && holder.ID != own.ID && holder.BodyHash != own.BodyHash {
		own.Key = apartKey(own)
		holder, held = d.holders[own.Key]
	}
	return own, holder, held && holder.ID != own.ID
}

// apartKey returns a separate identity for a text whose identity another text has.
func apartKey(s brain.Source) string { return brain.Hash(s.Key, "text", s.BodyHash) }

// sameText returns a current memory of the same project with exactly the text of an item.
// Past texts from an export are always imported.
func (d *importDecision) sameText(item ImportItem) (same brain.Memory, ok bool) {
	m := item.Memory
	if m.Entity || item.AsIs && !m.Current() {
		return same, false
	}
	if same, ok = d.texts.Find(&m, item.Source); ok {
		_, planned := d.plan.action[same.ID]
		twice := item.AsIs && (planned || d.FromThisImport != nil && d.FromThisImport(same.ID)) // in the export itself
		return same, !twice
	}
	texts := map[string]bool{words.Key(m.Content): true, words.Key(item.Text): true}
	for _, key := range []string{m.NameKey, brain.NameKey(brain.NameOf(item.Text))} {
		for _, held := range d.named[key] {
			says := texts[words.Key(held.Content)] || texts[words.Key(statement.WithoutContext(held.Content))]
			if says && held.Project == m.Project && !held.Entity && (d.FromThisImport == nil || !d.FromThisImport(held.ID)) {
				return held, true
			}
		}
	}
	return same, false
}

// confirm plans that a memory is confirmed by an item that says the same: its source leads to
// it, and its id redirects to it.
func (d *importDecision) confirm(item ImportItem, s brain.Source, held brain.Memory) {
	if planned, ok := d.memories[held.ID]; ok {
		held = planned
	}
	after := d.texts.Confirmed(held, &item.Memory, item.Source)
	after.Confirmations++
	after.Complete()
	redirect, _ := brain.NewRecord(brain.RedirectRecord, item.Memory.ID, "", held.ID, d.now, struct{}{}) // which encodes nothing
	a := brain.Action{
		Kind: ActImport, IDs: []string{held.ID}, Reason: "said again by an import", At: d.now,
		Changes: []brain.Change{{Before: &held, After: &after}}, Made: []brain.Record{redirect},
	}
	d.plan.redirects, d.aliases[item.Memory.ID] = append(d.plan.redirects, redirect), held.ID
	d.plan.memories = slices.DeleteFunc(d.plan.memories, func(m brain.Memory) bool { return m.ID == held.ID })
	d.put(item, s, after, a)
}

// put plans a memory with its source and its action.
func (d *importDecision) put(item ImportItem, s brain.Source, m brain.Memory, a brain.Action) {
	if item.Source != nil {
		d.addSource(s, &a, len(d.plan.actions))
	}
	d.memories[m.ID] = m
	if m.Current() {
		d.texts.Put(m, item.Source)
	}
	d.plan.memories, d.plan.actions = append(d.plan.memories, m), append(d.plan.actions, a)
	if item.Source != nil && !item.AsIs {
		d.memoryOf[s.ID] = m.ID
		d.plan.link(brain.Relation{From: s.ID, Type: brain.HasMemory, To: m.ID})
	}
}

// addSource plans a source, unless it is known, as part of an action with an index.
func (d *importDecision) addSource(s brain.Source, a *brain.Action, at int) {
	_, known := d.sources[s.ID]
	_, added := d.plan.action[s.ID]
	if known || added {
		return
	}
	d.plan.action[s.ID] = at
	d.plan.sources = append(d.plan.sources, s)
	a.Restored = []brain.Source{{ID: s.ID, Kind: s.Kind, Created: s.Created}}
	if s.Key != "" {
		d.holders[s.Key] = s
	}
}

// add plans the nodes of a new memory and the action that reports it.
func (d *importDecision) add(item ImportItem, s brain.Source) {
	m := item.Memory
	if !item.AsIs {
		m = d.withNewLifecycle(item)
	}
	a := brain.Action{
		Kind: ActImport, IDs: []string{m.ID}, Reason: "imported", At: d.now,
		Changes: []brain.Change{{After: new(m)}},
	}
	d.plan.action[m.ID] = len(d.plan.actions)
	d.put(item, s, m, a)
	d.name(m.ID, item)
}

// relate plans each relation in the batch that adds its second end. So an interrupted import,
// run again, creates all relations, and does not bring back one that was removed.
func (d *importDecision) relate() {
	asked := slices.Clone(d.Relations)
	for _, item := range d.Items {
		asked = append(asked, item.Relations...)
	}
	for _, r := range brain.Unique(asked) {
		r.From, r.To = cmp.Or(d.aliases[r.From], r.From), cmp.Or(d.aliases[r.To], r.To)
		switch {
		case r.From == r.To: // both texts became one memory
		case !brain.BuiltIn(r.Type) && brain.CheckRelationType(r.Type) != nil:
			d.plan.answer.Invalid = append(d.plan.answer.Invalid, r)
		case !d.exists(r.From) || !d.exists(r.To):
			d.plan.answer.Missing = append(d.plan.answer.Missing, r)
		default:
			d.plan.link(r)
		}
	}
}

// exists reports whether a node has an id, in the brain or in the plan.
func (d *importDecision) exists(id string) bool {
	_, memory := d.memories[id]
	_, source := d.sources[id]
	_, section := d.sections[id]
	_, added := d.plan.action[id]
	return memory || source || section || added
}

// link adds a relation to the actions of its new ends, so that undoing either finds it.
func (p *importPlan) link(r brain.Relation) {
	from, newFrom := p.action[r.From]
	to, newTo := p.action[r.To]
	if newFrom {
		p.actions[from].Linked = append(p.actions[from].Linked, r)
	}
	if newTo && (!newFrom || to != from) {
		p.actions[to].Linked = append(p.actions[to].Linked, r)
	}
}

// withNewLifecycle returns the memory of an item with a lifecycle that begins at its date.
func (d *importDecision) withNewLifecycle(item ImportItem) brain.Memory {
	m := item.Memory
	if m.Created.IsZero() {
		m.Created = d.now
	}
	wholeDay := false
	if item.Source != nil {
		m.SourceNodeID, wholeDay = item.Source.ID, (item.Source.Date != "" || m.Undated()) && item.Source.Time == ""
	}
	at := lifecycleStart(m.Created, wholeDay, d.now)
	startLifecycle(&m, d.policy, initialEnergy(m, item.Bullet), at)
	m.Complete()
	lifecycle.ApplyObservations(&m, nil, d.now)
	return m
}
