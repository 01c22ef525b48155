package ingest

import (
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// writeImport stores a plan. Names are looked up after its memories are stored, because
// they may be in the same batch.
func writeImport(tx brain.Tx, p importPlan, req importRequest) error {
	if len(p.actions) == 0 {
		return nil
	}
	err := tx.PutSources(p.sources...)
	lifecycle.Put(&err, tx.PutMemories, p.memories...)
	lifecycle.Put(&err, tx.PutSections, p.sections...)
	if err != nil {
		return err
	}
	if err := p.bindNames(tx, req.now); err != nil {
		return err
	}
	var rels []brain.Relation
	for _, a := range p.actions {
		rels = append(rels, a.Linked...)
	}
	if err := tx.PutRelations(brain.Unique(rels)...); err != nil {
		return err
	}
	return lifecycle.AddTally(tx, lifecycle.TallyRedacted, req.Redacted, req.now)
}

// bindNames adds to the actions the relations to names, and those that waited
// for the names of new memories.
func (p *importPlan) bindNames(tx brain.Tx, now time.Time) error {
	rels, waiting, err := relateNames(tx, p.named, now)
	if err != nil {
		return err
	}
	for _, rec := range waiting {
		a := &p.actions[p.action[rec.Owner]]
		a.Made = append(a.Made, rec)
	}
	named := current(p.memories)
	joined, done, err := lifecycle.JoinPending(tx, named...)
	for _, rec := range done {
		i := slices.IndexFunc(named, func(m brain.Memory) bool { return m.NameKey == rec.Key })
		a := &p.actions[p.action[named[i].ID]]
		a.Removed = append(a.Removed, rec)
	}
	for _, r := range append(rels, joined...) {
		p.link(r)
	}
	return err
}
