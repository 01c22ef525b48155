package neo4j

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
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
	plain, err := io.ReadAll(flate.NewReaderDict(bytes.NewReader(packed), []byte(dictionary)))
	d := decoder{bytes.NewReader(plain), err}
	for i, f := range fields {
		switch {
		case f.Name == "promotedFrom" && i == len(fields)-1: // it came before retention
			continue
		case f.Name == "retention":
			d.field(fields[len(fields)-1].At)
		}
		d.field(f.At)
		if f.Name == "agent" || f.Name == "extra" {
			d.string() // who said it, in conversations that were imported; the first id of a memory
		}
	}
	if d.err == nil && d.Len() > 0 {
		d.err = errors.New("unknown encoding")
	}
	return d.err
}

// decoder reads packed values. After an error they are zero or wrong.
type decoder struct {
	*bytes.Reader
	err error
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
	text := make([]byte, min(d.unsigned(), uint64(d.Len())+1)) // one more cannot be read
	_, err := io.ReadFull(d, text)
	d.err = cmp.Or(d.err, err)
	return string(text)
}

func (d *decoder) float() (f float64) {
	d.err = cmp.Or(d.err, binary.Read(d, binary.BigEndian, &f))
	return f
}

func (d *decoder) unsigned() uint64 {
	n, err := binary.ReadUvarint(d)
	d.err = cmp.Or(d.err, err)
	return n
}

func (d *decoder) signed() int64 {
	n, err := binary.ReadVarint(d)
	d.err = cmp.Or(d.err, err)
	return n
}
