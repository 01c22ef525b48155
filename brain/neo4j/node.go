package neo4j

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
)

// maxKey is the maximum length of an indexed text in bytes: the server refuses a
// write with more than about 8 kB in an index.
const maxKey = 4096

// maxBrain is the maximum length of the name of a brain, which is in every index.
const maxBrain = 255

// props are the properties of a node.
type props = map[string]any

// kind is a kind of node with values of type T.
type kind[T any] struct {
	label  string
	id     func(*T) string
	fields func(*T) []brain.Field
	// read sets a value to the properties of a node.
	read func(props, *T) error
}

// kindOfNode returns the kind of nodes whose properties are the fields of a value.
func kindOfNode[T any](label string, id func(*T) string, fields func(*T) []brain.Field) kind[T] {
	return kind[T]{label, id, fields, func(p props, v *T) error { return decode(p, fields(v)) }}
}

// propertiesOf returns the properties of fields, nil for those without a value.
func propertiesOf(fields []brain.Field) props {
	p := make(props, 2*len(fields))
	for _, f := range fields {
		p[f.Name] = property(f.At)
	}
	return p
}

// property returns the value of the property of a field, nil for none. Numbers
// always have one.
func property(at any) any {
	switch v := at.(type) {
	case *string:
		return text(*v)
	case *json.RawMessage:
		return text(string(*v))
	case *[]string:
		if len(*v) > 0 {
			return *v
		}
	case *bool:
		if *v {
			return true
		}
	case *int:
		return *v
	case *float64:
		return *v
	case **float64:
		if *v != nil {
			return **v
		}
	case *time.Time:
		return instant(*v)
	default:
		return text(reflect.ValueOf(at).Elem().String())
	}
	return nil
}

// decode sets fields to the properties of a node. It returns an error that names a property
// of the wrong type.
func decode(p props, fields []brain.Field) error {
	if packed, ok := p[packedKey].([]byte); ok { // of an earlier schema
		return unpack(packed, fields)
	}
	for _, f := range fields {
		if v := p[f.Name]; !setField(f.At, v) {
			return fmt.Errorf("its property %s has the wrong type (%s)", f.Name, typeName(v))
		}
	}
	return nil
}

// typeName returns the type of a property for people.
func typeName(v any) string {
	switch v.(type) {
	case string:
		return "a text"
	case int64:
		return "a whole number"
	case float64:
		return "a decimal number"
	case bool:
		return "a truth value"
	case []any:
		return "a list, not only of texts"
	case time.Time:
		return "a date and time"
	case driver.LocalDateTime:
		return "a date and time without a zone"
	case driver.Date:
		return "a date without a time"
	case driver.Duration:
		return "a duration"
	}
	return "of another kind"
}

// setField sets a field to the value of a property, nil for none. It reports whether the
// value has a type of the field.
func setField(at, v any) (ok bool) {
	switch at := at.(type) {
	case *json.RawMessage:
		var s string
		ok = set(&s, v)
		*at = nil
		if s != "" {
			*at = json.RawMessage(s)
		}
	case *[]string:
		var list []any
		ok = set(&list, v)
		*at = nil
		for _, item := range list {
			s, is := item.(string)
			*at, ok = append(*at, s), ok && is
		}
	case *bool:
		ok = set(at, v)
	case *int:
		var n int64
		ok = set(&n, v)
		*at = int(n)
	case *float64:
		*at, ok = number(v)
		ok = ok || v == nil
	case **float64:
		*at = nil
		f, is := number(v)
		if ok = is || v == nil; is {
			*at = &f
		}
	case *time.Time:
		ok = set(at, v)
		*at = milliseconds(*at)
	default:
		var s string
		ok = set(&s, v)
		reflect.ValueOf(at).Elem().SetString(s)
	}
	return ok
}

// set sets a value to that of a property, the zero value for nil and for another type, and
// reports whether the property had one of the type, or none.
func set[T any](at *T, v any) bool {
	is := false
	*at, is = v.(T)
	return is || v == nil
}

// number returns a number of a property: a whole one counts as decimal.
func number(v any) (float64, bool) {
	if n, ok := v.(int64); ok {
		return float64(n), true
	}
	f, ok := v.(float64)
	return f, ok
}

// text returns the value of a property, nil for "".
func text(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// instant returns the value of a property, nil for the zero time. It is always in
// UTC: two times of one instant in different zones are not equal in Cypher.
func instant(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return milliseconds(t)
}

// milliseconds returns a time as it is stored, also the zero one.
func milliseconds(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// checkKeys returns an error for texts that are too long for an index.
func checkKeys(what, id string, keys ...string) error {
	if id == "" {
		return brain.Errorf(brain.ErrInvalid, "", "a %s without an id cannot be stored", what)
	}
	for _, k := range append(keys, id) {
		if len(k) > maxKey {
			return brain.Errorf(brain.ErrInvalid, "", "%s %.60s: a key of %d bytes is longer than %d", what, id, len(k), maxKey)
		}
	}
	return nil
}

// hashKey returns one short key for several texts of any length.
func hashKey(parts ...string) string { return brain.Hash(parts...)[:32] }

// sortedSet returns the distinct values in order.
func sortedSet(values []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(values)))
}

// node takes the place of the properties of n in queries, unless it is a record: all but its words
// and its vector, which only the indexes need.
const node = "NODE(n)"

// nodeOf returns what takes the place of the properties of a node n with a label.
func nodeOf(label string) string {
	if slices.Contains(nodeLabels(), label) {
		return node
	}
	return "properties(n)" // whose names are not known beforehand
}

// withNodes returns a query with the properties in the place of [node].
func (s *Store) withNodes(cypher string) string {
	all := "n {.*, words: null, talk: null}"
	if d := s.dimensions.Load(); d > 0 {
		all = "n {.*, words: null, talk: null, " + vectorProperty(int(d)) + ": null}"
	}
	return strings.ReplaceAll(cypher, node, all)
}

// found is a value with the rest of its row.
type found[T any] struct {
	value T
	row   []any
}

// fetchRows runs a query whose rows begin with the properties of nodes. A node without an id,
// which another transaction is creating or deleting, is left out, like one that cannot be
// decoded, which health names.
func fetchRows[T any](t *tx, k kind[T], cypher string, params map[string]any) ([]found[T], error) {
	rows, err := t.query(cypher, params)
	all := make([]found[T], 0, len(rows))
	seen := make(map[string]bool, len(rows))
	for _, r := range rows {
		v, readable, err := readNode(t, k, value[props](r, 0))
		if err != nil {
			return nil, err
		}
		f := found[T]{v, r.Values[1:]}
		key := fmt.Sprint(k.id(&f.value), " ", f.row)
		if readable && !seen[key] {
			seen[key] = true
			all = append(all, f)
		}
	}
	return all, err
}

// readNode reads a node, and what follows from a change of it by hand.
func readNode[T any](t *tx, k kind[T], p props) (v T, readable bool, err error) {
	if err := k.read(p, &v); err != nil || k.id(&v) == "" {
		id, _ := p["id"].(string)
		name, _ := p["name"].(string)
		t.unreadable[cmp.Or(id, name, "a node without an id")] = err
		return v, false, nil
	}
	if m, is := any(&v).(*brain.Memory); is {
		edited, _, err := followEdit(p, m, t.readPolicy)
		if err != nil {
			return v, false, err
		}
		if edited {
			t.edited[m.ID] = derivedThen(p)
		}
	}
	return v, true, nil
}

// fetch is fetchRows for the values alone.
func fetch[T any](t *tx, k kind[T], cypher string, params map[string]any) ([]T, error) {
	rows, err := fetchRows(t, k, cypher, params)
	return brain.Map(rows, func(r found[T]) T { return r.value }), err
}
