package neo4j

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"time"

	"github.com/klauspost/compress/flate"

	"github.com/brainbridge/brainbridge/brain"
)

// packedKey names the property from which nodes of schemas 13 to 16 are read: all their
// fields, compressed.
const packedKey = "packed"

// dictionary is part of those schemas.
const dictionary = `tombstone supersedes promotedFrom expired archivedWorking archivedShortTerm superseded critical important reference ` +
	`"version":"content":"reason":"before":"after":"state":"name":"kind":"id":" ` +
	`longTerm core working shortTerm Crystallization Reminder Activity Outcome Learning learning note claude-code ` +
	`which would there their about because should before after when what will have been with from this that they were not for you can are was but the and `

// unpack sets fields to their packed values.
func unpack(packed []byte, fields []brain.Field) error {
	var plain bytes.Buffer
	if _, err := plain.ReadFrom(flate.NewReaderDict(bytes.NewReader(packed), []byte(dictionary))); err != nil {
		return err
	}
	d := decoder{bytes: plain.Bytes(), text: plain.String()}
	for _, f := range fields {
		d.field(f.At)
		if f.Name == "agent" {
			d.string() // who said it, in conversations that were imported
		}
	}
	if d.at != len(d.bytes) {
		return errEncoding
	}
	return d.err
}

// errEncoding is the error for bytes that are not packed fields.
var errEncoding = errors.New("unknown encoding")

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
