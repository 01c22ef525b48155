package consolidate

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/similar"
)

func defaultRules() duplicateRules {
	return duplicateRules{Thresholds: similar.Defaults(), tolerance: 0.02, minCluster: 2, maxCluster: 12}
}

// batchOf is a batch of texts of one group, called a, b, c and so on, with all
// their pairs.
func batchOf(r duplicateRules, texts ...string) duplicateBatch {
	var ms []brain.Memory
	found := newPairSet()
	for i, text := range texts {
		id := string(rune('a' + i))
		ms = append(ms, brain.Memory{ID: id, Content: text, ContentHash: text, Created: time.Unix(int64(i), 0)})
		for _, other := range ms[:i] {
			found.add(other.ID, id)
		}
	}
	return newBatch(r, newMembers(ms, nil), found)
}

// merges returns the clusters of a batch that are merged by rule.
func (r duplicateRules) merges(b duplicateBatch, apart decisions) []duplicateCluster {
	merges, _ := r.clusters(b, apart)
	return merges
}

// named returns clusters by ids, the keeper first.
func clusterNames(b duplicateBatch, clusters []duplicateCluster) [][]string {
	var all [][]string
	for _, c := range clusters {
		ids := []string{b.members[c.keeper].ID}
		for _, n := range c.sources {
			ids = append(ids, b.members[n].ID)
		}
		all = append(all, ids)
	}
	return all
}

func TestClustersAreMergedUntilNoneIsLeft(t *testing.T) {
	r := defaultRules()
	r.maxCluster = 2
	b := batchOf(r, "Ship it on Friday", "ship it on friday!", "Ship it, on Friday.", "Pick the blue one")
	want := [][]string{{"b", "a"}, {"c", "b"}}
	if d := cmp.Diff(want, clusterNames(b, r.merges(b, nil))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	r.minCluster, r.maxCluster = 3, 12
	if d := cmp.Diff([][]string{{"c", "a", "b"}}, clusterNames(b, r.merges(b, nil))); d != "" {
		t.Errorf("from three on (-want +got):\n%s", d)
	}
	r.minCluster = 4
	if got := r.merges(b, nil); got != nil {
		t.Errorf("from four on: %v", clusterNames(b, got))
	}
}

func TestMergedTextsContradictToo(t *testing.T) {
	r := defaultRules()
	keeper := brain.Memory{ID: "a", Content: "The nightly build is green", MergedFrom: []string{"s"}}
	source := brain.Memory{ID: "s", Content: "The nightly build is not green"}
	other := brain.Memory{ID: "b", Content: "The nightly build is green!"}
	found := newPairSet()
	found.add("a", "b")
	if b := newBatch(r, newMembers([]brain.Memory{keeper, other}, nil), found); len(r.merges(b, nil)) != 1 {
		t.Error("without the source the two are merged")
	}
	b := newBatch(r, newMembers([]brain.Memory{keeper, other}, map[string]brain.Memory{"s": source}), found)
	if got := r.merges(b, nil); got != nil {
		t.Errorf("merged with what contradicts a source: %v", clusterNames(b, got))
	}
}

func TestKeeperIsAnEntity(t *testing.T) {
	r := defaultRules()
	b := batchOf(r, "Ship it on Friday", "ship it on friday!", "Ship it, on Friday.")
	b.members[1].Confirmations, b.members[0].Entity = 5, true
	if d := cmp.Diff([][]string{{"a", "b", "c"}}, clusterNames(b, r.merges(b, nil))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestDecisionsKeepApart(t *testing.T) {
	items := []brain.ReviewItem{
		{Memories: []string{"a", "b"}},
		{Memories: []string{"c", "d"}, RunID: "r"},
		{Memories: []string{"e", "d"}, RunID: "r"}, // one chain of merges
		{Memories: []string{"e", "f"}, RunID: "other"},
		{Memories: []string{"gone", "g"}, RunID: "r"},
	}
	d := newDecisions(items)
	texts := func(ids ...string) (all []memberText) {
		for _, id := range ids {
			all = append(all, memberText{id: id})
		}
		return all
	}
	for _, c := range []struct {
		some, others []memberText
		want         bool
	}{
		{texts("a"), texts("b"), true},
		{texts("a", "x"), texts("y", "b"), true},
		{texts("a"), texts("c"), false},
		{texts("c"), texts("e"), true},
		{texts("c"), texts("f"), false},
		{texts("g"), texts("c"), false},
	} {
		if got := d.separate(c.some, c.others); got != c.want {
			t.Errorf("%v and %v: %v, want %v", c.some, c.others, got, c.want)
		}
	}
	r := defaultRules()
	b := batchOf(r, "Ship it on Friday", "ship it on friday!", "Ship it, on Friday.")
	apart := newDecisions(items[:1])
	if d := cmp.Diff([][]string{{"c", "a"}}, clusterNames(b, r.merges(b, apart))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// What says much the same is proposed as one merge, with the keeper of what the rules merged;
// what differs in a number or is about another thing is not.
func TestProposalsAreAboutWhatIsLeft(t *testing.T) {
	r := defaultRules()
	const text = "The nightly export writes one file for each tenant to the archive and tells the operators of the shop about it"
	b := batchOf(r, text, text+".", strings.Replace(text, "writes", "quietly writes", 1)+" again", strings.Replace(text, "tells", "kindly tells", 1)+" at length",
		strings.Replace(text, "one file", "two files", 1), strings.Replace(text, "nightly", "secret", 1), "Redis is fast")
	merges, alike := r.clusters(b, nil)
	if d := cmp.Diff([][]string{{"b", "a"}}, clusterNames(b, merges)); d != "" {
		t.Errorf("merged (-want +got):\n%s", d)
	}
	if len(alike) != 1 || alike[0].item.Kind != brain.ReviewMerge || !slices.Equal(alike[0].item.Memories, []string{"b", "c", "d"}) || alike[0].item.Reason != "3 memories say much the same" {
		t.Fatalf("proposed %+v", alike)
	}
	q := queue{alike[0].item.Fingerprint: {State: brain.ReviewPending, TextHashes: []string{"x", "y", "z"}}}
	if ask, _ := q.choose(slices.Clone(alike), false); len(ask) != 1 {
		t.Error("a proposal about other texts is open")
	}
	q[alike[0].item.Fingerprint] = brain.ReviewItem{State: brain.ReviewDecided}
	if ask, _ := q.choose(slices.Clone(alike), false); len(ask) != 0 {
		t.Error("what was decided is proposed again")
	}
	apart := newDecisions([]brain.ReviewItem{{Memories: []string{"c", "d"}}})
	if _, alike := r.clusters(b, apart); len(alike) != 1 || len(alike[0].item.Memories) != 2 {
		t.Errorf("with c and d kept apart, proposed %+v", alike)
	}
}

func TestChoiceOfProposals(t *testing.T) {
	var all []mergeProposal
	for i := range 30 {
		item := brain.ReviewItem{Fingerprint: fmt.Sprint(i), Kind: brain.ReviewMerge, Memories: []string{fmt.Sprint("a", i), fmt.Sprint("b", i)}}
		all = append(all, mergeProposal{item, 0.7 + float64(i)/200})
	}
	ask, waiting := queue{}.choose(slices.Clone(all), false)
	if len(ask) != maxAsked || waiting != 30-maxAsked || ask[0].Memories[0] != "a29" || ask[19].Memories[0] != "a10" {
		t.Errorf("ask %v, %d wait", ask, waiting)
	}
	full := queue{}
	for i := range maxAsked - 2 {
		full[fmt.Sprint("earlier ", i)] = brain.ReviewItem{Kind: brain.ReviewMerge, State: brain.ReviewPending}
	}
	if ask, waiting := full.choose(slices.Clone(all), true); len(ask) != 2 || waiting != 28 {
		t.Errorf("with room for two, asked %d, %d wait", len(ask), waiting)
	}
}
