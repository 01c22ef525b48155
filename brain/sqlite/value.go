package sqlite

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// The types below stand between a field and its column, both ways: the same
// list of them binds the parameters of an INSERT and takes the columns of a
// SELECT.

// instant keeps a time as Unix milliseconds, a zero time as NULL.
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

// millis is a time as a parameter.
func millis(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}

// list keeps strings as a JSON array, none of them as NULL.
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

// raw keeps JSON as it is, none as NULL.
type raw struct{ m *json.RawMessage }

func (v raw) Value() (driver.Value, error) {
	if len(*v.m) == 0 {
		return nil, nil
	}
	return string(*v.m), nil
}

func (v raw) Scan(src any) error {
	*v.m = nil
	if s, ok := src.(string); ok {
		*v.m = json.RawMessage(s)
	}
	return nil
}

// key keeps an empty text as NULL, which a unique index lets stand many times.
type key struct{ s *string }

func (v key) Value() (driver.Value, error) {
	if *v.s == "" {
		return nil, nil
	}
	return *v.s, nil
}

func (v key) Scan(src any) error {
	*v.s, _ = src.(string)
	return nil
}

// bound turns what a list of fields points at into what the driver takes.
// database/sql would do the same by reflection, for a tenth of the time of a
// write.
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
		}
	}
	return fields
}

// number keeps a float that may be missing.
type number struct{ f **float64 }

func (v number) Value() (driver.Value, error) {
	if *v.f == nil {
		return nil, nil
	}
	return **v.f, nil
}

func (v number) Scan(src any) error {
	*v.f = nil
	if f, ok := src.(float64); ok {
		*v.f = &f
	}
	return nil
}
