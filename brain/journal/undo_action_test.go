package journal

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

func noon() time.Time { return time.Date(2026, 2, 5, 12, 0, 0, 0, time.UTC) }

func memory(id string, version int) *brain.Memory {
	return &brain.Memory{ID: id, Version: version, State: new(tiers.DefaultPolicy()).Start(tiers.Working, 1, 0, noon())}
}

func TestObstacle(t *testing.T) {
	made := brain.Action{Kind: brain.ActRelate, Changes: []brain.Change{{After: memory("a", 1)}}}
	edited := brain.Action{Kind: brain.ActRelate, Changes: []brain.Change{{Before: memory("a", 1), After: memory("a", 2)}}}
	forgotten := brain.Action{Kind: brain.ActForget, Changes: []brain.Change{{Before: memory("a", 1)}}}
	here := func(version int) map[string]brain.Memory { return map[string]brain.Memory{"a": *memory("a", version)} }
	link := []brain.Relation{{From: "a", Type: "knows", To: "b"}}
	for _, c := range []struct {
		what, want string
		a          brain.Action
		f          undoFacts
	}{
		{"unchanged", "", edited, undoFacts{here: here(2)}},
		{"changed", "it has changed since", edited, undoFacts{here: here(3)}},
		{"gone", "it was forgotten since", edited, undoFacts{}},
		{"back", "it was captured again since", forgotten, undoFacts{here: here(1)}},
		{"related", "it was related to others since", made, undoFacts{here: here(1), made: link}},
		{"related by the action", "", brain.Action{Changes: made.Changes, Linked: link}, undoFacts{here: here(1), made: link}},
		{"the name is taken", nameTaken, edited, undoFacts{here: here(2), namesake: []brain.Memory{*memory("z", 1)}}},
	} {
		if got := c.f.obstacle(c.a); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// A promotion is undone: the memory keeps what it has gained since, and the id of what it was
// leads to it.
func TestReverseOfAPromotion(t *testing.T) {
	before, after, was := memory("a", 1), memory("a", 2), memory("was", 2)
	after.Tier, was.Tier = tiers.ShortTerm, tiers.ArchivedWorking
	grown := *after
	grown.RecallCount = 3
	f := undoFacts{
		policy: new(tiers.DefaultPolicy()), now: noon(), here: map[string]brain.Memory{"a": grown, "was": *was},
		made: []brain.Relation{{From: "was", Type: brain.PromotedTo, To: "a"}},
	}
	promotion := brain.Action{Kind: brain.ActPromote, IDs: []string{"a", "was"}, Changes: []brain.Change{{Before: before, After: after}, {After: was}}}
	if reason := f.obstacle(promotion); reason != "" {
		t.Error(reason)
	}
	restore, records, err := f.reverse(promotion)
	if err != nil {
		t.Fatal(err)
	}
	if len(restore) != 1 || restore[0].ID != "a" || restore[0].RecallCount != 3 || restore[0].Tier != tiers.Working {
		t.Errorf("restored %+v", restore)
	}
	if removed := madeBy(promotion); !cmp.Equal(removed, []string{"was"}) {
		t.Errorf("removed %v", removed)
	}
	if len(records) != 1 || records[0].Kind != brain.RedirectRecord || records[0].ID != "was" || records[0].Key != "a" {
		t.Errorf("records %+v", records)
	}
}

// Earlier versions gave what they promoted a new id.
func TestAPromotionOfAnEarlierVersionStays(t *testing.T) {
	before, old, made := memory("a", 1), memory("a", 2), memory("p", 2)
	old.Tier = tiers.ArchivedWorking
	f := undoFacts{here: map[string]brain.Memory{"a": *old, "p": *made}}
	if f.obstacle(brain.Action{Kind: brain.ActPromote, Changes: []brain.Change{{Before: before, After: old}, {After: made}}}) == "" {
		t.Error("it can be undone")
	}
}

func TestReverseOfAMergeKeepsTheMemoriesApart(t *testing.T) {
	keeper, source, after := memory("k", 1), memory("s", 1), memory("s", 2)
	after.Tier = tiers.Superseded
	f := undoFacts{policy: new(tiers.DefaultPolicy()), now: noon(), here: map[string]brain.Memory{"k": *memory("k", 2), "s": *after}}
	merge := brain.Action{
		Kind: brain.ActMerge, IDs: []string{"k", "s"}, At: noon(), Changes: []brain.Change{{Before: keeper, After: memory("k", 2)}, {Before: source, After: after}},
	}
	restore, records, err := f.reverse(merge)
	if err != nil || len(restore) != 2 || len(madeBy(merge)) != 0 || len(records) != 1 {
		t.Fatalf("%+v, %+v, %v", restore, records, err)
	}
	item, err := brain.Body[brain.ReviewItem](records[0])
	if err != nil || !item.KeepsApart() || item.Kind != brain.ReviewMerge || !cmp.Equal(item.Memories, []string{"k", "s"}) {
		t.Errorf("item %+v, %v", item, err)
	}
}
