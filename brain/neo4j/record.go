package neo4j

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// recordLabel is a second label of every record, so that a few indexes serve all
// kinds.
const recordLabel = "Record"

func records() kind[brain.Record] {
	return kind[brain.Record]{recordLabel, func(r *brain.Record) string { return r.ID }, (*brain.Record).Fields}
}

// recordPattern returns the properties of records of a kind and more in a pattern.
func recordPattern(kind brain.RecordKind, more string) string {
	return "(n:Record {brain: $brain, recordKind: '" + string(kind) + "', " + more + "})"
}

// checkKind returns an error for a kind that must not become part of a query.
func checkKind(kind brain.RecordKind) error {
	if slices.Contains(brain.RecordKinds(), kind) {
		return nil
	}
	return brain.Errorf(brain.ErrInvalid, "", "there are no records of the kind %q", kind)
}

// Records returns records by id, locked in Update.
func (t *tx) Records(kind brain.RecordKind, ids ...string) ([]brain.Record, error) {
	if err := checkKind(kind); err != nil {
		return nil, err
	}
	match := "UNWIND $ids AS id MATCH " + recordPattern(kind, "id: id")
	return byID(t, records(), match, ids, func(id string) nodeRef { return nodeRef{string(kind), id} })
}

// RecordsByOwner returns records by owner, oldest first.
func (t *tx) RecordsByOwner(kind brain.RecordKind, owners ...string) ([]brain.Record, error) {
	return t.recordsBy("owner", kind, owners, func(r *brain.Record) string { return r.Owner })
}

// RecordsByKey returns records by key, oldest first.
func (t *tx) RecordsByKey(kind brain.RecordKind, keys ...string) ([]brain.Record, error) {
	return t.recordsBy("key", kind, keys, func(r *brain.Record) string { return r.Key })
}

func (t *tx) recordsBy(property string, kind brain.RecordKind, values []string, value func(*brain.Record) string) ([]brain.Record, error) {
	if err := checkKind(kind); err != nil {
		return nil, err
	}
	found, err := by(t, records(), recordsCypher(property, kind), sortedSet(values), nil, value)
	slices.SortFunc(found, func(a, b brain.Record) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID))
	})
	return found, err
}

func recordsCypher(property string, kind brain.RecordKind) string {
	return "UNWIND $ids AS value MATCH " + recordPattern(kind, property+": value") + " RETURN n.packed"
}

// LatestRecords returns the newest records before an instant.
func (t *tx) LatestRecords(kind brain.RecordKind, before time.Time, limit int) ([]brain.Record, error) {
	if err := checkKind(kind); err != nil {
		return nil, err
	}
	return fetch(t, records(), latestCypher(kind, !before.IsZero()), map[string]any{"before": instant(before), "limit": limit}, records().anyRow)
}

func latestCypher(kind brain.RecordKind, bounded bool) string {
	bound := "n.at IS NOT NULL"
	if bounded {
		bound = "n.at < $before"
	}
	return "MATCH (n:Record) WHERE n.brain = $brain AND n.recordKind = '" + string(kind) + "' AND " + bound +
		" RETURN n.packed ORDER BY n.brain DESC, n.recordKind DESC, n.at DESC, n.id DESC LIMIT $limit"
}

// PutRecords stores records whole.
func (t *tx) PutRecords(rs ...brain.Record) error {
	return putAll(t, setRecords, rs, func(r *brain.Record) (newNode, error) {
		p, err := recordProps(r)
		kind := string(r.Kind)
		n := newNode{nodeRef: nodeRef{kind, r.ID}, pattern: recordPattern(r.Kind, "id: row.id"), labels: []string{recordLabel, kind}, props: p}
		return n, cmp.Or(err, checkKind(r.Kind), checkKeys("record", r.ID, r.Owner, r.Key))
	})
}

// DeleteRecords removes records.
func (t *tx) DeleteRecords(kind brain.RecordKind, ids ...string) error {
	if err := checkKind(kind); err != nil {
		return err
	}
	return t.drop(dropRecords, string(kind), recordPattern(kind, "id: id"), ids)
}

// recordProps returns the properties of a record: the plain values of its body for
// people who explore the graph, then those that it is found by and read from.
func recordProps(r *brain.Record) (props, error) {
	packed, err := pack(r.Fields())
	p := plainValues(r.Body)
	maps.Copy(p, props{
		"recordKind": string(r.Kind), "id": r.ID, "owner": text(r.Owner), "key": text(r.Key), packedKey: packed,
		"at":    milliseconds(r.At), // never null: the index over it has no node without it
		"_lock": nil,
	})
	return p, err
}

// plainValues returns the texts, numbers, truth values and lists of texts at the
// top level of a JSON object.
func plainValues(body json.RawMessage) props {
	p := make(props)
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var object map[string]any
	if decoder.Decode(&object) != nil {
		return p
	}
	for key, value := range object {
		if v := plain(value); v != nil && key != "" {
			p[key] = v
		}
	}
	return p
}

func plain(value any) any {
	switch v := value.(type) {
	case string, bool:
		return v
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i
		}
		if f, err := v.Float64(); err == nil {
			return f
		}
	case []any:
		list := make([]string, 0, len(v))
		for _, item := range v {
			if s, ok := item.(string); ok {
				list = append(list, s)
			}
		}
		if len(list) > 0 && len(list) == len(v) {
			return list
		}
	}
	return nil
}
