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
	return []testCase{
		{"every field of every kind comes back", recordRoundTrip},
		{"ids give their order and missing ones are left out", recordOrder},
		{"kinds do not see each other", recordKinds},
		{"storing again replaces the whole record", recordUpsert},
		{"deleting removes that record alone", recordDelete},
		{"records of an owner come by instant and id", recordsByOwner},
		{"records of a key come by instant and id", recordsByKey},
		{"the latest come by instant and id downwards", recordsLatest},
		{"many records at once", recordsMany},
	}
}

func ownedBy(b *db, kind brain.RecordKind, owners ...string) []brain.Record {
	b.t.Helper()
	return view(b, func(r brain.Reader) ([]brain.Record, error) { return r.RecordsByOwner(kind, owners...) })
}

func keyedBy(b *db, kind brain.RecordKind, keys ...string) []brain.Record {
	b.t.Helper()
	return view(b, func(r brain.Reader) ([]brain.Record, error) { return r.RecordsByKey(kind, keys...) })
}

func latest(b *db, kind brain.RecordKind, before time.Time, limit int) []brain.Record {
	b.t.Helper()
	return view(b, func(r brain.Reader) ([]brain.Record, error) { return r.LatestRecords(kind, before, limit) })
}

func recordRoundTrip(t *testing.T, h harness) {
	b := h.brain(t)
	for _, kind := range brain.RecordKinds() {
		full := Record(kind, "owner", "key", Hours(1))
		allSet(t, full)
		bare := brain.Record{Kind: kind, ID: "bare", At: Start}
		large := Record(kind, "", "", Start)
		large.Body = json.RawMessage(`{"text":"` + strings.Repeat("0123456789", 50_000) + `"}`)
		empty := Record(kind, "", "", Start)
		empty.Body = json.RawMessage(`{}`)
		want := []brain.Record{full, bare, large, empty}
		b.putRecords(want...)
		got := b.records(kind, recordIDs(want)...)
		same(t, string(kind), want[:2], got[:2])
		if len(got) != 4 || !sameJSON(large.Body, got[2].Body) || !sameJSON(empty.Body, got[3].Body) {
			t.Errorf("%s: a large or an empty body changed", kind)
		}
		utc(t, got[0])
	}
}

func recordOrder(t *testing.T, h harness) {
	b := h.brain(t)
	rs := manyRecords(4)
	b.putRecords(rs...)
	got := b.records(brain.ActionRecord, rs[3].ID, "missing", rs[0].ID, rs[2].ID)
	same(t, "ids", []string{rs[3].ID, rs[0].ID, rs[2].ID}, recordIDs(got))
}

func manyRecords(n int) []brain.Record {
	rs := make([]brain.Record, n)
	for i := range rs {
		rs[i] = Record(brain.ActionRecord, "o", "k", Hours(float64(i)))
	}
	return rs
}

func recordKinds(t *testing.T, h harness) {
	b := h.brain(t)
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

func recordUpsert(t *testing.T, h harness) {
	b := h.brain(t)
	r := Record(brain.NoteFileRecord, "old owner", "old key", Start)
	b.putRecords(r)
	r.Owner, r.Key, r.At, r.Body = "new owner", "", Hours(5), json.RawMessage(`{"only":"this"}`)
	b.putRecords(r)
	same(t, "record", []brain.Record{r}, b.records(r.Kind, r.ID))
	same(t, "records of the old owner", 0, len(ownedBy(b, r.Kind, "old owner")))
	same(t, "records of the old key", 0, len(keyedBy(b, r.Kind, "old key")))
}

func recordDelete(t *testing.T, h harness) {
	b := h.brain(t)
	rs := manyRecords(3)
	b.putRecords(rs...)
	b.update(func(tx brain.Tx) error {
		return tx.DeleteRecords(brain.ActionRecord, rs[1].ID, "missing")
	})
	same(t, "records", []brain.Record{rs[0], rs[2]}, ownedBy(b, brain.ActionRecord, "o"))
}

// ties are twelve records of four instants and two owners and keys, in no order.
func ties() []brain.Record {
	var rs []brain.Record
	for i := range 12 {
		name := string("ab"[i%2])
		rs = append(rs, Record(brain.ActionRecord, "owner "+name, "key "+name, Hours(float64(i*5%4))))
	}
	return rs
}

func byInstant(a, b brain.Record) int {
	return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID))
}

func where(rs []brain.Record, keep func(brain.Record) bool) []string {
	kept := slices.DeleteFunc(slices.Clone(rs), func(r brain.Record) bool { return !keep(r) })
	slices.SortFunc(kept, byInstant)
	return recordIDs(kept)
}

func recordsByOwner(t *testing.T, h harness) {
	b := h.brain(t)
	rs := ties()
	b.putRecords(rs...)
	a := where(rs, func(r brain.Record) bool { return r.Owner == "owner a" })
	same(t, "one owner", a, recordIDs(ownedBy(b, brain.ActionRecord, "owner a")))
	both := ownedBy(b, brain.ActionRecord, "owner b", "missing", "owner a")
	same(t, "how many of both owners", 12, len(both))
	ofA := slices.DeleteFunc(both, func(r brain.Record) bool { return r.Owner != "owner a" })
	same(t, "one of two owners", a, recordIDs(ofA))
	same(t, "no owners", 0, len(ownedBy(b, brain.ActionRecord)))
}

func recordsByKey(t *testing.T, h harness) {
	b := h.brain(t)
	rs := ties()
	b.putRecords(rs...)
	want := where(rs, func(r brain.Record) bool { return r.Key == "key b" })
	same(t, "one key", want, recordIDs(keyedBy(b, brain.ActionRecord, "missing", "key b")))
	same(t, "how many of both keys", 12, len(keyedBy(b, brain.ActionRecord, "key a", "key b")))
	same(t, "no keys", 0, len(keyedBy(b, brain.ActionRecord)))
}

func recordsLatest(t *testing.T, h harness) {
	b := h.brain(t)
	rs := ties()
	b.putRecords(rs...)
	read := func(before time.Time, limit int) []string {
		return recordIDs(latest(b, brain.ActionRecord, before, limit))
	}
	all := where(rs, func(brain.Record) bool { return true })
	slices.Reverse(all)
	same(t, "all", all, read(time.Time{}, 100))
	same(t, "the latest five", all[:5], read(time.Time{}, 5))
	earlier := where(rs, func(r brain.Record) bool { return r.At.Before(Hours(2)) })
	slices.Reverse(earlier)
	same(t, "before an instant", earlier, read(Hours(2), 100))
	same(t, "two before an instant", earlier[:2], read(Hours(2), 2))
	same(t, "a millisecond later", len(earlier)+3, len(read(Hours(2).Add(time.Millisecond), 100)))
	same(t, "before the first", 0, len(read(Hours(0), 100)))
}

func recordsMany(t *testing.T, h harness) {
	b := h.brain(t)
	rs := manyRecords(1500)
	ids := recordIDs(rs)
	for i := range rs {
		rs[i].Owner, rs[i].Key = fmt.Sprint("owner ", i), fmt.Sprint("key ", i)
	}
	b.putRecords(rs...)
	owners, keys := make([]string, 5000), make([]string, 5000)
	for i := range owners {
		owners[i], keys[i] = fmt.Sprint("owner ", i), fmt.Sprint("key ", i)
	}
	same(t, "by id", ids, recordIDs(b.records(brain.ActionRecord, ids...)))
	same(t, "by owner", ids, recordIDs(ownedBy(b, brain.ActionRecord, owners...)))
	same(t, "by key", ids, recordIDs(keyedBy(b, brain.ActionRecord, keys...)))
	b.update(func(tx brain.Tx) error { return tx.DeleteRecords(brain.ActionRecord, ids...) })
	same(t, "records after deleting all", 0, len(b.records(brain.ActionRecord, ids...)))
}
