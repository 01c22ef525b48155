package sqlite

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// The types below convert between a field and its column, both ways: the same
// list of fields binds the parameters of an INSERT and receives the columns of
// a SELECT.

// instant stores a time as Unix milliseconds, the zero time as NULL.
type instant struct{ t *time.Time }

func (v instant) Value() (driver.Value, error) { return millis(*v.t), nil }

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

// millis returns a time as a parameter.
func millis(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}

// list stores strings as a JSON array, an empty list as NULL.
type list struct{ l *[]string }

func (v list) Value() (driver.Value, error) {
	if len(*v.l) == 0 {
		return nil, nil
	}
	b, err := json.Marshal(*v.l)
	return string(b), err
}

func (v list) Scan(src any) error {
	*v.l = nil
	if s, ok := src.(string); ok {
		return json.Unmarshal([]byte(s), v.l)
	}
	return nil
}

// optional stores an empty text as NULL: a unique index allows many of those.
type optional[T string | json.RawMessage] struct{ text *T }

func (v optional[T]) Value() (driver.Value, error) {
	if len(*v.text) == 0 {
		return nil, nil
	}
	return string(*v.text), nil
}

func (v optional[T]) Scan(src any) error {
	var none T
	*v.text = none
	if s, ok := src.(string); ok {
		*v.text = T(s)
	}
	return nil
}

// key and raw are an optional text and an optional JSON document.
type (
	key = optional[string]
	raw = optional[json.RawMessage]
)

// bound replaces pointers to fields with the values that the driver takes, in
// place. database/sql would do so by reflection, which takes a tenth of the
// time of a write.
func bound(fields []any) []any {
	for i, f := range fields {
		switch p := f.(type) {
		case *string:
			fields[i] = *p
		case *int:
			fields[i] = int64(*p)
		case *float64:
			fields[i] = *p
		case *bool:
			fields[i] = *p
		case *tiers.Tier:
			fields[i] = string(*p)
		case *brain.Importance:
			fields[i] = string(*p)
		case *brain.RecordKind:
			fields[i] = string(*p)
		case instant:
			fields[i] = millis(*p.t)
		case key:
			fields[i], _ = p.Value() // never fails
		}
	}
	return fields
}
