package neo4j

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
)

// What is plain in the body of a record is a property, and comes back from it.
func TestTheBodyOfARecordComesBack(t *testing.T) {
	for _, body := range []string{
		`{"id":"x","brain":"x","owner":"x","key":"x","at":"x","body":"x","_lock":true,"":1,"kind":"promote","n":7,"f":0.5,"yes":false,"ids":["a","b"],"mixed":[1],"deep":{"a":1},"none":null,"empty":[],"big":9007199254740993}`,
		``, `{}`, `{"a":"b"}`, `{"a":null}`, `{"numbers":{"lambda.working":1,"other":2},"validFrom":"2026-03-01T09:00:00.5Z"}`, `{"numbers":{"boost":2.5}}`,
	} {
		for _, of := range []brain.RecordKind{brain.ActionRecord, brain.ConfigRecord} {
			r := brain.Record{Kind: of, ID: "id", At: time.UnixMilli(5).UTC(), Body: json.RawMessage(body)}
			p := recordProps(&r)
			for key, v := range p { // as the driver returns it
				switch v := v.(type) {
				case nil:
					delete(p, key)
				case []string:
					p[key] = brain.Map(v, func(s string) any { return s })
				}
			}
			var got brain.Record
			if err := records(of).read(p, &got); err != nil {
				t.Fatal(err)
			}
			decoded := func(raw json.RawMessage) (v any) {
				d := json.NewDecoder(bytes.NewReader(raw))
				d.UseNumber()
				_ = d.Decode(&v) // nil for none
				return v
			}
			if diff := cmp.Diff(decoded(r.Body), decoded(got.Body)); diff != "" {
				t.Errorf("%s %s (- written, + read)\n%s", of, body, diff)
			}
		}
	}
	r := brain.Record{Kind: brain.ConfigRecord, ID: "id", Body: json.RawMessage(`{"numbers":{"promote.energy.working":2.5},"validFrom":"2026-03-01T09:00:00Z"}`)}
	if p := recordProps(&r); p["promoteEnergyWorking"] != 2.5 || p["validFrom"] != time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC) || p["body"] != nil {
		t.Errorf("the numbers are the properties %v", p)
	}
}

func TestQueriesOfAnyLengthFitTheIndex(t *testing.T) {
	s := &Store{brain: "b"}
	var text strings.Builder
	for i := range 2000 {
		text.WriteString(" word" + strconv.Itoa(i) + ` "a phrase of ` + strconv.Itoa(i) + `"`)
	}
	q := words.Parse(text.String())
	query := s.lucene(brain.SearchQuery{Words: q})
	if n := strings.Count(query, ":"); n > 1024 {
		t.Errorf("the query has %d clauses", n)
	}
	for _, term := range q.Terms {
		if !strings.Contains(query, `words:"`+term+`"`) {
			t.Fatalf("the term %s is not searched for", term)
		}
	}
	if query := s.lucene(brain.SearchQuery{}); query != "" {
		t.Errorf("no words give the query %s", query)
	}
}
