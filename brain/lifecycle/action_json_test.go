package lifecycle

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// drawMemory draws a memory that may be due to move up or have expired.
func drawMemory(t *rapid.T) brain.Memory {
	policy := new(tiers.DefaultPolicy())
	at := time.Date(2026, 2, 5, 9, 0, 0, 0, time.UTC)
	m := brain.Memory{
		ID: brain.NewID(), Content: "text " + rapid.String().Draw(t, "content"),
		MemoryType: "note", Created: at, LastAccessed: at, Importance: brain.Important,
		AccessCount: rapid.IntRange(0, 3).Draw(t, "accesses"), Version: rapid.IntRange(0, 3).Draw(t, "version"),
		Tags: rapid.SliceOfN(rapid.StringMatching("[a-z]{1,5}"), 0, 2).Draw(t, "tags"),
	}
	if len(m.Tags) == 0 {
		m.Tags = nil
	}
	tier := rapid.SampledFrom([]tiers.Tier{tiers.Working, tiers.ShortTerm, tiers.LongTerm}).Draw(t, "tier")
	m.State = policy.Start(tier, rapid.Float64Range(0.1, 20).Draw(t, "energy"), rapid.IntRange(0, 5).Draw(t, "sessions"), at)
	m.Complete()
	return m
}

// journaled is an action as it comes back from the journal.
func journaled(t *rapid.T, a brain.Action) (brain.Action, brain.Record) {
	rec, err := a.Record()
	if err != nil {
		t.Fatal(err)
	}
	back, err := brain.Body[brain.Action](rec)
	if err != nil {
		t.Fatal(err)
	}
	return back, rec
}

func TestAnActionComesBackFromTheJournalWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMemory(t)
		now := m.Created.Add(time.Duration(rapid.Int64Range(0, int64(2000*time.Hour)).Draw(t, "later")))
		s := Settle(new(tiers.DefaultPolicy()), []brain.Memory{m}, now)
		for _, a := range NumberActions(s.actions, brain.NewID(), 1) {
			want := a
			want.Changes = nil
			for _, c := range a.Changes {
				want.Changes = append(want.Changes, c.WithoutStoredTexts())
			}
			got, rec := journaled(t, a)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("the journal changed a %s (-wrote +read):\n%s\n%s", a.Kind, diff, rec.Body)
			}
			if again, _ := journaled(t, got); !reflect.DeepEqual(again, got) {
				t.Fatalf("a %s that is stored again is another: %+v, was %+v", a.Kind, again, got)
			}
		}
	})
}

func TestAChangeOfTextComesBackWhole(t *testing.T) {
	score := 0.5
	before := brain.Memory{
		ID: "a", Content: "one", ContentHash: "h", Tags: []string{"x", "y"},
		Extra: json.RawMessage(`{"a":1}`), RelevanceScore: &score, State: tiers.State{Tier: tiers.Working, SessionCount: 1},
	}
	after := before
	after.SessionCount, after.Content, after.ContentHash = 2, "two", "i"
	after.Tags, after.Extra, after.RelevanceScore = []string{"z"}, nil, nil
	changes := []brain.Change{{Before: &before, After: &after}, {After: &brain.Memory{ID: "b", Name: "new"}}}
	rec, err := brain.Action{Kind: brain.ActMerge, IDs: []string{"a"}, Changes: changes}.Record()
	if err != nil {
		t.Fatal(err)
	}
	back, err := brain.Body[brain.Action](rec)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(changes, back.Changes); diff != "" {
		t.Errorf("the journal changed the memories (-wrote +read):\n%s", diff)
	}
}

func TestAnActionWithItsChangesWrittenOutIsRead(t *testing.T) {
	const old = `{"id":"r-000001","kind":"promote","changes":[` +
		`{"before":{"id":"a","tier":"working"},"after":{"id":"a","tier":"archivedWorking","version":1}},` +
		`{"after":{"id":"b","tier":"shortTerm","promotedFrom":"a"}}]}`
	var a brain.Action
	if err := json.Unmarshal([]byte(old), &a); err != nil {
		t.Fatal(err)
	}
	if len(a.Changes) != 2 || a.Changes[0].After.Tier != tiers.ArchivedWorking || a.Changes[1].After.ID != "b" {
		t.Errorf("read %+v", a.Changes)
	}
}
