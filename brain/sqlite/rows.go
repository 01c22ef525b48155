package sqlite

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/brainbridge/brainbridge/brain"
)

// table is a table of the schema whose rows hold values of type T.
type table[T any] struct {
	name     string
	fields   func(*T) []brain.Field
	columns  []string // of the fields
	selected string   // the same of the table with the alias m, and the checksum
}

func newTable[T any](name string, fields func(*T) []brain.Field) table[T] {
	var none T
	columns := columnsOf(fields(&none))
	return table[T]{name, fields, columns, "m." + strings.Join(columns, ", m.") + ", m.checksum"}
}

// columnsOf returns the columns of fields, which are named like them: content_hash
// for contentHash.
func columnsOf(fields []brain.Field) []string {
	columns := make([]string, len(fields))
	for i, f := range fields {
		var name strings.Builder
		for _, c := range f.Name {
			if unicode.IsUpper(c) {
				name.WriteByte('_')
			}
			name.WriteRune(unicode.ToLower(c))
		}
		columns[i] = `"` + name.String() + `"`
	}
	return columns
}

// dest returns the scan targets of the selected columns. The last one compares the checksum.
func (k table[T]) dest(t *tx) func(*T) []any {
	return func(v *T) []any {
		fields := k.fields(v)
		return append(destinations(fields), &checksum{t: t, fields: fields})
	}
}

// values returns the values of the columns of a row, and its checksum.
func (k table[T]) values(t *tx, v *T) []any {
	fields := k.fields(v)
	return append(bound(fields), checksumOf(&t.buf, t.s.brain, fields))
}

// upsert returns an INSERT of the brain, more columns, those of the fields and the checksum, which
// overwrites a row with the same identifying columns.
func (k table[T]) upsert(identity string, more ...string) string {
	columns := slices.Concat(more, k.columns, []string{"checksum"})
	set := brain.Map(columns, func(c string) string { return c + " = excluded." + c })
	return fmt.Sprintf("INSERT INTO %s (brain, %s) VALUES (?%s) ON CONFLICT (%s) DO UPDATE SET %s",
		k.name, strings.Join(columns, ", "), strings.Repeat(", ?", len(columns)), identity, strings.Join(set, ", "))
}

// byColumn returns a query for the rows with these values in a column, in the order
// of the values. CROSS JOIN keeps that order.
func (k table[T]) byColumn(column string) string {
	return "SELECT " + k.selected + " FROM json_each(?1) j CROSS JOIN " + k.name +
		" m ON m.brain = ?2 AND m." + column + " = j.value"
}

// find returns the rows that a query finds for these keys, see [byKeys].
func (k table[T]) find(t *tx, query string, keys []string, more ...any) ([]T, error) {
	return byKeys(t, k.dest(t), query, keys, more...)
}

// byFile returns a query for the rows of files of a notes directory, by file and
// line. source_file has no rows without a file, so the condition on the file is
// needed to use it.
func (k table[T]) byFile() string {
	return `SELECT ` + k.selected + ` FROM json_each(?1) j
		CROSS JOIN ` + k.name + ` m ON m.brain = ?2 AND m.dir = ?3 AND m.file <> '' AND m.file = j.value
		ORDER BY m.file, m.line, m.id`
}

func (k table[T]) put(t *tx, upsert string, values []T) error {
	for i := range values {
		t.exec(upsert, append([]any{t.s.brain}, k.values(t, &values[i])...)...)
	}
	return t.changes.failed
}

// everything returns a query for all rows of the brain in the order in which
// they were first stored. That is the order of the table itself: NOT INDEXED
// keeps SQLite from reading an index and sorting.
func (k table[T]) everything() string {
	return "SELECT " + k.selected + " FROM " + k.name + " m NOT INDEXED WHERE m.brain = ?1 ORDER BY m.seq"
}

// collect runs a query and returns its rows; dest says where the columns of a
// row go.
func collect[T any](t *tx, dest func(*T) []any, query string, args ...any) (all []T, err error) {
	err = scan(t, dest, query, args, func(v T) error {
		all = append(all, v)
		return nil
	})
	return all, err
}

// byKeys is collect for a query with a list of keys as ?1, the brain as ?2 and more
// after them. Without keys nothing is found.
func byKeys[T any](t *tx, dest func(*T) []any, query string, keys []string, more ...any) ([]T, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	return collect(t, dest, query, append([]any{asJSON(keys), t.s.brain}, more...)...)
}

// scan calls each with the rows of a query; an error of each ends it and is returned
// unchanged. Rows of records that are damaged are left out. It checks the context between rows, too:
// there may be many keys.
func scan[T any](t *tx, dest func(*T) []any, query string, args []any, each func(T) error) error {
	if err := t.ctx.Err(); err != nil {
		return t.fail(err)
	}
	found, err := t.query(query, args...)
	if err != nil {
		return t.fail(err)
	}
	defer func() { _ = found.Close() }()
	var v, none T
	columns := dest(&v)
	for found.Next() {
		v = none
		if err := t.ctx.Err(); err != nil {
			return t.fail(err)
		}
		if err := found.Scan(columns...); err != nil {
			if t.leaveOut(columns, err) {
				continue
			}
			return t.fail(err)
		}
		if err := each(v); err != nil {
			return err
		}
	}
	return t.fail(found.Err())
}

// text is the destination of a query with one column.
func text(s *string) []any { return []any{s} }

// asJSON returns a list for json_each, each value once, so that one statement
// serves any number of values.
func asJSON[T comparable](list []T) string {
	return distinctJSON(brain.Unique(list))
}

// distinctJSON is asJSON for values that are distinct already.
func distinctJSON[T comparable](list []T) string {
	b, err := json.Marshal(list)
	if err != nil {
		panic(fmt.Sprintf("encode a list of plain values: %v", err))
	}
	return string(b)
}
