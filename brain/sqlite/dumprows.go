package sqlite

import (
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

// dumpPart is a part of a dump: the rows of one table.
type dumpPart[T any] struct {
	fields func(*T) []brain.Field
	query  string // in the order in which they are emitted
	name   func(*T) brain.Unreadable
	page   func([]T) brain.Page
}

// emit calls fn with the rows, page by page, and then with the names of those that cannot be
// read. If the table is damaged, the rows behind the damage are read from its end.
func (p dumpPart[T]) emit(d *dump) {
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
		u := p.name(&v)
		u.Why = plainly(err).Error()
		unreadable = append(unreadable, u)
	}
	query := strings.Replace(p.query, " FROM ", " FROM "+d.prefix, 1)
	damage := p.scan(d.t, query, func(v T, err error) error {
		last = p.name(&v)
		if keep(v, err); len(values) < brain.PageSize {
			return nil
		}
		full := values
		values = nil
		return d.call(p.page(full))
	})
	if d.ended == nil && !IsDamage(damage) {
		d.ended = damage
	} else if d.ended == nil {
		before := values
		values = nil
		_ = p.scan(d.t, backwards(query), func(v T, err error) error { // it ends at the damage, too
			if p.name(&v) == last {
				return errBehind
			}
			keep(v, err)
			return nil
		})
		slices.Reverse(values)
		values = append(before, values...)
		none := p.name(new(T))
		unreadable = append(unreadable, brain.Unreadable{Kind: none.Kind, Why: damage.Error()})
		d.ended = d.t.ctx.Err()
	}
	for some := range slices.Chunk(values, brain.PageSize) {
		_ = d.call(p.page(some))
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

// scan calls each with the rows of a query. For a row that cannot be decoded, the error is not
// nil and the fields behind the one at fault are empty.
func (p dumpPart[T]) scan(t *tx, query string, each func(v T, err error) error) error {
	found, err := t.query(query, t.s.brain)
	if err != nil {
		return t.fail(err)
	}
	defer func() { _ = found.Close() }()
	var v, none T
	fields := p.fields(&v)
	columns := brain.Map(destinations(fields), func(to any) any {
		if c, ok := to.(column); ok {
			return strict{c}
		}
		return to
	})
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
