package neo4j

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// recordKinds are the kinds of records, with leases. Each is the label of its nodes.
func recordKinds() []string {
	return brain.Map(append(brain.RecordKinds(), brain.LeaseRecord), func(k brain.RecordKind) string { return string(k) })
}

// recordIndexes are the kinds with many records, by the property that these are found by.
// Other kinds are read whole.
func recordIndexes() map[string][]brain.RecordKind {
	return map[string][]brain.RecordKind{
		"owner": {brain.ActionRecord, brain.NoteFileRecord, brain.TombstoneRecord, brain.UseEventRecord, brain.TouchRecord},
		"key":   {brain.ActionRecord, brain.NoteFileRecord, brain.TombstoneRecord, brain.UseEventRecord},
		"at":    {brain.RunRecord, brain.UseEventRecord, brain.TouchRecord},
	}
}

// matchRecords returns the beginning of a query for records of a kind by a property.
func matchRecords(kind brain.RecordKind, property string) string {
	if !slices.Contains(recordIndexes()[property], kind) {
		return "MATCH (n:" + string(kind) + ")" + indexHint("n", string(kind)) + " WHERE n.brain = $brain AND n.id > '' AND n." + property
	}
	return "MATCH (n:" + string(kind) + ") WHERE n.brain = $brain AND n." + property
}

// checkKind returns an error for an unknown kind: it becomes a label, which cannot be a
// parameter.
func checkKind(kind brain.RecordKind) error {
	if kind == brain.LeaseRecord || slices.Contains(brain.RecordKinds(), kind) {
		return nil
	}
	return brain.Errorf(brain.ErrInvalid, "", "there are no records of the kind %q", string(kind))
}

func records(of brain.RecordKind) kind[brain.Record] {
	k := kindOfNode(string(of), func(r *brain.Record) string { return r.ID }, (*brain.Record).Fields)
	k.read = func(p props, r *brain.Record) error {
		if _, packed := p[packedKey].([]byte); packed {
			return decode(p, r.Fields())
		}
		if err := decode(p, r.Fields()[1:]); err != nil { // without its kind
			return err
		}
		r.Kind = of
		return fillBody(p, r)
	}
	return k
}

func (t *tx) Records(kind brain.RecordKind, ids ...string) ([]brain.Record, error) {
	return byID(t, records(kind), ids)
}

func (t *tx) ListRecords(kind brain.RecordKind, f brain.RecordFilter) ([]brain.Record, error) {
	if f.By == "" {
		return fetch(t, records(kind), latestCypher(kind, !f.Before.IsZero()), map[string]any{"before": instant(f.Before), "limit": f.Limit})
	}
	all, err := by(t, records(kind), recordsCypher(kind, string(f.By)), sortedSet(f.Keys), nil)
	slices.SortFunc(all, func(a, b brain.Record) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID))
	})
	return all, err
}

func recordsCypher(kind brain.RecordKind, property string) string {
	return matchRecords(kind, property) + " IN $ids RETURN properties(n)"
}

func latestCypher(kind brain.RecordKind, bounded bool) string {
	bound := " IS NOT NULL"
	if bounded {
		bound = " < $before"
	}
	return matchRecords(kind, "at") + bound + " WITH n ORDER BY n.brain DESC, n.at DESC, n.id DESC LIMIT $limit RETURN properties(n)"
}

func (t *tx) PutRecords(rs ...brain.Record) error {
	return putAll(t, rs, recordNode, replaceAll, "")
}

func recordNode(r *brain.Record) (newNode, error) {
	return labelled(r.ID, recordProps(r), string(r.Kind)), cmp.Or(checkKind(r.Kind), checkKeys("record", r.ID, r.Owner, r.Key))
}

func (t *tx) DeleteRecords(kind brain.RecordKind, ids ...string) error {
	if err := checkKind(kind); err != nil {
		return err
	}
	return t.drop(string(kind), ids)
}

// ownProperties are those of a record that are not of its body.
var ownProperties = []string{"", "id", "brain", "owner", "key", "at", "body", "isTest", "_lock"}

// recordProps returns the properties of a record. The texts, numbers, truth values and lists
// of texts at the top level of its body are properties; what is left of it is one, body, as
// JSON.
func recordProps(r *brain.Record) props {
	p, rest := plainValues(r.Body)
	if r.Kind == brain.ConfigRecord {
		configProps(p, rest)
	}
	values := len(p)
	maps.Copy(p, props{"id": r.ID, "owner": text(r.Owner), "key": text(r.Key), "at": milliseconds(r.At), "body": text(string(r.Body))})
	if rest != nil {
		p["body"] = nil
		if body, err := json.Marshal(rest); err == nil && (len(rest) > 0 || values == 0) {
			p["body"] = string(body)
		}
	}
	return p
}

// fillBody puts properties into the body of a record.
func fillBody(p props, r *brain.Record) error {
	p = maps.Clone(p)
	maps.DeleteFunc(p, func(name string, v any) bool { return v == nil || slices.Contains(ownProperties, name) })
	if len(p) == 0 {
		return nil
	}
	body := map[string]any{}
	if len(r.Body) > 0 {
		d := json.NewDecoder(bytes.NewReader(r.Body))
		d.UseNumber()
		if err := d.Decode(&body); err != nil {
			return err
		}
	}
	if r.Kind == brain.ConfigRecord {
		configBody(p, body)
	}
	maps.Copy(body, p)
	raw, err := json.Marshal(body)
	r.Body = raw
	return err
}

// plainValues returns the texts, numbers, truth values and lists of texts at the top level
// of a JSON object, and the rest of it; nil for what is not an object.
func plainValues(body json.RawMessage) (p props, rest map[string]any) {
	p = make(props)
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if decoder.Decode(&rest) != nil {
		return p, nil
	}
	for key, value := range rest {
		if v := plain(value); v != nil && !slices.Contains(ownProperties, key) {
			p[key] = v
			delete(rest, key)
		}
	}
	return p, rest
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

// The lifecycle numbers are an object in the body of a ConsolidationConfig, and its instants
// are texts there.
const numbersKey = "numbers"

func configTimes() []string { return []string{"validFrom", "validTo"} }

// numberKeys returns the keys of the lifecycle numbers, also of those that have become constants.
func numberKeys() []string {
	return slices.AppendSeq(tiers.Keys(), maps.Keys(tiers.Constants()))
}

// numberProperty returns the property of a lifecycle number: "promote.energy.working" is
// promoteEnergyWorking.
func numberProperty(key string) string {
	first, rest, _ := strings.Cut(key, ".")
	for part := range strings.SplitSeq(rest, ".") {
		if part != "" {
			first += strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return first
}

// configProps moves the numbers and the instants of a body into properties.
func configProps(p props, rest map[string]any) {
	numbers, _ := rest[numbersKey].(map[string]any)
	for _, key := range numberKeys() {
		if n, ok := numbers[key].(json.Number); ok {
			if f, err := n.Float64(); err == nil {
				p[numberProperty(key)] = f
				delete(numbers, key)
			}
		}
	}
	if len(numbers) == 0 {
		delete(rest, numbersKey)
	}
	for _, key := range configTimes() {
		written, _ := p[key].(string)
		if at, err := time.Parse(time.RFC3339Nano, written); err == nil {
			p[key] = milliseconds(at)
		}
	}
}

// configBody moves the numbers and instants of properties into a body.
func configBody(p props, body map[string]any) {
	numbers, _ := body[numbersKey].(map[string]any)
	if numbers == nil {
		numbers = map[string]any{}
	}
	for _, key := range numberKeys() {
		if n, ok := number(p[numberProperty(key)]); ok {
			numbers[key] = n
			delete(p, numberProperty(key))
		}
	}
	if len(numbers) > 0 {
		body[numbersKey] = numbers
	}
	for _, key := range configTimes() {
		if at, ok := p[key].(time.Time); ok {
			p[key] = milliseconds(at).Format(time.RFC3339Nano)
		} else {
			delete(p, key)
		}
	}
}
