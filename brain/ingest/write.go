package ingest

import (
	"fmt"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// write stores a plan. Names that its texts refer to are looked up after its memories are
// stored, because they may be in the same batch.
func write(tx brain.Tx, b batch, p plan) error {
	waiting, err := tx.ListRecords(brain.PendingRecord, brain.RecordFilter{By: brain.ByOwner, Keys: p.gone})
	lifecycle.Put(&err, lifecycle.DeleteRecords(tx), waiting...)
	lifecycle.Put(&err, tx.DeleteNodes, p.gone...)
	lifecycle.Put(&err, tx.DeleteRelations, p.unlink...)
	lifecycle.Put(&err, tx.PutSources, p.vacated...)
	lifecycle.Put(&err, tx.PutSources, p.sources...)
	lifecycle.Put(&err, tx.PutMemories, p.memories...)
	lifecycle.Put(&err, tx.PutSections, p.sections...)
	if err != nil {
		return err
	}
	mentions, _, err := relateNames(tx, p.named, b.now)
	if err != nil {
		return err
	}
	if err := unmention(tx, p.lost); err != nil {
		return err
	}
	joined, _, err := lifecycle.JoinPending(tx, current(p.memories)...)
	if err != nil {
		return err
	}
	rels := slices.Concat(p.relations, mentions, joined)
	if err := tx.PutRelations(brain.Unique(rels)...); err != nil {
		return err
	}
	for _, r := range p.redirects {
		if err := lifecycle.PutRedirect(tx, r[0], r[1], b.now); err != nil {
			return err
		}
	}
	if err := lifecycle.AddTally(tx, lifecycle.TallyRedacted, p.answer.Redacted, b.now); err != nil {
		return err
	}
	return putStates(tx, b)
}

func current(ms []brain.Memory) []brain.Memory {
	return slices.DeleteFunc(slices.Clone(ms), func(m brain.Memory) bool { return !m.Current() })
}

// putStates stores the state of each file, and deletes that of files that are gone.
func putStates(tx brain.RecordWriter, b batch) error {
	var recs []brain.Record
	var gone []string
	for _, n := range b.files {
		id := brain.Hash(b.dir, n.File)
		if n.Gone {
			gone = append(gone, id)
			continue
		}
		rec, err := brain.NewRecord(brain.NoteFileRecord, id, b.dir, n.File, b.now, n.State)
		if err != nil {
			return fmt.Errorf("keep the state of %s: %w", n.File, err)
		}
		recs = append(recs, rec)
	}
	if err := tx.DeleteRecords(brain.NoteFileRecord, gone...); err != nil {
		return err
	}
	return tx.PutRecords(recs...)
}
