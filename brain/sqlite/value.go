package sqlite

import (
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// bound returns the values of fields as the driver takes them. database/sql
// would find most of them by reflection, which takes a tenth of the time of a write.
// The zero time, an empty list, JSON document or unique key is NULL: a unique index
// allows many of those.
func bound(fields []brain.Field) []any {
	values := make([]any, len(fields))
	for i, f := range fields {
		values[i] = boundValue(f.At)
	}
	return values
}

func boundValue(at any) any {
	switch p := at.(type) {
	case *string:
		return *p
	case *int:
		return int64(*p)
	case *float64:
		return *p
	case **float64:
		return *p
	case *bool:
		return *p
	case *time.Time:
		return millis(*p)
	case *[]string:
		if len(*p) == 0 {
			return nil
		}
		return distinctJSON(*p)
	case *json.RawMessage:
		return orNull(string(*p))
	case *brain.UniqueKey:
		return orNull(string(*p))
	}
	return reflect.ValueOf(at).Elem().String()
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// millis returns a time as a parameter.
func millis(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}

// destinations returns what receives the columns of fields.
func destinations(fields []brain.Field) []any {
	dest := make([]any, len(fields))
	for i, f := range fields {
		switch p := f.At.(type) {
		case *time.Time:
			dest[i] = instant{p}
		case *[]string:
			dest[i] = list{p}
		case *json.RawMessage:
			dest[i] = optional[json.RawMessage]{p}
		case *brain.UniqueKey:
			dest[i] = optional[brain.UniqueKey]{p}
		default:
			dest[i] = p
		}
	}
	return dest
}

// instant scans a time.
type instant struct{ t *time.Time }

func (v instant) Scan(src any) error {
	switch ms := src.(type) {
	case nil:
		*v.t = time.Time{}
	case int64:
		*v.t = time.UnixMilli(ms).UTC()
	default:
		return fmt.Errorf("a time cannot be %T", src)
	}
	return nil
}

// list scans strings in a JSON array.
type list struct{ l *[]string }

func (v list) Scan(src any) error {
	*v.l = nil
	if s, ok := src.(string); ok {
		return json.Unmarshal([]byte(s), v.l)
	}
	return nil
}

// optional scans a text that may be NULL.
type optional[T brain.UniqueKey | json.RawMessage] struct{ text *T }

func (v optional[T]) Scan(src any) error {
	var none T
	*v.text = none
	if s, ok := src.(string); ok {
		*v.text = T(s)
	}
	return nil
}
