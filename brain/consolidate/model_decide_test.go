package consolidate

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/review"
	"github.com/brainbridge/brainbridge/brain/similar"
	"github.com/brainbridge/brainbridge/tiers"
)

const (
	heron      = "The heron service keeps the sessions of its users in memory on the big machine downstairs"
	dustyHeron = "The heron service keeps the sessions of users in memory on the big dusty machine downstairs"
	otter      = "The otter service keeps the sessions of its users in memory on the big machine downstairs"
)

func someRules() modelRules {
	return modelRules{Thresholds: similar.Defaults(), tolerance: 0.02, minCluster: 2, ruleCluster: 12}
}

// fact is a memory called a, b and so on, the oldest first.
func fact(n int, content string) brain.Memory {
	id := string(rune('a' + n))
	m := brain.Memory{ID: id, MemoryType: "fact", Content: content, Created: time.Unix(int64(n), 0)}
	m.Tier = tiers.Working
	return m
}

// factsOf are memories with all their pairs.
func factsOf(ms ...brain.Memory) modelFacts {
	f := modelFacts{taken: map[int]bool{}}
	for i, m := range ms {
		f.members = append(f.members, &modelLoaded{m, comparedText(&m)})
		for other := range i {
			f.pairs = append(f.pairs, similar.Pair{A: other, B: i})
		}
	}
	return f
}

// clustersOf returns the ids of the clusters of all phases.
func clustersOf(r modelRules, f modelFacts) (all []string) {
	for _, p := range phasesOf("") {
		for _, c := range r.clusters(p, f) {
			all = append(all, strings.Join(brain.IDs(c.members), ""))
			for _, n := range c.places {
				f.taken[n] = true
			}
		}
	}
	return all
}

func TestClustersAreAboutOneThing(t *testing.T) {
	if d := cmp.Diff([]string{"ab"}, clustersOf(someRules(), factsOf(fact(0, heron), fact(1, dustyHeron), fact(2, otter)))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	young := fact(0, dustyHeron)
	young.Created = time.Unix(9, 0)
	f := factsOf(young, fact(1, heron), fact(2, heron+" at port 5432"))
	if d := cmp.Diff([]string{"ba"}, clustersOf(someRules(), f)); d != "" {
		t.Errorf("the oldest comes first (-want +got):\n%s", d)
	}
	r := someRules()
	r.minCluster = 3
	if got := clustersOf(r, f); got != nil {
		t.Errorf("from three on: %v", got)
	}
	f.members[0] = nil // forgotten meanwhile
	if got := clustersOf(someRules(), f); got != nil {
		t.Errorf("one is gone: %v", got)
	}
}

func TestPhasesAcrossTypesComeLast(t *testing.T) {
	lesson, decision, other := fact(2, heron), fact(3, dustyHeron), fact(4, heron)
	lesson.MemoryType, decision.MemoryType, other.MemoryType = "lesson", "decision", "idea"
	lesson.Name, decision.Name = "Sessions", "sessions"
	f := factsOf(fact(0, heron), fact(1, dustyHeron), lesson, decision, other)
	if d := cmp.Diff([]string{"ab", "cd"}, clustersOf(someRules(), f)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if n := len(phasesOf("fact")); n != 8 {
		t.Errorf("a run about one type has %d phases, want none across types", n)
	}
}

func TestDecidedClustersAreNotAskedAbout(t *testing.T) {
	a, b, c := fact(0, heron), fact(1, dustyHeron), fact(2, "Now "+heron)
	of := func(ms ...brain.Memory) string { return brain.Fingerprint(ms) }
	for name, test := range map[string]struct {
		print string
		item  brain.ReviewItem
		want  []string
	}{
		"decided":             {of(a, b, c), brain.ReviewItem{State: brain.ReviewDecided}, nil},
		"proposed":            {of(a, b, c), brain.ReviewItem{State: brain.ReviewPending, Kind: brain.ReviewMerge, Proposed: &brain.Memory{}}, nil},
		"pending, no text":    {of(a, b, c), brain.ReviewItem{State: brain.ReviewPending, Kind: brain.ReviewMerge}, []string{"abc"}},
		"closed":              {of(a, b, c), brain.ReviewItem{State: brain.ReviewClosed, Kind: brain.ReviewMerge, Proposed: &brain.Memory{}}, []string{"abc"}},
		"a pair of it undone": {of(a, b), brain.ReviewItem{Undone: time.Unix(1, 0)}, []string{"ac"}},
	} {
		f := factsOf(a, b, c)
		f.queue = map[string]brain.ReviewItem{test.print: test.item}
		if d := cmp.Diff(test.want, clustersOf(someRules(), f)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

func TestAPlanLeavesOutWhatTheRulesMerge(t *testing.T) {
	r := someRules()
	f := factsOf(fact(0, heron), fact(1, heron+"!"))
	if d := cmp.Diff([]string{"ab"}, clustersOf(r, f)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	r.planned = true
	if got := clustersOf(r, factsOf(fact(0, heron), fact(1, heron+"!"))); got != nil {
		t.Errorf("planned %v", got)
	}
}

func TestSameResults(t *testing.T) {
	elsewhere, old := fact(2, heron), fact(4, heron)
	elsewhere.Project = "elsewhere"
	old.Tier = tiers.Superseded
	var got [][]string
	for _, members := range someRules().sameResults([]brain.Memory{fact(0, heron), fact(1, otter), elsewhere, fact(3, heron+"!"), old}) {
		var ids []string
		for _, m := range members {
			ids = append(ids, m.ID)
		}
		got = append(got, ids)
	}
	if d := cmp.Diff([][]string{{"d", "a"}}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestVerification(t *testing.T) {
	sources := []brain.Memory{fact(0, heron), fact(1, dustyHeron)}
	for answer, want := range map[string]string{
		dustyHeron:                        "",
		dustyHeron + " at port 9999":      "a number that none",
		dustyHeron + ", said Bob":         "a name that none",
		otter:                             `leaves out "heron"`,
		"Lunch is at noon in the canteen": "too far from one of the memories",
	} {
		got := review.CheckText(compose(sources, ModelProposal{Content: answer}), sources)
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", answer, got, want)
		}
	}
}
