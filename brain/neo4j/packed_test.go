package neo4j

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

// reading is every way to read the nodes that fill writes.
func reading(r brain.Reader) error {
	at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	ms, e1 := r.Memories("m")
	list, e2 := r.Strongest(brain.ListFilter{Tier: tiers.Working, Limit: 5})
	due, e3 := r.Due(at)
	ss, e4 := r.Sources("s")
	xs, e5 := r.Sections("x")
	rs, e6 := r.RecordsByOwner(brain.ActionRecord, "o")
	hits, e7 := r.Search(brain.SearchQuery{Words: words.Parse("zebra"), Limit: 5})
	for _, n := range []int{len(ms), len(list), len(due), len(ss), len(xs), len(rs), len(hits)} {
		if n != 1 {
			return errors.Join(errors.New("not one of each was read"), e1, e2, e3, e4, e5, e6, e7)
		}
	}
	return errors.Join(e1, e2, e3, e4, e5, e6, e7)
}

// packedMemory is a memory whose times and lists are not as Neo4j keeps them.
func packedMemory() brain.Memory {
	at, score := time.Date(2026, 3, 1, 9, 0, 0, 123456789, time.FixedZone("z", 3600)), 0.25
	return brain.Memory{
		ID: "m", Name: "zebra", Content: "a < b & c > d", Tags: []string{"a", ""}, Created: at, RelevanceScore: &score, Position: 3,
		Extra: json.RawMessage(`{"a":"<1>"}`), State: tiers.State{Tier: tiers.Working, Energy: 1, LastDecay: at, ExpiresAt: at, Entity: true},
	}
}

func fill(t *testing.T, s *Store) brain.Memory {
	t.Helper()
	m := packedMemory()
	at := m.Created
	err := s.Update(t.Context(), func(tx brain.Tx) error {
		return errors.Join(tx.PutMemories(m), tx.PutSources(brain.Source{ID: "s", Kind: brain.Reminder, Created: at, Due: at}),
			tx.PutSections(brain.Section{ID: "x", Key: "k", Modified: at, Line: 4}),
			tx.PutRecords(brain.Record{Kind: brain.ActionRecord, ID: "r", Owner: "o", At: at, Body: []byte(
				`{"n":1,"f":0.5,"yes":true,"list":["a"],"packed":"s","words":"w","tier":"core","big":9007199254740993,"none":null,"empty":""}`)}))
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.Update(context.WithoutCancel(t.Context()), func(tx brain.Tx) error {
			return errors.Join(tx.DeleteMemories("m"), tx.DeleteSources("s"), tx.DeleteSections("x"), tx.DeleteRecords(brain.ActionRecord, "r"))
		})
	})
	return m
}

// readQueries is how many queries it takes to read everything.
func readQueries(t *testing.T, s *Store) int {
	t.Helper()
	return queries(t, s, func(tx brain.Tx) error { return reading(tx) })
}

func TestReadsTakeOneQueryEach(t *testing.T) {
	s := openTest(t, fresh(t))
	m := fill(t, s)
	if n := readQueries(t, s); n != 7 {
		t.Errorf("7 reads took %d queries", n)
	}
	m.Energy, m.UseCount, m.Group = 7, 3, "g"
	if err := s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutLives(m) }); err != nil {
		t.Fatal(err)
	}
	if n := readQueries(t, s); n != 7 {
		t.Errorf("7 reads took %d queries after PutLives", n)
	}
}

// The properties beside the packed one are for people: what somebody changes
// there by hand is not read, and the next write puts it right.
func TestChangesByHandAreNotRead(t *testing.T) {
	s := openTest(t, fresh(t))
	m := fill(t, s)
	cypher(t, s, "MATCH (n {brain: $brain}) SET n.energy = 3, n.content = 'by hand', n.title = 'by hand', n.day = date('2026-03-01')", nil)
	if n := readQueries(t, s); n != 7 {
		t.Errorf("7 reads took %d queries", n)
	}
	if err := s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutLives(m) }); err != nil {
		t.Fatal(err)
	}
	err := s.View(t.Context(), func(r brain.Reader) error {
		ms, err := r.Memories("m")
		if len(ms) != 1 || ms[0].Energy != m.Energy || ms[0].Content != m.Content {
			t.Errorf("the memories %v, want the one that was written", ms)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := cypher(t, s, "MATCH (n:Memory {brain: $brain}) RETURN n.energy", nil).Rows[0][0]; got != m.Energy {
		t.Errorf("the property energy is %v after a write, want %v", got, m.Energy)
	}
}

// A node that a person made is not one of ours, and hides none.
func TestNodesMadeByHandAreLeftOut(t *testing.T) {
	s := openTest(t, fresh(t))
	fill(t, s)
	cypher(t, s, "CREATE (:Memory {brain: $brain, id: 'a', strength: 'working|0|a', tier: 'working', content: 'by hand'})", nil)
	t.Cleanup(func() {
		_, _ = s.Query(context.WithoutCancel(t.Context()), "MATCH (n:Memory {brain: $brain, id: 'a'}) DELETE n", nil, true)
	})
	if err := s.View(t.Context(), reading); err != nil {
		t.Error(err)
	}
}

// The encoding and the dictionary are part of the format. Where this fails, a
// database of before cannot be read: schemaVersion has to rise.
func TestThePackedFormStaysAsItIs(t *testing.T) {
	const stored = `Y8xlrUpNKkrkTVSwUUhSUFNIVrBTSGFgYkxkgALuaqVEJSslG0M7pVoGxm8HT7VNTQdLMDDaXwBRIMgODTsG+w8gLgKiaADpQRjACBZgYGBgYGBgYAMA`
	want := packedMemory()
	for _, at := range []*time.Time{&want.Created, &want.LastDecay, &want.ExpiresAt} {
		*at = milliseconds(*at)
	}
	packed, err := base64.StdEncoding.DecodeString(stored)
	if err != nil {
		t.Fatal(err)
	}
	var got brain.Memory
	if err := (&unpacker{}).unpack(packed, memories().fields(&got)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(- written, + read)\n%s", diff)
	}
}

// A node that is being deleted may come without the property packed.
func TestAHitWithoutAPassageHidesNoOther(t *testing.T) {
	m := brain.Memory{ID: "there", Content: "text"}
	packed, err := pack(m.Fields())
	if err != nil {
		t.Fatal(err)
	}
	row := func(id string, packed any) *driver.Record {
		return &driver.Record{Values: []any{id, false, 1.0, true, "note", "", packed}}
	}
	hits, whole, err := new(tx).filtered([]*driver.Record{row("deleted", nil), row("there", packed)}, true)
	if err != nil || whole || len(hits) != 1 || hits[0].Passage.ID != "there" {
		t.Errorf("hits %+v, complete %t, error %v; want the second one alone", hits, whole, err)
	}
}
