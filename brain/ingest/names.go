package ingest

import (
	"maps"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

const mentionType = "mentions" // the relation for a [[Name]] in a note

// naming is a relation from a node to the memory with a name.
type naming struct {
	from string
	brain.NamedRelation
}

// relateNames returns the relations to memories by name, including those of the same batch.
// For a name that no memory has, it stores and returns the record of a pending relation.
func relateNames(tx brain.Tx, named []naming, now time.Time) (rels []brain.Relation, waiting []brain.Record, err error) {
	keys := brain.Map(named, func(n naming) string { return brain.NameKey(n.Name) })
	holders, err := lifecycle.Named(tx, 1, brain.Unique(keys)...)
	if err != nil {
		return nil, nil, err
	}
	holder := index(holders, func(m brain.Memory) string { return m.NameKey })
	for i, n := range named {
		switch to := holder[keys[i]].ID; to {
		case n.from:
		case "":
			rec, err := lifecycle.NewPendingRecord(n.from, n.Type, n.Name, now)
			if err != nil {
				return nil, nil, err
			}
			waiting = append(waiting, rec)
		default:
			rels = append(rels, brain.Relation{From: n.from, Type: n.Type, To: to})
		}
	}
	return rels, waiting, tx.PutRecords(waiting...)
}

// unmention deletes the relations, stored or pending, from nodes to names that their texts
// no longer contain. Other relations of the type stay, because a person made them.
func unmention(tx brain.Tx, lost map[string]map[string]bool) error {
	all := map[string]bool{}
	for _, names := range lost {
		maps.Copy(all, names)
	}
	keys := slices.Sorted(maps.Keys(all))
	holders, err := lifecycle.Named(tx, lifecycle.SameNameLimit, keys...)
	if err != nil {
		return err
	}
	var rels []brain.Relation
	for _, m := range holders {
		for node, names := range lost {
			if names[m.NameKey] {
				rels = append(rels, brain.Relation{From: node, Type: mentionType, To: m.ID})
			}
		}
	}
	if err := tx.DeleteRelations(rels...); err != nil {
		return err
	}
	pending, err := lifecycle.ReadPending(tx, keys...)
	if err != nil {
		return err
	}
	var ids []string
	for _, p := range pending {
		if p.Type == mentionType && lost[p.From][p.Key] {
			ids = append(ids, p.ID)
		}
	}
	return tx.DeleteRecords(brain.PendingRecord, ids...)
}
