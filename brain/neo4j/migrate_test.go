package neo4j

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/flate"
	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

// packed is what programs of schema 16 wrote.
func packed(t *testing.T, fields []brain.Field) []byte {
	t.Helper()
	var b []byte
	for i, f := range fields {
		switch {
		case f.Name == "promotedFrom" && i == len(fields)-1:
			continue
		case f.Name == "retention":
			b = packedField(b, fields[len(fields)-1].At)
		}
		b = packedField(b, f.At)
		if f.Name == "agent" || f.Name == "extra" { // then came the speaker, and the first id
			b = append(b, 0)
		}
	}
	var out bytes.Buffer
	if err := flate.StatelessDeflate(&out, b, true, []byte(dictionary)); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func packedField(b []byte, at any) []byte {
	text := func(b []byte, s string) []byte { return append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	switch v := at.(type) {
	case *json.RawMessage:
		return text(b, string(*v))
	case *[]string:
		b = binary.AppendUvarint(b, uint64(len(*v)))
		for _, s := range *v {
			b = text(b, s)
		}
		return b
	case *bool:
		if *v {
			return append(b, 1)
		}
		return append(b, 0)
	case *int:
		return binary.AppendVarint(b, int64(*v))
	case *float64:
		return binary.BigEndian.AppendUint64(b, math.Float64bits(*v))
	case **float64:
		if *v == nil {
			return append(b, 0)
		}
		return packedField(append(b, 1), *v)
	case *time.Time:
		if v.IsZero() {
			return append(b, 0)
		}
		return binary.AppendVarint(append(b, 1), v.UnixMilli())
	}
	return text(b, reflect.ValueOf(at).Elem().String())
}

// packedMemory is a memory whose times and lists are not as Neo4j keeps them.
func packedMemory() brain.Memory {
	at, score := time.Date(2026, 3, 1, 9, 0, 0, 123456789, time.FixedZone("z", 3600)), 0.25
	return brain.Memory{
		ID: "m", Name: "zebra", Content: "a < b & c > d", Tags: []string{"a", ""}, Created: at, RelevanceScore: &score, Position: 3,
		Extra: json.RawMessage(`{"a":"<1>"}`), State: tiers.State{Tier: tiers.Working, Energy: 1, LastDecay: at, ExpiresAt: at, Entity: true},
	}
}

func TestThePackedFormIsRead(t *testing.T) {
	const stored = `Y8xlrUpNKkrkTVSwUUhSUFNIVrBTSGFgYkxkgALuaqVEJSslG0M7pVoGxm8HT7VNTQdLMDDaXwBRIMgODTsG+w8gLgKiaADpQRjACBZgYGBgYGBgYAMA`
	want := packedMemory()
	for _, at := range []*time.Time{&want.Created, &want.LastDecay, &want.ExpiresAt} {
		*at = milliseconds(*at)
	}
	bytes, err := base64.StdEncoding.DecodeString(stored)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range [][]byte{bytes, packed(t, want.Fields())} {
		var got brain.Memory
		if err := unpack(p, got.Fields()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(- written, + read)\n%s", diff)
		}
		for cut := range len(p) {
			_ = unpack(p[:cut], got.Fields()) // whatever it says, it ends
		}
	}
}

// packedBecomesPlain makes a brain of a database of schema 16, and upgrades it, after a kill in
// the middle.
func packedBecomesPlain(t *testing.T, cfg Config) {
	cfg.Brain = "packed~test"
	s := openOwn(t, cfg)
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	m, other := storetest.Memory("a Pi-hole in C++"), storetest.Memory("entirely different", storetest.Entity("Ada"))
	source, talk := storetest.Source(brain.Learning), storetest.Talk(storetest.Section("d", "2026-01-05-transcript.md", 1, "an e-mail in C++"))
	record := storetest.Record(brain.ActionRecord, "run", "root", at)
	one := brain.Embedded{Passage: m.Passage(), Values: []float32{1, 0, 0}}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(s.Update(t.Context(), func(tx brain.Tx) error {
		return errors.Join(tx.PutMemories(m, other), tx.PutSections(talk), tx.PutSources(source), tx.PutRecords(record),
			tx.PutRelations(brain.Relation{From: source.ID, Type: brain.HasMemory, To: m.ID}))
	}))
	must(s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutVectors("small", one) }))
	before := contentOf(t, s)
	run := func(cypher string, params map[string]any) {
		t.Helper()
		_, err := s.run(t.Context(), driver.AccessModeWrite, cypher, params)
		must(err)
	}
	// Few properties of that schema count beside the packed one.
	const earlier = `MATCH (n:LABEL {brain: $brain, id: $id}) SET n = {brain: $brain, id: $id, packed: $packed, words01: 'pi hole in c',
  recordKind: $kind, written: n.written, vectorModel: '=small', vector7: n.vector3, energy: 99.0}`
	for label, nodes := range map[string]map[string][]brain.Field{
		"Memory": {m.ID: m.Fields(), other.ID: other.Fields()}, "Source": {source.ID: source.Fields()},
		"Section": {talk.ID: talk.Fields()}, "Action": {record.ID: record.Fields()},
	} {
		for id, fields := range nodes {
			params := map[string]any{"id": id, "packed": packed(t, fields), "kind": nil}
			more := ""
			if label == "Action" {
				params["kind"], more = "Action", ", n:Record"
			}
			run(replaceLabel(earlier, label)+more, params)
		}
	}
	run("MATCH (b:BrainbridgeBrain {name: $brain}) SET b.number = 7 REMOVE b.dimensions", nil)
	run("CREATE (:Tally {brain: $brain, id: 'words12', records: 1, length: 2})", nil)
	for _, cypher := range []string{
		"DROP INDEX " + wordsIndex, "CREATE FULLTEXT INDEX " + wordsIndex + " FOR (n:Memory|Section) ON EACH [n.words01]",
		"CREATE CONSTRAINT brainbridge_record_id FOR (n:Record) REQUIRE (n.brain, n.recordKind, n.id) IS UNIQUE",
		"CREATE INDEX brainbridge_memory_strength FOR (n:Memory) ON (n.brain, n.strength)",
		"MATCH (v:BrainbridgeSchema) SET v.version = 16 WITH v MATCH (r:BrainbridgeMigration) DELETE r",
	} {
		_, err := s.auto(t.Context(), s.timeout, driver.AccessModeWrite, cypher, nil)
		must(err)
	}
	old := openOwn(t, cfg)
	must(old.Migrate(t.Context(), func() error {
		if diff := cmp.Diff(before, contentOf(t, old)); diff != "" {
			t.Errorf("the backup of before (- written, + read)\n%s", diff)
		}
		return nil
	}))
	now := openOwn(t, cfg)
	if diff := cmp.Diff(before, contentOf(t, now)); diff != "" {
		t.Errorf("the brain (- before, + after the upgrade)\n%s", diff)
	}
	for query, want := range map[string]any{
		"MATCH (n {brain: $brain}) WHERE n.packed IS NOT NULL OR n:Record OR n:Tally OR n.words01 IS NOT NULL RETURN count(n)": int64(0),
		"MATCH (n {brain: $brain}) WHERE NOT n.isTest RETURN count(n)":                                                         int64(0),
		"SHOW INDEXES YIELD name WHERE name STARTS WITH 'brainbridge_' RETURN count(*)":                                        int64(len(definitions()) + 2),
		"MATCH (a:Action {brain: $brain, owner: 'run', text: 'a \"b\"\\nc — é'}) RETURN a.f":                                   0.25,
		"MATCH (n:Memory {brain: $brain, energy: 1.0}) RETURN count(n)":                                                        int64(2),
	} {
		if got := cypher(t, now, query, nil).Rows; fmt.Sprint(got) != fmt.Sprint([]any{[]any{want}}) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
	must(now.View(t.Context(), func(r brain.Reader) error {
		for query, want := range map[string]string{"pihole": m.ID, "c++": m.ID, "email": talk.ID} {
			hits, err := r.Search(brain.SearchQuery{Words: words.Parse(query), Limit: 9, Transcripts: want == talk.ID})
			if err != nil || len(hits) != 1 || hits[0].ID != want {
				t.Errorf("%q finds %v, %v", query, hits, err)
			}
		}
		texts, err := r.Unembedded("small", 9)
		if len(texts) != 2 {
			t.Errorf("to be embedded: %v, %v", texts, err)
		}
		return err
	}))
}

func replaceLabel(cypher, label string) string {
	return string(bytes.ReplaceAll([]byte(cypher), []byte("LABEL"), []byte(label)))
}

// contentOf is everything in a brain, in order, as JSON.
func contentOf(t *testing.T, s *Store) (content any) {
	t.Helper()
	var all brain.Page
	err := s.Dump(t.Context(), func(p brain.Page) error {
		all.Memories, all.Sources = append(all.Memories, p.Memories...), append(all.Sources, p.Sources...)
		all.Sections, all.Records = append(all.Sections, p.Sections...), append(all.Records, p.Records...)
		all.Relations, all.Unreadable = append(all.Relations, p.Relations...), append(all.Unreadable, p.Unreadable...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(all.Memories, func(a, b brain.Memory) int { return bytes.Compare([]byte(a.ID), []byte(b.ID)) })
	raw, err := json.Marshal(all)
	if err == nil {
		err = json.Unmarshal(raw, &content)
	}
	if err != nil {
		t.Fatal(err)
	}
	return content
}
