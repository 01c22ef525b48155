package neo4j

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

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

// encode writes fields one after the other, without their names.
func encode(b []byte, fields []brain.Field) []byte {
	for _, f := range fields {
		b = encodeField(b, f.At)
	}
	return b
}

func encodeField(b []byte, at any) []byte {
	switch v := at.(type) {
	case *string:
		return encodeText(b, *v)
	case *json.RawMessage:
		return encodeText(b, string(*v))
	case *[]string:
		b = binary.AppendUvarint(b, uint64(len(*v)))
		for _, s := range *v {
			b = encodeText(b, s)
		}
		return b
	case *bool:
		if *v {
			return append(b, 1)
		}
		return append(b, 0)
	case *int:
		return binary.AppendVarint(b, int64(*v))
	case *float64:
		return binary.BigEndian.AppendUint64(b, math.Float64bits(*v))
	case **float64:
		if *v == nil {
			return append(b, 0)
		}
		return encodeField(append(b, 1), *v)
	case *time.Time:
		if v.IsZero() {
			return append(b, 0)
		}
		return binary.AppendVarint(append(b, 1), v.UnixMilli())
	}
	return encodeText(b, reflect.ValueOf(at).Elem().String())
}

func encodeText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// errEncoding is the error for bytes that encode has not written.
var errEncoding = errors.New("unknown encoding")

// decode sets fields to what encode has written.
func decode(b []byte, fields []brain.Field) error {
	d := decoder{bytes: b, text: string(b)}
	for _, f := range fields {
		d.field(f.At)
	}
	if d.at != len(b) {
		return errEncoding
	}
	return d.err
}

// decoder reads bytes from a position on. All texts share one copy of them.
type decoder struct {
	bytes []byte
	text  string
	at    int
	err   error
}

func (d *decoder) field(at any) {
	switch v := at.(type) {
	case *string:
		*v = d.string()
	case *json.RawMessage:
		*v = nil
		if s := d.string(); s != "" {
			*v = json.RawMessage(s)
		}
	case *[]string:
		*v = nil
		for n := d.unsigned(); n > 0 && d.err == nil; n-- {
			*v = append(*v, d.string())
		}
	case *bool:
		*v = d.unsigned() != 0
	case *int:
		*v = int(d.signed())
	case *float64:
		*v = d.float()
	case **float64:
		*v = nil
		if d.unsigned() != 0 {
			f := d.float()
			*v = &f
		}
	case *time.Time:
		*v = time.Time{}
		if d.unsigned() != 0 {
			*v = time.UnixMilli(d.signed()).UTC()
		}
	default:
		reflect.ValueOf(at).Elem().SetString(d.string())
	}
}

func (d *decoder) string() string {
	n := d.unsigned()
	if n > uint64(len(d.bytes)-d.at) {
		d.err = errEncoding
		return ""
	}
	d.at += int(n)
	return d.text[d.at-int(n) : d.at]
}

func (d *decoder) float() float64 {
	if len(d.bytes)-d.at < 8 {
		d.err = errEncoding
		return 0
	}
	d.at += 8
	return math.Float64frombits(binary.BigEndian.Uint64(d.bytes[d.at-8:]))
}

func (d *decoder) unsigned() uint64 {
	n, size := binary.Uvarint(d.bytes[d.at:])
	d.move(size)
	return n
}

func (d *decoder) signed() int64 {
	n, size := binary.Varint(d.bytes[d.at:])
	d.move(size)
	return n
}

func (d *decoder) move(size int) {
	if size <= 0 {
		d.err, size = errEncoding, 0
	}
	d.at += size
}
