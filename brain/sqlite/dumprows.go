package sqlite

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// dump is a dump in progress.
type dump struct {
	t      *tx
	prefix string // of the names of the tables
	fn     func(brain.Page) error
	ended  error // the first error but damage
}

// nameOf names a node, a relation or a record.
func nameOf(v any) brain.Unreadable {
	switch v := v.(type) {
	case *brain.Memory:
		return brain.Unreadable{Kind: brain.MemoryNode, ID: v.ID}
	case *brain.Source:
		return brain.Unreadable{Kind: brain.SourceNode, ID: v.ID}
	case *brain.Section:
		return brain.Unreadable{Kind: brain.SectionNode, ID: v.ID}
	case *brain.Relation:
		return brain.UnreadableRelation(v)
	case *brain.Record:
		return brain.Unreadable{Kind: cmp.Or(string(v.Kind), brain.RecordNode), ID: v.ID}
	}
	return brain.Unreadable{}
}

// emit calls fn with the rows of a query that has an order, page by page, and then with the names
// of those that cannot be read. If the table is damaged, the rows behind the damage are read from
// its end.
func emit[T any](d *dump, k table[T], query string) {
	if d.ended != nil {
		return
	}
	var values []T
	var last brain.Unreadable
	var unreadable []brain.Unreadable
	keep := func(v T, err error) {
		if err == nil {
			values = append(values, v)
			return
		}
		u := nameOf(&v)
		u.Why = plainly(err).Error()
		unreadable = append(unreadable, u)
	}
	query = strings.Replace(query, " FROM ", " FROM "+d.prefix, 1)
	damage := scanAll(d.t, k, query, func(v T, err error) error {
		last = nameOf(&v)
		if keep(v, err); len(values) < brain.PageSize {
			return nil
		}
		full := values
		values = nil
		return d.call(brain.PageOf(full))
	})
	if d.ended == nil && !IsDamage(damage) {
		d.ended = damage
	} else if d.ended == nil {
		before := values
		values = nil
		_ = scanAll(d.t, k, backwards(query), func(v T, err error) error { // it ends at the damage, too
			if nameOf(&v) == last {
				return errBehind
			}
			keep(v, err)
			return nil
		})
		slices.Reverse(values)
		values = append(before, values...)
		none := nameOf(new(T))
		unreadable = append(unreadable, brain.Unreadable{Kind: none.Kind, Why: damage.Error()})
		d.ended = d.t.ctx.Err()
	}
	for some := range slices.Chunk(values, brain.PageSize) {
		_ = d.call(brain.PageOf(some))
	}
	if len(unreadable) > 0 {
		_ = d.call(brain.Page{Unreadable: unreadable})
	}
}

// call calls fn, unless the dump has ended.
func (d *dump) call(p brain.Page) error {
	if d.ended == nil {
		d.ended = d.fn(p)
	}
	return d.ended
}

// errBehind ends a scan that has reached what was read before.
var errBehind = errors.New("the rest has been read")

// scanAll calls each with the rows of a query, whose first columns go to before. For a row that
// cannot be decoded, the error is not nil and the fields behind the one at fault are empty.
func scanAll[T any](t *tx, k table[T], query string, each func(v T, err error) error, before ...any) error {
	found, err := t.query(query, t.s.brain)
	if err != nil {
		return t.fail(err)
	}
	defer func() { _ = found.Close() }()
	var v, none T
	fields := k.fields(&v)
	columns := before
	for _, to := range destinations(fields) {
		if c, ok := to.(column); ok {
			to = strict{c}
		}
		columns = append(columns, to)
	}
	columns = append(columns, &checksum{t: t, fields: fields})
	for found.Next() {
		v = none
		err := found.Scan(columns...)
		if err == nil {
			err = brain.CheckFields(fields)
		}
		if err := each(v, err); err != nil {
			return err
		}
	}
	return t.fail(found.Err())
}

// strict is a column for which a value of a wrong type is an error.
type strict struct{ column }

func (c strict) Scan(src any) error {
	_, forTime := c.at.(*time.Time)
	_, isNumber := src.(int64)
	_, isText := src.(string)
	if src != nil && (forTime && !isNumber || !forTime && !isText) {
		return fmt.Errorf("%T cannot be read", src)
	}
	return c.column.Scan(src)
}

// backwards returns a query with the opposite order.
func backwards(query string) string {
	rows, order, _ := strings.Cut(query, " ORDER BY ")
	return rows + " ORDER BY " + strings.ReplaceAll(order, ", ", " DESC, ") + " DESC"
}
