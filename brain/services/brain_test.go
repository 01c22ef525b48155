package services_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

func TestCaptureIsRecallableAtOnceAndOnce(t *testing.T) {
	l := newLab(t)
	c := must[brain.Capture](l)(l.Capture.New(brain.Source{Kind: brain.Crystallization, Trigger: "flaky test", Insight: "the fixture shares a port"}, brain.Details{Tags: []string{"#ci", "ci"}}))
	first := must[brain.Captured](l)(l.Capture.Capture(l.ctx(), c))
	if first.Tier != tiers.Working || first.Energy != 3 {
		t.Errorf("captured in %s with %v, want working with 3", first.Tier, first.Energy)
	}
	if again := must[brain.Captured](l)(l.Capture.Capture(l.ctx(), c)); !cmp.Equal(again, first) {
		t.Errorf("the same capture again: %+v, want %+v", again, first)
	}
	if got := l.recall(recall.Query{Words: words.Parse("fixture port"), NoTouch: true}); !cmp.Equal(got, []string{first.MemoryID}) {
		t.Errorf("recalled %v, want %s once", got, first.MemoryID)
	}
	shown := l.show(first.MemoryID)
	want := []brain.Relation{{From: first.SourceID, Type: brain.HasMemory, To: first.MemoryID}}
	if !cmp.Equal(shown.Relations, want) || !cmp.Equal(shown.Memory.Tags, []string{"ci"}) {
		t.Errorf("shown %+v", shown)
	}
}

func TestCaptureRelatesInTheSameTransaction(t *testing.T) {
	l := newLab(t)
	to := l.learn("ports", "8080 is taken")
	c := must[brain.Capture](l)(l.Capture.New(brain.Source{Kind: brain.Learning, Concept: "proxy", Learned: "listens on 9090"}, brain.Details{Relate: []brain.NewRelation{{Type: "applies_to", To: to[:8]}}}))
	id := must[brain.Captured](l)(l.Capture.Capture(l.ctx(), c)).MemoryID
	if rels := l.show(id).Relations; !cmp.Equal(rels[1:], []brain.Relation{{From: id, Type: "applies_to", To: to}}) && !cmp.Equal(rels[:1], []brain.Relation{{From: id, Type: "applies_to", To: to}}) {
		t.Errorf("relations %v", rels)
	}
	bad := must[brain.Capture](l)(l.Capture.New(brain.Source{Kind: brain.Learning, Concept: "lost", Learned: "nowhere"}, brain.Details{Relate: []brain.NewRelation{{Type: "applies_to", To: "ffffffff-0000"}}}))
	if _, err := l.Capture.Capture(l.ctx(), bad); !errors.Is(err, brain.ErrNotFound) {
		t.Errorf("a relation to nothing: %v, want not found", err)
	}
	if got := l.recall(recall.Query{Words: words.Parse("nowhere"), NoTouch: true}); got != nil {
		t.Errorf("half a capture is stored: %v", got)
	}
}

func TestRefusedText(t *testing.T) {
	l := newLab(t)
	for name, text := range map[string]string{
		"empty": " \n", "not UTF-8": "a\xff", "NUL": "a\x00b", "too long": string(make([]byte, brain.MaxContent+1)),
	} {
		if _, err := l.Capture.New(brain.Source{Kind: brain.Learning, Concept: "x", Learned: text}, brain.Details{}); !errors.Is(err, brain.ErrInvalid) {
			t.Errorf("%s: %v, want invalid", name, err)
		}
	}
}

// The lid of a laptop closes: one run after twelve hours comes to the same as
// a run every ten minutes.
func TestCrystallizationOverNight(t *testing.T) {
	once, often := newLab(t), newLab(t)
	a, z := once.crystallize("lid", "closed"), often.crystallize("lid", "closed")
	for range 72 {
		often.later(10 * time.Minute)
		often.consolidate()
	}
	once.later(12 * time.Hour)
	once.consolidate()
	want := 3 * math.Exp(-0.05*12)
	for name, got := range map[string]brain.View{"once": once.show(a).Memory, "often": often.show(z).Memory} {
		if *got.Tier != tiers.ShortTerm || !near(*got.Energy, want) {
			t.Errorf("%s: %s with %v, want shortTerm with %v", name, *got.Tier, *got.Energy, want)
		}
	}
	if x, y := once.show(a).Memory.ExpiresAt, often.show(z).Memory.ExpiresAt; !x.Equal(*y) {
		t.Errorf("expires at %v after one run, at %v after many", x, y)
	}
}

func TestEveryDuePromotionInOneRun(t *testing.T) {
	l := newLab(t)
	for i := range 25 {
		l.crystallize("due", string(rune('a'+i)))
	}
	if rep := l.consolidate(); len(rep.Promoted) != 25 || rep.Skipped != 0 {
		t.Errorf("promoted %d, skipped %d, want 25 and 0", len(rep.Promoted), rep.Skipped)
	}
	if rep := l.consolidate(); len(rep.Actions) != 0 || rep.RunID != "" {
		t.Errorf("a second run did %d actions", len(rep.Actions))
	}
}

func TestDryRunWritesNothing(t *testing.T) {
	l := newLab(t)
	id := l.crystallize("due", "now")
	rep := must[consolidate.Report](l)(l.run.Run(l.ctx(), consolidate.Request{Kind: brain.RunConsolidate, DryRun: true}))
	if len(rep.Actions) != 1 || rep.Actions[0].IDs[0] != id || rep.RunID != "" {
		t.Errorf("planned %+v", rep)
	}
	if runs := must[[]brain.Run](l)(l.Journal.Runs(l.ctx(), 10)); len(runs) != 0 || l.tier(id) != tiers.Working {
		t.Errorf("a dry run left %v, tier %s", runs, l.tier(id))
	}
}

func TestTouchesCountOnceASession(t *testing.T) {
	l := newLab(t)
	id := l.learn("limit", "once an hour on the command line")
	for range 3 {
		l.recall(recall.Query{Words: words.Parse("limit")})
		must[brain.Memory](l)(l.Capture.Open(l.ctx(), id))
	}
	m := l.node(l.show(id).Memory.ID)
	if m.RecallCount != 1 || m.AccessCount != 2 || m.SessionCount != 1 || m.UseCount != 1 || !near(m.Energy, 3.25) {
		t.Errorf("recalls %d, accesses %d, sessions %d, uses %d, energy %v; want 1, 2, 1, 1 and 3.25",
			m.RecallCount, m.AccessCount, m.SessionCount, m.UseCount, m.Energy)
	}
	l.later(time.Hour)
	must[brain.Memory](l)(l.Capture.Used(l.ctx(), id, brain.Helpful, ""))
	must[brain.Memory](l)(l.Capture.Used(l.ctx(), id, brain.NotHelpful, ""))
	m = l.node(l.show(id).Memory.ID)
	if m.HelpfulCount != 1 || m.NotHelpfulCount != 0 || m.AccessCount != 3 || m.SessionCount != 2 {
		t.Errorf("helpful %d, not helpful %d, accesses %d, sessions %d; want 1, 0, 3 and 2",
			m.HelpfulCount, m.NotHelpfulCount, m.AccessCount, m.SessionCount)
	}
}

func TestExpiredIsRecallableAndRevives(t *testing.T) {
	l := newLab(t)
	id := l.learn("sunk", "treasure")
	l.later(1000 * time.Hour)
	if got := l.tier(id); got != tiers.Expired {
		t.Fatalf("unswept it is %s, want expired", got)
	}
	if views := must[[]brain.View](l)(l.Recall.List(l.ctx(), lifecycle.ListQuery{Live: true})); len(views) != 0 {
		t.Errorf("the default list shows %v", views)
	}
	l.consolidate()
	before := l.node(id)
	if got := l.recall(recall.Query{Words: words.Parse("treasure")}); !cmp.Equal(got, []string{id}) {
		t.Fatalf("recalled %v", got)
	}
	after := l.node(id)
	if after.State != before.State || after.RecallCount != 1 {
		t.Errorf("a recall moved more than the counter of an expired memory: %+v", after)
	}
	must[brain.Memory](l)(l.Capture.Boost(l.ctx(), id, 0))
	if m := l.show(id).Memory; *m.Tier != tiers.Working || m.ValidTo != nil || math.Abs(*m.Energy-1) > 0.001 {
		t.Errorf("revived: %s with %v, valid to %v", *m.Tier, *m.Energy, m.ValidTo)
	}
}

func TestCorrectKeepsTheEarlierText(t *testing.T) {
	l := newLab(t)
	id := l.learn("port", "staging listens on 5432")
	earlier := l.now
	l.later(time.Hour)
	next := ran[brain.Memory](l)(l.Capture.Correct(l.ctx(), id, "", "staging listens on 5433"))
	if got := l.show(id); got.Memory.ID != id || next.ID != id || got.Memory.Content != "staging listens on 5433" {
		t.Errorf("it shows %+v", got.Memory)
	}
	if got := l.recall(recall.Query{Words: words.Parse("staging listens"), NoTouch: true}); !cmp.Equal(got, []string{id}) {
		t.Errorf("now recalls %v, want the new one alone", got)
	}
	if got := l.recall(recall.Query{Words: words.Parse("staging listens"), AsOf: earlier}); !cmp.Equal(got, []string{id}) {
		t.Errorf("as of then recalls %v, want it alone", got)
	}
	last := must[brain.Run](l)(l.Journal.LastRun(l.ctx()))
	must[journal.Undone](l)(l.Journal.Undo(l.ctx(), last.ID, nil, nil))
	if got := l.show(id).Memory; got.ID != id || got.Content != "staging listens on 5432" || got.ValidTo != nil {
		t.Errorf("after undo: %+v", got)
	}
}

func TestForgetAndBack(t *testing.T) {
	for _, way := range []string{"unforget", "undo"} {
		t.Run(way, func(t *testing.T) {
			l := newLab(t)
			id, other := l.crystallize("secret", "plan nine"), l.learn("film", "is old")
			ran[brain.Relation](l)(l.Capture.Relate(l.ctx(), other, "related_to", id))
			l.consolidate()
			newest := l.show(id).Memory
			rels := l.show(id).Relations
			ran[brain.Memory](l)(l.Journal.Forget(l.ctx(), id, "asked for"))
			if _, err := l.Recall.Show(l.ctx(), id, false); !errors.Is(err, brain.ErrNotFound) {
				t.Fatalf("forgotten but shown: %v", err)
			}
			if got := l.recall(recall.Query{Words: words.Parse("plan nine")}); got != nil {
				t.Fatalf("forgotten but recalled: %v", got)
			}
			if way == "unforget" {
				ran[brain.Memory](l)(l.Journal.Unforget(l.ctx(), newest.ID))
			} else {
				must[journal.Undone](l)(l.Journal.Undo(l.ctx(), must[brain.Run](l)(l.Journal.LastRun(l.ctx())).ID, nil, nil))
			}
			back := l.show(id)
			if diff := cmp.Diff(newest, back.Memory, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("brought back (-before +after):\n%s", diff)
			}
			if !cmp.Equal(back.Relations, rels) {
				t.Errorf("relations %v, want %v", back.Relations, rels)
			}
			if got := l.recall(recall.Query{Words: words.Parse("plan nine"), NoTouch: true}); !cmp.Equal(got, []string{newest.ID}) {
				t.Errorf("recalled %v", got)
			}
		})
	}
}

// Everything that a brain of test memories makes has an id that says so.
func TestIDsOfATestBrainSaySo(t *testing.T) {
	l := newTestLab(t)
	a, z := l.crystallize("one", "thing"), l.learn("another", "thing")
	ran[brain.Relation](l)(l.Capture.Relate(l.ctx(), a, "part_of", z))
	rep := l.consolidate()
	corrected := ran[brain.Memory](l)(l.Capture.Correct(l.ctx(), z, "", "a new text"))
	item := l.flag(brain.ReviewMerge, nil, a, corrected.ID)
	ids := []string{a, z, l.show(a).Source.ID, rep.RunID, string(rep.Promoted[0].Archived), corrected.ID, item.ID}
	for _, run := range must[[]brain.Run](l)(l.Journal.Runs(l.ctx(), 10)) {
		ids = append(ids, run.ID)
	}
	for _, id := range ids {
		if !brain.IsTest(id) || !l.Base.OwnsID(id) {
			t.Errorf("%s is not an id of a test brain", id)
		}
	}
	if v := l.show(a).Memory; !v.IsTest {
		t.Errorf("shown as %+v", v)
	}
}

func TestPolicyChangeKeepsThePast(t *testing.T) {
	l := newLab(t)
	id := l.learn("fade", "slower from now on")
	l.later(time.Hour)
	if err := l.Base.SetNumber(l.ctx(), "lambda.working", 0.1); err != nil {
		t.Fatal(err)
	}
	l.later(time.Hour)
	want := 2 * math.Exp(-0.5-0.1)
	if got := l.energy(id); math.Abs(got-want) > 1e-6 {
		t.Errorf("energy %v, want %v", got, want)
	}
	if err := l.Base.SetNumber(l.ctx(), "lambda.nowhere", 1); !errors.Is(err, brain.ErrInvalid) {
		t.Errorf("an unknown number: %v", err)
	}
}

// A threshold that rises expires at once what is below it already.
func TestPolicyChangeMovesExpiries(t *testing.T) {
	l := newLab(t)
	id := l.learn("weak", "but not that weak")
	l.later(3 * time.Hour)
	if err := l.Base.SetNumber(l.ctx(), "expire.below", 0.9); err != nil {
		t.Fatal(err)
	}
	l.later(time.Minute)
	want := l.now.Add(-time.Minute)
	if got := l.show(id).Memory; got.ExpiresAt == nil || !got.ExpiresAt.Equal(want) {
		t.Errorf("expires at %v, want %v", got.ExpiresAt, want)
	}
	if st := must[recall.Status](l)(l.Recall.Status(l.ctx())); st.Tiers[tiers.Expired] != 1 {
		t.Errorf("status %v", st.Tiers)
	}
	if rep := l.consolidate(); rep.Expired != 1 {
		t.Errorf("expired %d", rep.Expired)
	}
}

func TestReminderUntilDone(t *testing.T) {
	l := newLab(t)
	c := must[brain.Capture](l)(l.Capture.New(brain.Source{Kind: brain.Reminder, Text: "call the bank", Due: l.now.Add(time.Hour)}, brain.Details{}))
	id := must[brain.Captured](l)(l.Capture.Capture(l.ctx(), c)).MemoryID
	l.later(5000 * time.Hour)
	text := l.context(recall.ContextQuery{}).Text
	if !strings.Contains(text, "call the bank") {
		t.Errorf("an open reminder is not in the context:\n%s", text)
	}
	must[brain.Source](l)(l.Capture.Done(l.ctx(), id, false))
	if text := l.context(recall.ContextQuery{}).Text; strings.Contains(text, "call the bank") {
		t.Errorf("a reminder that is done is in the context:\n%s", text)
	}
	must[brain.Source](l)(l.Capture.Done(l.ctx(), id, true))
	if open := must[[]brain.Source](l)(l.Recall.Sources(l.ctx(), brain.SourceFilter{Open: true, Kind: brain.Reminder})); len(open) != 1 {
		t.Errorf("open again: %v", open)
	}
}

// Of many reminders those that are due about now are shown first, and memories before the rest.
func TestUrgentRemindersComeFirst(t *testing.T) {
	l := newLab(t)
	l.learn("the tar of the hull", "it dries in two days")
	for i := range 60 {
		due := l.now.Add(time.Duration(30+i) * 24 * time.Hour)
		if i == 0 {
			due = l.now.Add(24 * time.Hour)
		}
		c := must[brain.Capture](l)(l.Capture.New(brain.Source{Kind: brain.Reminder, Text: fmt.Sprint("paint plank number ", i), Due: due}, brain.Details{}))
		must[brain.Captured](l)(l.Capture.Capture(l.ctx(), c))
	}
	text := l.context(recall.ContextQuery{Budget: 300}).Text
	if !strings.Contains(text, "plank number 0,") || !strings.Contains(text, "dries in two days") || !strings.Contains(text, "plank number 1,") || strings.Contains(text, "plank number 40,") {
		t.Errorf("the context is\n%s", text)
	}
}

func TestHistoryTellsEverything(t *testing.T) {
	l := newLab(t)
	id := l.crystallize("story", "begins")
	l.later(time.Minute)
	l.consolidate()
	must[brain.Memory](l)(l.Capture.Boost(l.ctx(), id, 3))
	l.later(time.Minute)
	ran[brain.Memory](l)(l.Capture.Correct(l.ctx(), id, "", "goes on"))
	// The boost lifts it over 5.0: correcting it settles that first.
	l.wantHistory(id, "capture", "promote", "boost", "promote", "supersede")
	why := must[journal.Why](l)(l.Journal.Why(l.ctx(), id))
	if len(why.Reasons) == 0 || why.HalfLife == nil {
		t.Errorf("why says %+v", why)
	}
}
