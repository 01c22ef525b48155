package storetest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

func recordCases() []testCase {
	return append(nodeCases(kind[brain.Record]{
		full: func(id string) brain.Record {
			r := Record(brain.ActionRecord, "owner", "key", Hours(1))
			r.ID = id
			return r
		},
		bare: func(id string) brain.Record { return brain.Record{Kind: brain.ActionRecord, ID: id, At: Start} },
		put:  brain.Tx.PutRecords,
		read: func(r brain.Reader, ids ...string) ([]brain.Record, error) {
			return r.Records(brain.ActionRecord, ids...)
		},
		remove: func(tx brain.Tx, ids ...string) error { return tx.DeleteRecords(brain.ActionRecord, ids...) },
	}),
		testCase{"bodies of every kind come back", recordBodies},
		testCase{"kinds do not see each other", recordKinds},
		testCase{"records of owners and keys come by instant and id", recordsOwned},
		testCase{"the latest come by instant and id downwards", recordsLatest},
	)
}

func ownedBy(b *db, kind brain.RecordKind, owners ...string) []brain.Record {
	b.t.Helper()
	return view(b, func(r brain.Reader) ([]brain.Record, error) {
		return r.ListRecords(kind, brain.RecordFilter{By: brain.ByOwner, Keys: owners})
	})
}

func keyedBy(b *db, kind brain.RecordKind, keys ...string) []brain.Record {
	b.t.Helper()
	return view(b, func(r brain.Reader) ([]brain.Record, error) {
		return r.ListRecords(kind, brain.RecordFilter{By: brain.ByKey, Keys: keys})
	})
}

func latest(b *db, kind brain.RecordKind, before time.Time, limit int) []brain.Record {
	b.t.Helper()
	return view(b, func(r brain.Reader) ([]brain.Record, error) {
		return r.ListRecords(kind, brain.RecordFilter{Before: before, Limit: limit})
	})
}

func recordBodies(t *testing.T, b *db) {
	for i, kind := range brain.RecordKinds() {
		want := []brain.Record{Record(kind, "owner", "key", Start), Record(kind, "", "", Hours(1)), {Kind: kind, ID: "bare", At: Start}}
		want[1].Body = json.RawMessage(`{}`)
		if i == 0 {
			want[0].Body = json.RawMessage(`{"text":"` + strings.Repeat("0123456789", 50_000) + `"}`)
		}
		b.putRecords(want...)
		same(t, string(kind), want, b.records(kind, recordIDs(want)...))
	}
}

func recordKinds(t *testing.T, b *db) {
	run, use := Record(brain.RunRecord, "o", "k", Start), Record(brain.UseEventRecord, "o", "k", Start)
	use.ID, use.Body = run.ID, json.RawMessage(`{"is":"use"}`)
	b.putRecords(run, use)
	for _, want := range []brain.Record{run, use} {
		same(t, "by id", []brain.Record{want}, b.records(want.Kind, run.ID))
		same(t, "by owner", []brain.Record{want}, ownedBy(b, want.Kind, "o"))
		same(t, "by key", []brain.Record{want}, keyedBy(b, want.Kind, "k"))
		same(t, "latest", []brain.Record{want}, latest(b, want.Kind, time.Time{}, 9))
	}
	b.update(func(tx brain.Tx) error { return tx.DeleteRecords(brain.RunRecord, run.ID) })
	same(t, "the other kind", []brain.Record{use}, b.records(use.Kind, use.ID))
}

// ties are twelve records of four instants and two owners and keys, by instant and id.
func ties() []brain.Record {
	var rs []brain.Record
	for i := range 12 {
		name := string("ab"[i%2])
		rs = append(rs, Record(brain.ActionRecord, "owner "+name, "key "+name, Hours(float64(i*5%4))))
	}
	slices.SortFunc(rs, func(a, b brain.Record) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	return rs
}

func recordsOwned(t *testing.T, b *db) {
	rs := ties()
	reversed := slices.Clone(rs)
	slices.Reverse(reversed)
	b.putRecords(reversed...)
	many := make([]string, 3000)
	for i := range many {
		many[i] = fmt.Sprint("missing ", i)
	}
	ofA := slices.DeleteFunc(slices.Clone(rs), func(r brain.Record) bool { return r.Owner != "owner a" })
	for name, read := range map[string]func(*db, brain.RecordKind, ...string) []brain.Record{"owner": ownedBy, "key": keyedBy} {
		same(t, "of one "+name, ofA, read(b, brain.ActionRecord, append(many, name+" a")...))
		both := read(b, brain.ActionRecord, name+" b", name+" a")
		same(t, "how many of both", 12, len(both))
		same(t, "of one of both", ofA, slices.DeleteFunc(both, func(r brain.Record) bool { return r.Owner != "owner a" }))
		same(t, "of none", 0, len(read(b, brain.ActionRecord)))
	}
	moved := ofA[0]
	moved.Owner, moved.Key = "new", ""
	b.putRecords(moved)
	same(t, "of the old owner", ofA[1:], ownedBy(b, brain.ActionRecord, "owner a"))
	same(t, "of the old key", ofA[1:], keyedBy(b, brain.ActionRecord, "key a"))
}

func recordsLatest(t *testing.T, b *db) {
	rs := ties()
	b.putRecords(rs...)
	slices.Reverse(rs)
	read := func(before time.Time, limit int) []brain.Record {
		return latest(b, brain.ActionRecord, before, limit)
	}
	same(t, "all", rs, read(time.Time{}, 100))
	same(t, "the latest five", rs[:5], read(time.Time{}, 5))
	same(t, "before an instant", rs[6:], read(Hours(2), 100))
	same(t, "two before an instant", rs[6:8], read(Hours(2), 2))
	same(t, "a millisecond later", 9, len(read(Hours(2).Add(time.Millisecond), 100)))
	same(t, "before the first", 0, len(read(Hours(0), 100)))
}
