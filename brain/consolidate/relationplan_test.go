package consolidate

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

func pageOf(ids ...string) map[string]brain.Memory {
	page := map[string]brain.Memory{}
	for _, id := range ids {
		page[id] = brain.Memory{ID: id}
	}
	return page
}

func relation(from, typ, to string) brain.Relation {
	return brain.Relation{From: from, Type: typ, To: to}
}

func added(proposals []relationProposal) []brain.Relation {
	var all []brain.Relation
	for _, p := range proposals {
		all = append(all, p.add)
	}
	return all
}

func TestOutcomesFollowTheLatestEarlierDay(t *testing.T) {
	on := func(title, date, memory string) noteOutcome {
		return noteOutcome{brain.Source{ID: "s-" + memory, TitleKey: title, Date: date}, memory}
	}
	outcomes := []noteOutcome{
		on("talk", "2026-01-03", "third"), on("talk", "2026-01-01", "first"), on("talk", "2026-01-02", "second"),
		on("talk", "2026-01-03", "also third"), on("talk", "2026-01-04", ""), on("walk", "2026-01-05", "other"),
	}
	want := []brain.Relation{
		relation("second", lifecycle.FollowsType, "first"),
		relation("also third", lifecycle.FollowsType, "second"), relation("third", lifecycle.FollowsType, "second"),
	}
	if d := cmp.Diff(want, added(follows(outcomes, pageOf("first", "second")))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got := follows(outcomes, pageOf("other")); got != nil {
		t.Errorf("nothing of the page is related: %v", got)
	}
}

func TestRelationsAreRedirectedToTheNewestMemory(t *testing.T) {
	rels := []brain.Relation{
		relation("a", "uses", "old"), relation("a", "likes", "old"), relation("a", "likes", "new"),
		relation("a", "knows", "gone"), relation("a", brain.Supersedes, "old"), relation("a", "knows", "self"),
		relation("elsewhere", "uses", "old"),
	}
	newest := map[string]string{"old": "new", "new": "new", "gone": "", "self": "a"}
	got := redirected(rels, newest, pageOf("a"))
	if d := cmp.Diff([]brain.Relation{relation("a", "uses", "new")}, added(got)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if d := cmp.Diff([]brain.Relation{rels[0]}, got[0].remove); d != "" {
		t.Errorf("removed (-want +got):\n%s", d)
	}
}

func TestPlanMakesOneActionForANode(t *testing.T) {
	now := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	waited := brain.Record{ID: "w"}
	proposals := []relationProposal{
		{add: relation("section", "mentions", "b"), pending: []brain.Record{waited}, reason: becauseNamed},
		{add: relation("a", "follows", "b"), reason: becauseFollows},
		{add: relation("a", "follows", "b"), reason: becauseFollows},
		{add: relation("a", "uses", "c"), remove: []brain.Relation{relation("a", "uses", "old")}, reason: becauseMoved},
		{add: relation("d", "uses", "c"), reason: becauseMoved},
	}
	a := brain.Memory{ID: "a", Version: 3}
	after := a
	after.Version = 4
	want := []brain.Action{
		{
			Kind: brain.ActRelate, IDs: []string{"a", "b", "c"}, At: now, Reason: becauseFollows + "; " + becauseMoved,
			Linked:   []brain.Relation{relation("a", "follows", "b"), relation("a", "uses", "c")},
			Unlinked: []brain.Relation{relation("a", "uses", "old")}, Changes: []brain.Change{{Before: &a, After: &after}},
		},
		{ // the relation is there: it need not wait any more
			Kind: brain.ActRelate, IDs: []string{"section"}, At: now, Reason: becauseNamed,
			Removed: []brain.Record{waited},
		},
	}
	existing := []brain.Relation{relation("section", "mentions", "b"), relation("d", "uses", "c")}
	if d := cmp.Diff(want, planRelations(proposals, existing, []brain.Memory{a}, now)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
