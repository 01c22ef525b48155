package ingest

import (
	"fmt"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// write stores a plan. Names and ids that its texts and captures refer to are
// looked up once its memories are stored: they may be of the same batch.
func write(tx brain.Tx, b batch, p plan) error {
	if err := remove(tx, p.remove); err != nil {
		return err
	}
	if err := putNodes(tx, p.put); err != nil {
		return err
	}
	mentions, _, err := relateNames(tx, p.named, b.now)
	if err != nil {
		return err
	}
	if err := unmention(tx, p.lost); err != nil {
		return err
	}
	joined, _, err := lifecycle.JoinPending(tx, current(p.put.memories)...)
	if err != nil {
		return err
	}
	rels, redacted := slices.Concat(p.put.relations, mentions, joined), p.answer.Redacted
	for _, c := range p.captured {
		asked, err := lifecycle.CaptureRelations(tx, c.memory.ID, c.capture.Relate)
		if err != nil {
			return err
		}
		rels, redacted = append(rels, asked...), redacted+c.capture.Redacted
	}
	if err := tx.PutRelations(brain.Unique(rels)...); err != nil {
		return err
	}
	if err := lifecycle.AddTally(tx, lifecycle.TallyRedacted, redacted, b.now); err != nil {
		return err
	}
	return putStates(tx, b)
}

func current(ms []brain.Memory) []brain.Memory {
	return slices.DeleteFunc(slices.Clone(ms), func(m brain.Memory) bool { return !m.Current() })
}

// remove deletes what a plan removes, and the pending relations of its sections.
func remove(tx brain.Tx, r removals) error {
	waiting, err := tx.RecordsByOwner(brain.PendingRecord, r.sections...)
	if err != nil {
		return err
	}
	ids := make([]string, 0, len(waiting))
	for _, rec := range waiting {
		ids = append(ids, rec.ID)
	}
	if err := tx.DeleteRecords(brain.PendingRecord, ids...); err != nil {
		return err
	}
	if err := tx.DeleteSections(r.sections...); err != nil {
		return err
	}
	return tx.DeleteRelations(r.relations...)
}

func putNodes(tx interface {
	brain.SourceWriter
	brain.MemoryWriter
	brain.SectionWriter
}, a additions,
) error {
	for _, sources := range [][]brain.Source{a.vacated, a.sources} {
		if err := tx.PutSources(sources...); err != nil {
			return err
		}
	}
	if err := tx.PutMemories(a.memories...); err != nil {
		return err
	}
	return tx.PutSections(a.sections...)
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
