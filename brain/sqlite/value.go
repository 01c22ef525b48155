package sqlite

import (
	"encoding/json"
	"reflect"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// bound returns the values of fields as the driver takes them. The zero time, an empty list,
// JSON document or unique key is NULL: a unique index allows many of those.
func bound(fields []brain.Field) []any {
	return brain.Map(fields, func(f brain.Field) any { return boundValue(f.At) })
}

func boundValue(at any) any {
	switch p := at.(type) {
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
	return reflect.ValueOf(at).Elem().Interface()
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func millis(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}

// destinations returns what receives the columns of fields.
func destinations(fields []brain.Field) []any {
	return brain.Map(fields, func(f brain.Field) any {
		switch f.At.(type) {
		case *time.Time, *[]string, *json.RawMessage, *brain.UniqueKey:
			return column{f.At}
		}
		return f.At
	})
}

// column scans a time, a JSON array of texts or a text that may be NULL.
type column struct{ at any }

func (c column) Scan(src any) error {
	text, _ := src.(string)
	switch p := c.at.(type) {
	case *time.Time:
		*p = time.Time{}
		if ms, ok := src.(int64); ok {
			*p = time.UnixMilli(ms).UTC()
		}
	case *json.RawMessage:
		*p = nil
		if text != "" {
			*p = json.RawMessage(text)
		}
	case *brain.UniqueKey:
		*p = brain.UniqueKey(text)
	case *[]string:
		*p = nil
		if text != "" {
			return json.Unmarshal([]byte(text), p)
		}
	}
	return nil
}
