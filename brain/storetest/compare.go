package storetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// same fails the test unless got is want. Nil and empty slices are the same,
// and so is JSON that differs in blanks and in the order of keys only.
func same(t testing.TB, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got, equal()); diff != "" {
		t.Errorf("%s (- want, + got):\n%s", what, diff)
	}
}

func equal() cmp.Option {
	anyJSON := func(x, y json.RawMessage) bool { return len(x) > 0 || len(y) > 0 }
	return cmp.Options{cmpopts.EquateEmpty(), cmp.FilterValues(anyJSON, cmp.Comparer(sameJSON))}
}

// works fails the test when err is one.
func works(t testing.TB, what string, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

// fails fails the test unless err is want.
func fails(t testing.TB, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: error is %v, want %v", what, err, want)
	}
}

func sameJSON(x, y json.RawMessage) bool {
	a, errA := decodeJSON(x)
	b, errB := decodeJSON(y)
	return errA == nil && errB == nil && reflect.DeepEqual(a, b)
}

func decodeJSON(raw json.RawMessage) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// allSet fails the test when a field of the struct v is zero: a field that is
// added to the domain has to be added to the fixture too.
func allSet(t testing.TB, v any, except ...string) {
	t.Helper()
	rv := reflect.ValueOf(v)
	for i := range rv.NumField() {
		f := rv.Type().Field(i)
		if f.Anonymous {
			allSet(t, rv.Field(i).Interface(), except...)
		} else if rv.Field(i).IsZero() && !slices.Contains(except, f.Name) {
			t.Fatalf("the fixture leaves %s.%s empty", rv.Type().Name(), f.Name)
		}
	}
}

// utc fails the test when a time in the struct v is in another zone.
func utc(t testing.TB, v any) {
	t.Helper()
	rv := reflect.ValueOf(v)
	for i := range rv.NumField() {
		f := rv.Type().Field(i)
		if f.Anonymous {
			utc(t, rv.Field(i).Interface())
		} else if at, ok := rv.Field(i).Interface().(time.Time); ok && at.Location() != time.UTC {
			t.Errorf("%s.%s is in %v, want UTC", rv.Type().Name(), f.Name, at.Location())
		}
	}
}

func sourceIDs(ss []brain.Source) []string {
	return brain.Map(ss, func(s brain.Source) string { return s.ID })
}

func sectionIDs(ss []brain.Section) []string {
	return brain.Map(ss, func(s brain.Section) string { return s.ID })
}

func recordIDs(rs []brain.Record) []string {
	return brain.Map(rs, func(r brain.Record) string { return r.ID })
}

// idOf returns the id of what a read returns.
func idOf(v any) string {
	switch v := v.(type) {
	case brain.Memory:
		return v.ID
	case brain.Source:
		return v.ID
	case brain.Section:
		return v.ID
	case brain.Record:
		return v.ID
	case lifecycle.Due:
		return v.ID
	case brain.Hit:
		return v.ID
	}
	return fmt.Sprint(v) // a relation, or an id
}

func hitIDs(hs []brain.Hit) []string {
	return brain.Map(hs, func(h brain.Hit) string { return h.ID })
}

// sorted returns the ids in ascending order.
func sorted(ids ...string) []string {
	return slices.Sorted(slices.Values(ids))
}
