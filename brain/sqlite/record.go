package sqlite

import (
	"cmp"
	"sync"

	"github.com/brainbridge/brainbridge/brain"
)

const (
	// CROSS JOIN makes SQLite begin with the values: it would otherwise read all
	// records of the kind in the order of at.
	recordsFrom = `SELECT m.kind, m.id, m.owner, m.key, m.at, m.body, m.checksum FROM json_each(?1) j
		CROSS JOIN record m ON m.brain = ?2 AND m.kind = ?3 AND `
	recordsByID = recordsFrom + `m.id = j.value`
)

// recordsBy returns the query for records with some keys. Only an index whose condition it repeats is used.
func recordsBy(by brain.Key) string {
	return recordsFrom + `m."` + string(by) + `" <> '' AND m."` + string(by) + `" = j.value ORDER BY m.at, m.id`
}

// latestRecords returns the query for the latest records. Actions, of which there are
// many, are listed by run and by memory, never by time: the index over time
// leaves them out.
func latestRecords(kind brain.RecordKind, before bool) string {
	query := `SELECT ` + records().selected + ` FROM record m WHERE brain = ?1 AND kind = ?2`
	if kind != brain.ActionRecord {
		query += ` AND kind <> 'Action'`
	}
	if before {
		query += ` AND at < ?4`
	}
	return query + ` ORDER BY at DESC, id DESC LIMIT +?3`
}

var records = sync.OnceValue(func() table[brain.Record] {
	return newTable("record", (*brain.Record).Fields)
})

func (t *tx) Records(kind brain.RecordKind, ids ...string) ([]brain.Record, error) {
	recs, err := records().find(t, recordsByID, ids, kind)
	return recs, cmp.Or(err, t.numbersDamaged(kind))
}

// numbersDamaged returns an error if the lifecycle numbers were read and are damaged: with others,
// every energy would be wrong.
func (t *tx) numbersDamaged(kind brain.RecordKind) error {
	if why := t.unreadable[brain.CurrentPolicy]; kind == brain.ConfigRecord && why != nil {
		return brain.Errorf(ErrDamaged, restoreHint, "the lifecycle numbers in %s are damaged (%v), so no energy can be computed", t.s.path, why)
	}
	return nil
}

func (t *tx) ListRecords(kind brain.RecordKind, f brain.RecordFilter) ([]brain.Record, error) {
	if f.By != "" {
		recs, err := records().find(t, recordsBy(f.By), f.Keys, kind)
		return recs, cmp.Or(err, t.numbersDamaged(kind))
	}
	args := []any{t.s.brain, kind, f.Limit}
	if !f.Before.IsZero() {
		args = append(args, f.Before.UnixMilli())
	}
	return collect(t, records().dest(t), latestRecords(kind, !f.Before.IsZero()), args...)
}

var putRecord = sync.OnceValue(func() string { return records().upsert("brain, kind, id") })

func (t *tx) PutRecords(rs ...brain.Record) error {
	return records().put(t, putRecord(), rs)
}

func (t *tx) DeleteRecords(kind brain.RecordKind, ids ...string) error {
	for _, id := range ids {
		t.exec(`DELETE FROM record WHERE brain = ? AND kind = ? AND id = ?`, t.s.brain, kind, id)
	}
	return t.changes.failed
}
