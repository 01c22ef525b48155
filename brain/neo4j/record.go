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

const recordsByID = "UNWIND $ids AS id MATCH (n:Record {brain: $brain, recordKind: $kind, id: id})"

func (t *tx) Records(kind brain.RecordKind, ids ...string) ([]brain.Record, error) {
	params := map[string]any{"kind": string(kind)}
	return byID(t, records(), recordsByID, ids, params, func(id string) nodeRef { return nodeRef{string(kind), id} })
}

func (t *tx) RecordsByOwner(kind brain.RecordKind, owners ...string) ([]brain.Record, error) {
	return t.recordsBy("owner", kind, owners, func(r *brain.Record) string { return r.Owner })
}

func (t *tx) RecordsByKey(kind brain.RecordKind, keys ...string) ([]brain.Record, error) {
	return t.recordsBy("key", kind, keys, func(r *brain.Record) string { return r.Key })
}

func (t *tx) recordsBy(property string, kind brain.RecordKind, values []string, value func(*brain.Record) string) ([]brain.Record, error) {
	params := map[string]any{"kind": string(kind)}
	found, err := by(t, records(), recordsCypher(property), sortedSet(values), params, value)
	slices.SortFunc(found, func(a, b brain.Record) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID))
	})
	return found, err
}

func recordsCypher(property string) string {
	return "UNWIND $ids AS value MATCH (n:Record {brain: $brain, recordKind: $kind, " + property + ": value}) RETURN n.packed"
}

func (t *tx) LatestRecords(kind brain.RecordKind, before time.Time, limit int) ([]brain.Record, error) {
	params := map[string]any{"kind": string(kind), "before": instant(before), "limit": limit}
	return fetch(t, records(), latestCypher(!before.IsZero()), params, records().anyRow)
}

func latestCypher(bounded bool) string {
	bound := "n.at IS NOT NULL"
	if bounded {
		bound = "n.at < $before"
	}
	return "MATCH (n:Record) WHERE n.brain = $brain AND n.recordKind = $kind AND " + bound +
		" RETURN n.packed ORDER BY n.brain DESC, n.recordKind DESC, n.at DESC, n.id DESC LIMIT $limit"
}

func (t *tx) PutRecords(rs ...brain.Record) error {
	return putAll(t, setRecords, rs, func(r *brain.Record) (newNode, error) {
		kind := string(r.Kind)
		if r.Kind != brain.LeaseRecord && !slices.Contains(brain.RecordKinds(), r.Kind) { // it becomes a label, which cannot be a parameter
			return newNode{}, brain.Errorf(brain.ErrInvalid, "", "there are no records of the kind %q", kind)
		}
		p, err := recordProps(r)
		pattern := "(n:Record {brain: $brain, recordKind: row.recordKind, id: row.id})"
		n := newNode{nodeRef: nodeRef{kind, r.ID}, pattern: pattern, labels: []string{recordLabel, kind}, props: p}
		return n, cmp.Or(err, checkKeys("record", r.ID, r.Owner, r.Key))
	})
}

func (t *tx) DeleteRecords(kind brain.RecordKind, ids ...string) error {
	return t.drop(dropRecords, string(kind), "(n:Record {brain: $brain, recordKind: row.kind, id: row.id})", ids)
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
