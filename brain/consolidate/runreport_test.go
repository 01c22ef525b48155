package consolidate_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
	"github.com/brainbridge/brainbridge/tiers"
)

func held(id, name string, tier tiers.Tier) *brain.Memory {
	m := &brain.Memory{ID: id, Name: name, Created: testlab.Start().Add(-200 * 24 * time.Hour), UseCount: 2}
	m.Tier = tier
	return m
}

// The actions of a run tell what was merged, promoted and forgotten.
func TestAccountTellsTheActions(t *testing.T) {
	a := consolidate.NewRunReport(brain.Run{ID: "r", Started: testlab.Start()}, nil)
	for _, act := range []brain.Action{
		{Kind: brain.ActPromote, IDs: []string{"p", "p2"}, Changes: []brain.Change{
			{Before: held("p", "riser", tiers.Working), After: held("p", "riser", tiers.ArchivedWorking)},
			{After: held("p2", "riser", tiers.ShortTerm)},
		}},
		{Kind: "promote-to-core", IDs: []string{"c"}, Changes: []brain.Change{{Before: held("c", "habit", tiers.LongTerm), After: held("c", "habit", tiers.Core)}}},
		{Kind: brain.ActExpire, IDs: []string{"e"}},
		{Kind: "merge", IDs: []string{"k", "s1", "s2"}, Reason: "0.97 alike", Similarity: 0.97, Changes: []brain.Change{
			{Before: held("k", "keeper", tiers.Working), After: held("k", "keeper", tiers.ShortTerm)},
			{Before: held("s1", "first", tiers.Working), After: held("s1", "first", tiers.Superseded)},
			{Before: held("s2", "second", tiers.Expired), After: held("s2", "second", tiers.Superseded)},
		}},
		{Kind: brain.ActForget, IDs: []string{"f2", "f"}, At: testlab.Start(), Archive: "/a.json", Changes: []brain.Change{
			{Before: held("f2", "gone", tiers.Expired)}, {Before: held("f", "gone", tiers.ArchivedWorking)},
		}},
		{Kind: brain.ActCurate, IDs: []string{"MEMORY.md"}},
	} {
		a.Add(act)
	}
	want := &consolidate.RunReport{
		Date:   testlab.Start(),
		Counts: consolidate.Counts{Merged: 2, Promoted: 1, PromotedToCore: 1, Expired: 1, Forgotten: 1},
		Merges: []consolidate.MergedMemory{{
			Named: consolidate.Named{ID: "k", Name: "keeper"}, Reason: "0.97 alike", Similarity: new(0.97),
			Originals: []consolidate.Named{{ID: "s1", Name: "first"}, {ID: "s2", Name: "second"}},
		}},
		Promotions: []consolidate.PromotedMemory{
			{Named: consolidate.Named{ID: "p2", Name: "riser"}, As: tiers.ShortTerm},
			{Named: consolidate.Named{ID: "c", Name: "habit"}, As: tiers.Core},
		},
		Forgotten: []consolidate.ForgottenMemory{{
			Named: consolidate.Named{ID: "f2", Name: "gone"}, AgeDays: 200, Uses: 2, Archive: "/a.json",
		}},
		Orphans: []consolidate.Named{}, Recommendations: []string{}, NextTriggers: []string{},
	}
	if d := cmp.Diff(want, a); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// What no action tells is kept with a whole run: how the brain stood before
// and after it, and which run came before.
func TestWholeRunsKeepTheirReport(t *testing.T) {
	s := testlab.OpenStore(t)
	seed(t, s, 4)
	looks := 0
	runAt := func(now time.Time, req consolidate.Request) (consolidate.Report, *consolidate.StoredReport) {
		t.Helper()
		r := newRunner(testlab.At(s, now), consolidate.Options{
			Warn: func(err error) { t.Error(err) },
			Checkup: func(context.Context) (consolidate.Checkup, error) {
				looks++
				return consolidate.Checkup{
					Vitals:          consolidate.Vitals{Measures: consolidate.Measures{Live: 4 - looks, Orphans: looks, AverageAgeDays: new(float64(looks))}},
					Recommendations: []string{"do `this`"},
				}, nil
			},
		})
		req.Kind = brain.RunConsolidate
		rep, err := r.Run(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if rep.RunID == "" {
			return rep, nil
		}
		run, err := testlab.At(s, now).Journal.Run(t.Context(), rep.RunID)
		if err != nil {
			t.Fatal(err)
		}
		kept, err := consolidate.ReadReport(run)
		if err != nil {
			t.Fatal(err)
		}
		return rep, kept
	}
	if _, kept := runAt(testlab.Start(), consolidate.Request{Background: true}); kept != nil || looks != 0 {
		t.Errorf("a run in the background measured health %d times and kept %+v", looks, kept)
	}
	rep, kept := runAt(testlab.Start().Add(24*time.Hour), consolidate.Request{})
	if kept == nil || looks != 2 || kept.Previous != nil || len(kept.NextTriggers) != 3 {
		t.Fatalf("%d looks, kept %+v", looks, kept)
	}
	told := consolidate.NewRunReport(brain.Run{}, kept)
	if h := told.Health; h == nil || h.Change.Live != -1 || h.Change.Orphans != 1 || *h.Change.AverageAgeDays != 1 || h.Change.AverageEffectiveness != nil {
		t.Errorf("health %+v", told.Health)
	}
	if len(told.Recommendations) != 1 || told.Counts.Orphans != 2 {
		t.Errorf("told %+v", told)
	}
	if again, _ := runAt(testlab.Start().Add(25*time.Hour), consolidate.Request{}); again.RunID != "" {
		t.Fatalf("nothing should be due, did %+v", again.Actions)
	}
	seed(t, s, 5) // the fifth one is new, of the time of the start, so it has long faded
	_, kept = runAt(testlab.Start().Add(26*time.Hour), consolidate.Request{})
	if kept == nil || kept.Previous == nil || kept.Previous.RunID != nil || !kept.Previous.Date.Equal(testlab.Start().Add(25*time.Hour)) {
		t.Errorf("after a run that changed nothing, the previous one is %+v (the first was %s)", kept.Previous, rep.RunID)
	}
}

// An undone run keeps its report, and so does one in the archive, which keeps
// the record as it is.
func TestReportSurvivesUndo(t *testing.T) {
	s := testlab.OpenStore(t)
	seed(t, s, 2)
	b := testlab.At(s, testlab.Start().Add(24*time.Hour))
	r := consolidate.New(b.Base, b.Journal, consolidate.Options{})
	rep, err := r.Run(t.Context(), consolidate.Request{Kind: brain.RunConsolidate})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Undo(t.Context(), rep.RunID); err != nil {
		t.Fatal(err)
	}
	run, err := b.Journal.Run(t.Context(), rep.RunID)
	if err != nil || run.Undone.IsZero() {
		t.Fatalf("%+v, %v", run, err)
	}
	if kept, err := consolidate.ReadReport(run); err != nil || kept == nil || len(kept.NextTriggers) == 0 {
		t.Errorf("kept %+v, %v", kept, err)
	}
	for line, err := range b.Journal.JournalLines(t.Context(), []brain.Run{run}) {
		var rec brain.Record
		var archived brain.Run
		if err != nil || json.Unmarshal(line, &rec) != nil || json.Unmarshal(rec.Body, &archived) != nil {
			t.Fatalf("%s, %v", line, err)
		}
		if kept, err := consolidate.ReadReport(archived); err != nil || kept == nil {
			t.Errorf("the archive keeps %+v, %v", kept, err)
		}
		break
	}
}

func TestABrokenReportSaysWhose(t *testing.T) {
	if _, err := consolidate.ReadReport(brain.Run{ID: "r7", Report: []byte("[")}); err == nil {
		t.Error("no error")
	}
}
