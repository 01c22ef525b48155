package sqlite

import (
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
)

// checksummed is the first format whose rows have checksums.
const checksummed = 24

// errChecksum is why a damaged row is left out.
var errChecksum = errors.New("its checksum does not fit: the file was damaged on the disk")

// castagnoli is the polynomial for which processors have an instruction.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksumOf returns the CRC-32C of the values of a row as they are read back, and of the
// number of its brain. buf is room for it, which may be used again.
func checksumOf(buf *[]byte, brainNo int64, fields []brain.Field) int64 {
	b := binary.AppendVarint((*buf)[:0], brainNo)
	for _, f := range fields {
		b = appendValue(b, f.At)
	}
	*buf = b
	return int64(crc32.Checksum(b, castagnoli))
}

func appendValue(b []byte, at any) []byte {
	switch p := at.(type) {
	case *string:
		return appendText(b, *p)
	case *time.Time:
		if p.IsZero() {
			return append(b, 0)
		}
		return binary.AppendVarint(append(b, 1), p.UnixMilli())
	case *int:
		return binary.AppendVarint(b, int64(*p))
	case *int64:
		return binary.AppendVarint(b, *p)
	case *bool:
		if *p {
			return append(b, 1)
		}
		return append(b, 0)
	case *float64:
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(*p+0)) // SQLite stores -0 as 0
	case **float64:
		if *p == nil || math.IsNaN(**p) { // which SQLite stores as NULL
			return append(b, 0)
		}
		return appendValue(append(b, 1), *p)
	case *json.RawMessage:
		return appendText(b, string(*p))
	case *[]string:
		b = binary.AppendUvarint(b, uint64(len(*p)))
		for _, s := range *p {
			if !utf8.ValidString(s) {
				s = string([]rune(s)) // as in JSON
			}
			b = appendText(b, s)
		}
		return b
	}
	return appendText(b, reflect.ValueOf(at).Elem().String())
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// checksum receives the checksum of a row whose other fields were scanned before it. Scan
// returns [errChecksum] if they do not fit.
type checksum struct {
	t      *tx
	fields []brain.Field
	buf    []byte
}

func (c *checksum) Scan(src any) error {
	if c.t.s.format >= checksummed && c.t.s.format <= schemaVersion && src != checksumOf(&c.buf, c.t.s.brain, c.fields) {
		return errChecksum
	}
	return nil
}

// id returns the id of the row, for a relation what [brain.UnreadableRelation] has.
func (c *checksum) id() string {
	var ends []string
	for _, f := range c.fields {
		text, is := f.At.(*string)
		if is && f.Name == "id" {
			return *text
		}
		if is {
			ends = append(ends, *text)
		}
	}
	return strings.Join(ends, " ")
}

// plainly returns the error of a row without what database/sql says of it.
func plainly(why error) error {
	if errors.Is(why, errChecksum) {
		return errChecksum
	}
	return errors.New(strings.TrimPrefix(why.Error(), "sql: Scan error on "))
}

// WhyUnreadable is that of [brain.Reader].
func (t *tx) WhyUnreadable(id string) (next string, why error) {
	return restoreHint + "; `brainbridge doctor` names all such records", t.unreadable[id]
}

// partial receives the checksum of a row of which too little is read to compare it. If the row
// cannot be decoded, it is left out like a damaged one.
type partial struct{ id *string }

func (partial) Scan(any) error { return nil }

// leaveOut reports whether a query goes on without a row that could not be scanned: one of a
// record. It notes why.
func (t *tx) leaveOut(columns []any, why error) bool {
	for _, c := range columns {
		switch c := c.(type) {
		case *checksum:
			t.keepWhy(c.id(), why)
			return true
		case partial:
			if c.id != nil {
				t.keepWhy(*c.id, why)
			}
			return true
		}
	}
	return false
}

func (t *tx) keepWhy(id string, why error) {
	if t.unreadable == nil {
		t.unreadable = map[string]error{}
	}
	t.unreadable[id] = plainly(why)
}

// giveWay removes the damaged rows that have a unique key of rows to be stored under other ids.
func (k table[T]) giveWay(t *tx, column string, keys, ids []string) error {
	keys = slices.DeleteFunc(keys, func(key string) bool { return key == "" })
	holders, err := byKeys(t, text, "SELECT m.id FROM json_each(?1) j CROSS JOIN "+k.name+" m ON m.brain = ?2 AND m."+column+
		" = j.value WHERE m.id NOT IN (SELECT value FROM json_each(?3))", keys, asJSON(ids))
	if err != nil || len(holders) == 0 {
		return err
	}
	_, err = k.find(t, k.byColumn("id"), holders)
	damaged := slices.DeleteFunc(holders, func(id string) bool { return t.unreadable[id] == nil })
	if err != nil || len(damaged) == 0 {
		return err
	}
	return t.DeleteNodes(damaged...)
}

// query runs a query. Rows of earlier formats have no checksum.
func (t *tx) query(query string, args ...any) (*sql.Rows, error) {
	if t.s.format < checksummed {
		query = strings.ReplaceAll(query, "m.checksum", "NULL")
	}
	return t.c.query(t.ctx, query, args...)
}
