package services_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/review"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

// remember captures a plain memory with what change makes of it.
func (l *lab) remember(text string, change func(*brain.Memory, *brain.Details)) string {
	l.t.Helper()
	m, d := brain.Memory{Content: text}, brain.Details{}
	if change != nil {
		change(&m, &d)
	}
	c := must[brain.Capture](l)(l.Capture.NewMemory(m, d))
	return must[brain.Captured](l)(l.Capture.Capture(l.ctx(), c)).MemoryID
}

func (l *lab) merge(keeper string, sources ...string) (brain.Run, brain.Action) {
	l.t.Helper()
	run, a, err := l.tryMerge(review.Merging{Keeper: l.node(keeper), Sources: l.nodes(sources...), Reason: "alike"})
	if err != nil {
		l.t.Fatal(err)
	}
	return run, a
}

func (l *lab) tryMerge(m review.Merging) (brain.Run, brain.Action, error) {
	run := l.Base.NewRun(brain.RunConsolidate, l.now)
	actions, run, err := l.Review.Merge(l.ctx(), run, l.now, m)
	if err != nil {
		return run, brain.Action{}, err
	}
	return run, actions[0], nil
}

func (l *lab) nodes(ids ...string) []brain.Memory {
	l.t.Helper()
	var ms []brain.Memory
	for _, id := range ids {
		ms = append(ms, l.node(id))
	}
	return ms
}

func TestMergeKeepsTheBestOfAll(t *testing.T) {
	l := newLab(t)
	old := l.remember("The build takes 4 minutes.", func(m *brain.Memory, d *brain.Details) {
		d.Tags, d.Importance, m.Retention = []string{"ci"}, brain.Critical, "permanent"
	})
	l.later(time.Hour)
	other := l.learn("Jenkins", "is slow")
	ran[brain.Relation](l)(l.Capture.Relate(l.ctx(), old, "applies_to", other))
	ran[brain.Relation](l)(l.Capture.Relate(l.ctx(), other, "mentions", old))
	kept := l.remember("the build takes 4 minutes now", func(_ *brain.Memory, d *brain.Details) { d.Tags = []string{"speed"} })
	ran[brain.Relation](l)(l.Capture.Relate(l.ctx(), kept, "related_to", old))
	must[brain.Memory](l)(l.Capture.Boost(l.ctx(), old, 0.5))
	l.later(time.Minute)
	before, said := l.node(old), l.node(kept).Created
	strongest := l.energy(old)
	l.merge(kept, old)

	got := l.node(kept)
	if got.Content != "the build takes 4 minutes now" || !got.Created.Equal(said) || got.Importance != brain.Critical ||
		got.Retention != "permanent" || got.Tier != tiers.Working || got.AccessCount != before.AccessCount+1 || got.UseCount != 1 {
		t.Errorf("the result is %+v", got)
	}
	if diff := cmp.Diff([]string{"speed", "ci"}, got.Tags); diff != "" {
		t.Error(diff)
	}
	if !near(l.energy(kept), strongest) {
		t.Errorf("energy %v, want that of the strongest %v", l.energy(kept), strongest)
	}
	if !slices.Equal(got.MergedFrom, []string{old}) || !got.ConsolidatedAt.Equal(l.now) {
		t.Errorf("merged from %v at %v", got.MergedFrom, got.ConsolidatedAt)
	}
	rels := l.show(kept).Relations
	for _, want := range []brain.Relation{{From: kept, Type: "applies_to", To: other}, {From: other, Type: "mentions", To: kept}, {From: kept, Type: brain.Supersedes, To: old}} {
		if !brain.HasRelation(rels, want) {
			t.Errorf("%v is not among %v", want, rels)
		}
	}
	own := brain.Relation{From: kept, Type: "related_to", To: old}
	if brain.HasRelation(rels, own) || brain.HasRelation(rels, brain.Relation{From: kept, Type: "related_to", To: kept}) {
		t.Errorf("it is related to itself: %v", rels)
	}
	source := l.node(old)
	if source.Tier != tiers.Superseded || source.Content != before.Content || !source.ValidTo.Equal(l.now) || !slices.Equal(source.Tags, before.Tags) {
		t.Errorf("the source is %+v", source)
	}
	if l.show(old).Memory.ID != kept {
		t.Error("the id of the source does not lead to the keeper")
	}
	must[journal.Undone](l)(l.Journal.Undo(l.ctx(), must[brain.Run](l)(l.Journal.LastRun(l.ctx())).ID, nil, nil))
	if rels := l.show(kept).Relations; !brain.HasRelation(rels, own) {
		t.Errorf("after the undo its own relation is not among %v", rels)
	}
}

// What is merged is found once; as of an earlier instant both are.
func TestMergedIsFoundOnce(t *testing.T) {
	l := newLab(t)
	a, z := l.remember("the zebra sleeps", nil), l.remember("the zebra sleeps on", nil)
	l.later(time.Hour)
	l.merge(a, z)
	if got := l.recall(recall.Query{Words: words.Parse("zebra")}); !slices.Equal(got, []string{a}) {
		t.Errorf("recall finds %v, want %s alone", got, a)
	}
	l.later(time.Hour)
	got := l.recall(recall.Query{Words: words.Parse("zebra"), AsOf: l.now.Add(-90 * time.Minute)})
	if slices.Sort(got); len(got) != 2 {
		t.Errorf("as of before the merge it finds %v, want both", got)
	}
}

// Undo brings every memory back as it was, byte for byte, and the cluster is
// not merged again.
func TestUndoOfAMerge(t *testing.T) {
	l := newLab(t)
	other := l.learn("context", "of both")
	change := func(_ *brain.Memory, d *brain.Details) { d.Tags = []string{"x"} }
	a, b, c := l.remember("one thing", nil), l.remember("one thing more", change), l.remember("one thing too", nil)
	ran[brain.Relation](l)(l.Capture.Relate(l.ctx(), b, "applies_to", other))
	l.later(time.Hour)
	before, rels := l.nodes(a, b, c, other), l.relations(a, b, c, other)
	run, _ := l.merge(a, b, c)
	l.later(time.Hour)
	undone := must[journal.Undone](l)(l.Journal.Undo(l.ctx(), run.ID, nil, nil))
	if undone.Undone != 1 || len(undone.Skipped) > 0 {
		t.Errorf("undone: %+v", undone)
	}
	if diff := cmp.Diff(before, l.nodes(a, b, c, other)); diff != "" {
		t.Errorf("the memories differ:\n%s", diff)
	}
	if diff := cmp.Diff(rels, l.relations(a, b, c, other)); diff != "" {
		t.Errorf("the relations differ:\n%s", diff)
	}
	fingerprint := brain.Fingerprint(before[:3])
	if no := l.keptApart(); !no[fingerprint] || len(no) != 1 {
		t.Errorf("rejected: %v", no)
	}
	if made, err := l.Review.Flag(l.ctx(), brain.ReviewItem{Kind: brain.ReviewMerge, Memories: []string{c, b, a}}); made != 0 || err != nil {
		t.Errorf("it is proposed again: %d, %v", made, err)
	}
}

func (l *lab) relations(ids ...string) []brain.Relation {
	l.t.Helper()
	var rels []brain.Relation
	err := l.Base.Store.View(l.ctx(), func(r brain.Reader) (err error) {
		rels, err = r.Relations(ids...)
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return rels
}

// What the keeper gained since, and what it was related to, stays.
func TestUndoOfAMergeKeepsWhatWasGained(t *testing.T) {
	l := newLab(t)
	a, z, other := l.remember("a thing", nil), l.remember("a thing once more", nil), l.learn("another", "thing")
	must[brain.Memory](l)(l.Capture.Boost(l.ctx(), z, 0.5))
	run, _ := l.merge(a, z)
	must[brain.Memory](l)(l.Capture.Boost(l.ctx(), a, 0.25))
	rel := ran[brain.Relation](l)(l.Capture.Relate(l.ctx(), a, "applies_to", other))
	if u := must[journal.Undone](l)(l.Journal.Undo(l.ctx(), run.ID, nil, nil)); u.Undone != 1 {
		t.Fatalf("undone: %+v", u)
	}
	if !near(l.energy(a), 1.25) || !near(l.energy(z), 1.5) {
		t.Errorf("energies %v and %v, want 1.25 and 1.5", l.energy(a), l.energy(z))
	}
	if n := l.node(a); n.AccessCount != 1 || n.UseCount != 1 || n.MergedFrom != nil {
		t.Errorf("counters after the undo: %+v", n)
	}
	if !slices.Contains(l.relations(a), rel) {
		t.Error("the relation that came since is gone")
	}
}

func TestUndoOfAMergeLeavesWhatChanged(t *testing.T) {
	l := newLab(t)
	a, z := l.remember("a thing", nil), l.remember("a thing once more", nil)
	run, _ := l.merge(a, z)
	ran[brain.Memory](l)(l.Capture.Correct(l.ctx(), a, "", "quite another thing"))
	u := must[journal.Undone](l)(l.Journal.Undo(l.ctx(), run.ID, nil, nil))
	if u.Undone != 0 || len(u.Skipped) != 1 || !strings.Contains(u.Skipped[0].Reason, "changed since") {
		t.Errorf("undone: %+v", u)
	}
	if l.show(z).Memory.Content != "quite another thing" {
		t.Errorf("%s leads to %+v", z, l.show(z).Memory)
	}
}

// Merges on merges, over runs, are undone newest first to where it began.
func TestUndoOfMergesOverRuns(t *testing.T) {
	l := newLab(t)
	ids := []string{l.remember("w thing", nil), l.remember("x thing", nil), l.remember("y thing", nil), l.learn("z", "thing")}
	before := l.nodes(ids...)
	l.merge(ids[0], ids[1])
	must[brain.Memory](l)(l.Capture.Boost(l.ctx(), ids[0], 1.5)) // so that it is promoted
	l.later(time.Minute)
	l.consolidate()
	promoted := l.show(ids[0]).Memory.ID
	l.merge(ids[2], promoted)
	for range 3 {
		run := must[brain.Run](l)(l.Journal.LastRun(l.ctx()))
		if u := must[journal.Undone](l)(l.Journal.Undo(l.ctx(), run.ID, nil, nil)); len(u.Skipped) > 0 {
			t.Fatalf("%s: %+v", run.Kind, u)
		}
	}
	ignore := cmpopts.IgnoreFields(brain.Memory{}, "State", "UseCount", "LastUsed", "AccessCount", "LastAccessed")
	if diff := cmp.Diff(before, l.nodes(ids...), ignore); diff != "" {
		t.Error(diff)
	}
	for i, id := range ids {
		if *l.show(id).Memory.Tier != before[i].Tier {
			t.Errorf("%s is in %s", id, *l.show(id).Memory.Tier)
		}
	}
}

// The keeper of a merge says what the model wrote; undone, what it said.
func TestMergeByAModelAndBack(t *testing.T) {
	l := newLab(t)
	a, z, other := l.remember("the port is 5432", nil), l.remember("postgres listens on 5432", nil), l.learn("db", "postgres")
	ran[brain.Relation](l)(l.Capture.Relate(l.ctx(), z, "applies_to", other))
	before := l.nodes(a, z)
	run, action, err := l.tryMerge(review.Merging{
		Sources: before, Reason: "by a model",
		Result: &brain.Memory{Name: "Postgres port", Content: "Postgres listens on port 5432.", MemoryType: "note", Importance: brain.Important},
	})
	if err != nil {
		t.Fatal(err)
	}
	made := action.IDs[0]
	for _, id := range []string{a, z} {
		if got := l.show(id).Memory; got.ID != made || got.Content != "Postgres listens on port 5432." || got.Importance != brain.Important {
			t.Errorf("%s leads to %+v", id, got)
		}
	}
	if _, events, err := l.Journal.History(l.ctx(), a); err != nil || events[len(events)-1].Kind != "merge" {
		t.Errorf("the history is %+v, %v", events, err)
	}
	rel := ran[brain.Relation](l)(l.Capture.Relate(l.ctx(), other, "mentions", made))
	must[journal.Undone](l)(l.Journal.Undo(l.ctx(), run.ID, nil, nil))
	if diff := cmp.Diff(before, l.nodes(a, z)); diff != "" {
		t.Error(diff)
	}
	if !slices.Contains(l.relations(made), rel) {
		t.Errorf("the relation that came since is lost: %v", l.relations(made))
	}
}

func TestMergeRefuses(t *testing.T) {
	l := newLab(t)
	a, z := l.remember("a thing", nil), l.remember("a thing once more", nil)
	stale := l.node(z)
	if _, _, err := l.tryMerge(review.Merging{Keeper: l.node(a), Sources: l.nodes(a)}); !errors.Is(err, brain.ErrInvalid) {
		t.Errorf("itself: %v", err)
	}
	ran[brain.Relation](l)(l.Capture.Relate(l.ctx(), z, "related_to", a))
	before := l.nodes(a, z)
	if _, _, err := l.tryMerge(review.Merging{Keeper: l.node(a), Sources: []brain.Memory{stale}}); !errors.Is(err, brain.ErrConflict) {
		t.Errorf("a version that moved: %v", err)
	}
	if diff := cmp.Diff(before, l.nodes(a, z)); diff != "" {
		t.Error(diff)
	}
}

// Entities: the observations come together, clients are told, and the name of
// what was merged is free; undo gives it back.
func TestMergeOfEntities(t *testing.T) {
	l := newLab(t)
	entity := func(name, text string) string {
		return l.remember(text, func(m *brain.Memory, _ *brain.Details) { m.Name, m.Entity = name, true })
	}
	a, z := entity("Postgres", "listens on 5432\nis a database"), entity("PostgreSQL", "is a database\nhas views")
	plain := l.remember("postgres is fast", func(m *brain.Memory, _ *brain.Details) { m.Name = "fast" })
	before := l.nodes(a, z, plain)
	run, _ := l.merge(plain, a, z) // the entity keeps its name whoever is named
	got := l.node(a)
	want := []string{"listens on 5432", "is a database", "has views", "postgres is fast", "Merged from: fast, PostgreSQL (" + l.now.Format(time.DateOnly) + ")"}
	slices.Sort(want)
	have := slices.Sorted(slices.Values(got.Observations))
	if diff := cmp.Diff(want, have); diff != "" || got.Content != strings.Join(got.Observations, "\n") {
		t.Errorf("%s\ncontent %q", diff, got.Content)
	}
	if got.EntityKey == "" || l.node(z).EntityKey != "" || l.energy(a) != 5 {
		t.Errorf("keys %q and %q, energy %v", got.EntityKey, l.node(z).EntityKey, l.energy(a))
	}
	must[journal.Undone](l)(l.Journal.Undo(l.ctx(), run.ID, nil, nil))
	if diff := cmp.Diff(before, l.nodes(a, z, plain)); diff != "" {
		t.Error(diff)
	}
}

// A name that was taken meanwhile keeps all of the merge as it is.
func TestUndoOfAMergeWhoseNameIsTaken(t *testing.T) {
	l := newLab(t)
	entity := func(name string) string {
		return l.remember("is a thing", func(m *brain.Memory, _ *brain.Details) { m.Name, m.Entity = name, true })
	}
	a, z := entity("One"), entity("Two")
	run, _ := l.merge(a, z)
	merged := l.nodes(a, z)
	entity("Two")
	u := must[journal.Undone](l)(l.Journal.Undo(l.ctx(), run.ID, nil, nil))
	if u.Undone != 0 || len(u.Skipped) != 1 || !strings.Contains(u.Skipped[0].Reason, "taken") {
		t.Errorf("undone: %+v", u)
	}
	if diff := cmp.Diff(merged, l.nodes(a, z)); diff != "" {
		t.Error(diff)
	}
}

// An expired memory and a live one make a live one.
func TestMergeWithALivePartnerLives(t *testing.T) {
	l := newLab(t)
	expired := l.remember("a thing", nil)
	l.later(100 * time.Hour)
	l.consolidate()
	live := l.remember("a thing once more", nil)
	if got := l.tier(expired); got != tiers.Expired {
		t.Fatalf("it is %s", got)
	}
	l.merge(expired, live)
	if got := l.show(expired).Memory; *got.Tier != tiers.Working || got.ValidTo != nil || !near(*got.Energy, 1) {
		t.Errorf("the result is in %s until %v with %v", *got.Tier, got.ValidTo, *got.Energy)
	}
}

func TestHistoryTellsAMerge(t *testing.T) {
	l := newLab(t)
	a := l.remember("a thing", nil)
	l.later(time.Minute)
	z := l.remember("a thing once more", nil)
	l.later(time.Minute)
	l.merge(a, z)
	for _, id := range []string{a, z} {
		_, events, err := l.Journal.History(l.ctx(), id)
		var kinds []string
		for _, e := range events {
			kinds = append(kinds, e.Kind+" "+e.Memory)
		}
		want := []string{"capture " + a, "capture " + z, "merge " + a}
		if diff := cmp.Diff(want, kinds); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", id, err, diff)
		}
	}
}
