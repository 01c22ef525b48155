package neo4j

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/flate"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
)

// packedKey names the property that a node is read from: all its fields, compressed. Its
// value is always one that was written, see the package comment.
const packedKey = "packed"

// dictionary makes short texts smaller. It is part of the format: changing it
// changes the schema.
const dictionary = `tombstone supersedes promotedFrom expired archivedWorking archivedShortTerm superseded critical important reference ` +
	`"version":"content":"reason":"before":"after":"state":"name":"kind":"id":" ` +
	`longTerm core working shortTerm Crystallization Reminder Activity Outcome Learning learning note claude-code ` +
	`which would there their about because should before after when what will have been with from this that they were not for you can are was but the and `

// kind is a kind of node with values of type T.
type kind[T any] struct {
	label  string
	id     func(*T) string
	fields func(*T) []brain.Field
}

// pack returns the packed form of fields.
func pack(fields []brain.Field) ([]byte, error) {
	var packed bytes.Buffer
	err := flate.StatelessDeflate(&packed, encode(nil, fields), true, []byte(dictionary))
	return packed.Bytes(), err
}

// packedProps returns the properties of fields with their packed form.
func packedProps(fields []brain.Field) (p props, err error) {
	p = propertiesOf(fields)
	p[packedKey], err = pack(fields)
	return p, err
}

// unpacker reads the results of pack. It reuses its buffers.
type unpacker struct {
	inflater io.ReadCloser
	buffer   bytes.Buffer
}

func (u *unpacker) unpack(packed []byte, fields []brain.Field) error {
	source := bytes.NewReader(packed)
	if resetter, ok := u.inflater.(flate.Resetter); !ok {
		u.inflater = flate.NewReaderDict(source, []byte(dictionary))
	} else if err := resetter.Reset(source, []byte(dictionary)); err != nil {
		return err
	}
	u.buffer.Reset()
	if _, err := u.buffer.ReadFrom(u.inflater); err != nil {
		return err
	}
	return decode(u.buffer.Bytes(), fields)
}

// tries is the number of times a query is sent until its rows are accepted.
const tries = 10

// read sends a query for reading, a few times if its rows are not ok: a node that
// another transaction is creating, deleting or moving in an index may come without
// its properties, twice, or in its former place. An error of accept is that of a node that
// cannot be unpacked.
func (t *tx) read(cypher string, params map[string]any, accept func([]*driver.Record) (ok bool, err error)) ([]*driver.Record, error) {
	for try := 1; ; try++ {
		rows, err := t.query(cypher, params)
		if err != nil {
			return nil, err
		}
		ok, err := accept(rows)
		if ok || err != nil || try == tries {
			return rows, brain.Wrap(err, "neo4j at %s: cannot read the property %s of a node", t.store.uri, packedKey)
		}
		pause(t.ctx, backOff(try))
	}
}

// named returns a check for [tx.read] that every row has ids in these columns. A
// node without an id is being deleted.
func named(columns ...int) func([]*driver.Record) (bool, error) {
	return func(rows []*driver.Record) (bool, error) {
		for _, r := range rows {
			for _, c := range columns {
				if value[string](r, c) == "" {
					return false, nil
				}
			}
		}
		return true, nil
	}
}

// found is a value with the rest of its row.
type found[T any] struct {
	value T
	row   []any
}

// fetchRows runs a query whose rows begin with packed values. key names each value,
// by which duplicates are left out; it is "" for a value that is not the one that the
// query should find. After such a value, or a row without one, the query is sent
// again.
func fetchRows[T any](t *tx, k kind[T], cypher string, params map[string]any, key func(*T, []any) string) (all []found[T], err error) {
	_, err = t.read(cypher, params, func(rows []*driver.Record) (bool, error) {
		all = make([]found[T], 0, len(rows))
		seen := make(map[string]bool, len(rows))
		for _, r := range rows {
			packed, ok := r.Values[0].([]byte)
			if !ok {
				continue
			}
			f := found[T]{row: r.Values[1:]}
			if err := t.unpacker.unpack(packed, k.fields(&f.value)); err != nil {
				return false, err
			}
			if name := key(&f.value, f.row); name != "" && !seen[name] {
				seen[name] = true
				all = append(all, f)
			}
		}
		return len(all) == len(rows), nil
	})
	return all, err
}

// fetch is fetchRows for the values alone.
func fetch[T any](t *tx, k kind[T], cypher string, params map[string]any, key func(*T, []any) string) ([]T, error) {
	rows, err := fetchRows(t, k, cypher, params, key)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return valuesOf(rows), nil
}

func valuesOf[T any](rows []found[T]) []T {
	return brain.Map(rows, func(r found[T]) T { return r.value })
}

// anyRow is a key for [fetch] that accepts every row.
func (k kind[T]) anyRow(v *T, _ []any) string { return k.id(v) }
