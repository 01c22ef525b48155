package graph

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

func noon() time.Time { return time.Date(2026, 2, 5, 12, 0, 0, 0, time.UTC) }

func entity(id, name string, observations ...string) brain.Memory {
	m := brain.Memory{ID: id, Name: name, Observations: observations, Version: 1}
	m.Entity = true
	m.Complete()
	return m
}

func named(ms ...brain.Memory) map[string]brain.Memory {
	found := map[string]brain.Memory{}
	for _, m := range ms {
		found[m.Name] = m
	}
	return found
}

func TestPlanAdded(t *testing.T) {
	found := named(entity("1", "Ann", "likes tea"))
	found["Anna"] = found["Ann"] // a former name
	changes, added, err := planAdded(found, []ObservationsOf{
		{"Ann", []string{"likes tea", "runs"}}, {"Anna", []string{"runs", "swims", "swims"}},
	}, noon())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]ObservationsOf{{"Ann", []string{"runs"}}, {"Anna", []string{"swims"}}}, added); diff != "" {
		t.Errorf("added:\n%s", diff)
	}
	if len(changes) != 1 || !cmp.Equal(changes[0].After.Observations, []string{"likes tea", "runs", "swims"}) || changes[0].After.Version != 2 {
		t.Errorf("changes %+v", changes)
	}
	if !cmp.Equal(changes[0].Before.Observations, []string{"likes tea"}) {
		t.Errorf("the state before was changed: %+v", changes[0].Before)
	}
	if again, _, err := planAdded(named(*changes[0].After), []ObservationsOf{{"Ann", []string{"runs", "swims"}}}, noon()); err != nil || len(again) > 0 {
		t.Errorf("a repeated transaction adds %+v again, %v", again, err)
	}
	if _, _, err := planAdded(found, []ObservationsOf{{"Bob", nil}}, noon()); !errors.Is(err, brain.ErrNotFound) {
		t.Errorf("a missing entity: %v", err)
	}
}

func TestPlanRelations(t *testing.T) {
	rel := func(from, to string) brain.EntityRelation {
		return brain.EntityRelation{From: from, To: to, RelationType: "knows"}
	}
	f := related{
		entities: named(entity("1", "Ann"), entity("2", "Bob"), entity("3", "Cid")),
		held:     map[brain.Relation]brain.Relation{{From: "1", Type: "knows", To: "2"}: {From: "1", Type: "knows", To: "2", Made: 7}},
		waiting:  map[brain.EntityRelation]brain.Record{rel("Ann", "Zoe"): {ID: "waits"}},
	}
	wanted := []brain.EntityRelation{rel("Ann", "Bob"), rel("Ann", "Cid"), rel("Ann", "Zoe"), rel("Bob", "Yve"), rel("Ann", "Ann"), rel("Bob", "Cid")}
	actions, made, err := planRelations(f, wanted, noon())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]brain.EntityRelation{rel("Ann", "Cid"), rel("Bob", "Yve"), rel("Ann", "Ann"), rel("Bob", "Cid")}, made); diff != "" {
		t.Errorf("made:\n%s", diff)
	}
	start := noon().UnixMicro()
	if actions[0].Linked[0].Made != start || actions[1].Linked[0].Made != start+3 {
		t.Errorf("instants %+v", actions)
	}
	f.latest = start + 5 // of a call at the same instant
	if later, _, err := planRelations(f, []brain.EntityRelation{rel("Cid", "Ann")}, noon()); err != nil || later[0].Linked[0].Made != start+6 {
		t.Errorf("a later call at the same instant: %+v, %v", later, err)
	}
	if len(actions) != 3 || len(actions[0].Linked) != 2 || actions[1].IDs[0] != "2" || len(actions[2].Made) != 1 {
		t.Errorf("actions %+v", actions)
	}
	parted := planUnrelated(f, []brain.EntityRelation{rel("Ann", "Cid"), rel("Ann", "Zoe"), rel("Ann", "Bob"), rel("Bob", "Ann")}, noon())
	if len(parted) != 3 || parted[0].Changes[0].After.Version != 2 || parted[2].Changes[0].After.Version != 3 || parted[1].Removed[0].ID != "waits" || parted[2].Unlinked[0].Made != 7 {
		t.Errorf("parted %+v", parted)
	}
}

func TestNewGraph(t *testing.T) {
	ann, bob, cid := entity("1", "Ann"), entity("2", "Bob"), entity("3", "Cid")
	bob.Position, cid.Position = 2, 1
	ann.ValidFrom = noon() // a correction does not change the order
	rels := []brain.Relation{
		{From: "1", Type: "knows", To: "2"},
		{From: "1", Type: "knows", To: "3"},
		{From: "1", Type: "knows", To: "gone"},
		{From: "1", Type: "likes", To: "2", Made: 9},
		{From: "1", Type: "likes", To: "3", Made: 7},
	}
	waiting := []lifecycle.PendingEntityRelation{
		{EntityRelation: brain.EntityRelation{From: "Ann", To: "Zoe", RelationType: "knows"}, Made: 8},
		{EntityRelation: brain.EntityRelation{From: "Yve", To: "Zoe", RelationType: "knows"}},
	}
	all := []brain.Memory{bob, cid, ann}
	got := newGraph(all, []brain.Memory{ann}, rels, waiting, false)
	want := brain.Graph{Entities: []brain.Entity{{Name: "Ann", Observations: []string{}}}, Relations: []brain.EntityRelation{
		{From: "Ann", To: "Cid", RelationType: "knows"},
		{From: "Ann", To: "Bob", RelationType: "knows"},
		{From: "Ann", To: "Cid", RelationType: "likes"},
		{From: "Ann", To: "Zoe", RelationType: "knows"},
		{From: "Ann", To: "Bob", RelationType: "likes"},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if whole := newGraph(all, all, nil, waiting, true); len(whole.Entities) != 3 || len(whole.Relations) != 2 {
		t.Errorf("the whole graph: %+v", whole)
	}
}
