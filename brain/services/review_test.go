package services_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/tiers"
)

// flag puts one item about these memories into the queue.
func (l *lab) flag(kind brain.ReviewKind, proposed *brain.Memory, ids ...string) brain.ReviewItem {
	l.t.Helper()
	made, err := l.Review.Flag(l.ctx(), brain.ReviewItem{Kind: kind, Reason: "they are alike", Memories: ids, Proposed: proposed})
	if err != nil || made != 1 {
		l.t.Fatalf("flagged %d, %v", made, err)
	}
	return must[[]brain.ReviewItem](l)(l.Review.Reviews(l.ctx(), brain.ReviewPending))[0]
}

// decide applies a verdict.
func (l *lab) decide(id, verdict, text string) brain.ReviewItem {
	l.t.Helper()
	return must[brain.ReviewItem](l)(l.Review.Decide(l.ctx(), id, verdict, text))
}

func (l *lab) undo(runID string) {
	l.t.Helper()
	if undone := must[journal.Undone](l)(l.Journal.Undo(l.ctx(), runID, nil, nil)); len(undone.Skipped) > 0 {
		l.t.Errorf("left %+v", undone.Skipped)
	}
}

func TestFlagAsksOnce(t *testing.T) {
	l := newLab(t)
	a, z := l.remember("a red thing", nil), l.remember("a blue thing", nil)
	item := l.flag(brain.ReviewPair, nil, a, z)
	again := brain.ReviewItem{Kind: brain.ReviewMerge, Memories: []string{z, a}}
	for _, state := range []brain.ReviewState{brain.ReviewPending, brain.ReviewDecided} {
		if made, err := l.Review.Flag(l.ctx(), again, again); made != 0 || err != nil {
			t.Errorf("%s: it is asked again: %d, %v", state, made, err)
		}
		if got := must[[]brain.ReviewItem](l)(l.Review.Reviews(l.ctx(), state)); len(got) != 1 || got[0].ID != item.ID || got[0].Kind != brain.ReviewPair {
			t.Errorf("%s: %+v", state, got)
		}
		if state == brain.ReviewPending {
			l.decide(item.ID[:8], brain.VerdictBoth, "")
		}
	}
	if no := l.keptApart(); !no[item.Fingerprint] {
		t.Error("a run may merge them")
	}
	if _, err := l.Review.Flag(l.ctx(), brain.ReviewItem{Kind: brain.ReviewMerge, Memories: []string{a, "nothing"}}); !errors.Is(err, brain.ErrNotFound) {
		t.Errorf("a memory that is not there: %v", err)
	}
}

// A text that a model proposes is added to an item that waits without one.
func TestFlagAddsAText(t *testing.T) {
	l := newLab(t)
	a, z := l.remember("the port is 5432", nil), l.remember("our port is 5432", nil)
	item := l.flag(brain.ReviewMerge, nil, a, z)
	if with := l.flag(brain.ReviewMerge, &brain.Memory{Content: "Our port is 5432."}, a, z); with.ID != item.ID || with.Proposed == nil {
		t.Errorf("%+v", with)
	}
}

func TestReviewsNewestFirst(t *testing.T) {
	l := newLab(t)
	var want []string
	for _, text := range []string{"a", "b", "c"} {
		item := l.flag(brain.ReviewMerge, nil, l.remember(text+" thing", nil), l.remember(text+" things", nil))
		want = append([]string{item.ID}, want...)
		l.later(time.Minute)
	}
	var got []string
	for _, item := range must[[]brain.ReviewItem](l)(l.Review.Reviews(l.ctx(), "")) {
		got = append(got, item.ID)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Each verdict about a pair is a run. Its undo brings back both memories as they were, and
// the question.
func TestVerdictsAboutAPair(t *testing.T) {
	const older, newer, both = "The port of staging is 5432", "The port of staging is 5433", "The port of staging is 5432 or 5433"
	for name, c := range map[string]struct {
		verdict, text string
		olderIs       string // what its id leads to
		newerIs       string
	}{
		"newer":            {brain.VerdictNewer, "", newer, newer},
		"older":            {brain.VerdictOlder, "", older, older},
		"both":             {brain.VerdictBoth, "", older, newer},
		"same":             {brain.VerdictSame, "", newer, newer},
		"same with a text": {brain.VerdictSame, both, both, both},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			ids := []string{l.remember(older, nil)}
			l.later(time.Minute)
			ids = append(ids, l.remember(newer, nil))
			before, relations := l.nodes(ids...), l.relations(ids...)
			item := l.flag(brain.ReviewPair, nil, ids...) // in any order
			if !slices.Equal(item.Memories, []string{ids[1], ids[0]}) {
				t.Errorf("the newer one is not first: %v", item.Memories)
			}
			l.later(time.Minute)
			done := l.decide(item.ID, c.verdict, c.text)
			run := must[brain.Run](l)(l.Journal.LastRun(l.ctx()))
			if done.State != brain.ReviewDecided || done.Verdict != c.verdict || run.ID != done.RunID || run.Kind != brain.RunReview {
				t.Errorf("%+v by %+v", done, run)
			}
			for i, want := range []string{c.olderIs, c.newerIs} {
				if got := l.show(ids[i]).Memory; got.Content != want || !got.Tier.Live() {
					t.Errorf("%s leads to %+v, want %q", ids[i], got, want)
				}
			}
			if _, err := l.Review.Decide(l.ctx(), item.ID, brain.VerdictBoth, ""); !errors.Is(err, brain.ErrInvalid) || !strings.Contains(err.Error(), "was decided") {
				t.Errorf("decided twice: %v", err)
			}
			l.undo(done.RunID)
			if diff := cmp.Diff(before, l.nodes(ids...)) + cmp.Diff(relations, l.relations(ids...)); diff != "" {
				t.Errorf("undone:\n%s", diff)
			}
			if got := must[[]brain.ReviewItem](l)(l.Review.Reviews(l.ctx(), brain.ReviewPending)); len(got) != 1 || got[0].ID != item.ID || got[0].RunID != "" || got[0].Verdict != "" {
				t.Errorf("after the undo there wait %+v", got)
			}
			l.decide(item.ID, c.verdict, c.text)
		})
	}
}

// What replaces a decision is one.
func TestAReplacementKeepsTheType(t *testing.T) {
	l := newLab(t)
	was := l.remember("the port is 5432", func(m *brain.Memory, d *brain.Details) { m.MemoryType, d.Importance = "decision", brain.Critical })
	l.later(time.Minute)
	kept := l.remember("the port is 5433", nil)
	l.decide(l.flag(brain.ReviewPair, nil, kept, was).ID, brain.VerdictNewer, "")
	if got := l.show(was).Memory; got.ID != kept || got.MemoryType != "decision" || got.Importance != brain.Critical || got.Content != "the port is 5433" {
		t.Errorf("kept %+v", got)
	}
}

// A merge that is undone is asked about again, but no run merges it by itself.
func TestVerdictsAboutAMerge(t *testing.T) {
	l := newLab(t)
	a := l.remember("the port is 5432", nil)
	l.later(time.Minute)
	z := l.remember("our port is 5432", nil)
	before := l.nodes(a, z)
	item := l.flag(brain.ReviewMerge, nil, a, z)
	done := l.decide(item.ID, brain.VerdictSame, "")
	if l.show(a).Memory.ID != z {
		t.Errorf("%s leads to %s", a, l.show(a).Memory.ID)
	}
	l.undo(done.RunID)
	if diff := cmp.Diff(before, l.nodes(a, z)); diff != "" {
		t.Error(diff)
	}
	if no := l.keptApart(); !no[item.Fingerprint] {
		t.Error("a run may merge again what was undone")
	}
	done = l.decide(item.ID, brain.VerdictBoth, "")
	if diff := cmp.Diff(before, l.nodes(a, z)); diff != "" {
		t.Error(diff)
	}
	l.undo(done.RunID)
	l.decide(item.ID, brain.VerdictSame, "")
	if l.show(a).Memory.ID != z {
		t.Error("it was not merged the second time")
	}
}

// Of two memories that say much the same, one may hold instead of the other; of three none.
func TestAMergeOfTwoCanBeAReplacement(t *testing.T) {
	for verdict, want := range map[string]string{
		brain.VerdictNewer: "The release branch is called trunk", brain.VerdictOlder: "The release branch is called main",
	} {
		l := newLab(t)
		older := l.keep("", "decision", "", "The release branch is called main")
		l.later(time.Minute)
		newer := l.keep("", "decision", "", "The release branch is called trunk")
		before := l.nodes(older, newer)
		item := l.flag(brain.ReviewMerge, nil, older, newer)
		if !slices.Equal(item.Memories, []string{newer, older}) || !slices.Equal(item.Verdicts(), []string{"same", "both", "newer", "older"}) {
			t.Errorf("%v, %v", item.Memories, item.Verdicts())
		}
		done := l.decide(item.ID, verdict, "")
		kept := l.show(older).Memory
		if kept.Content != want || l.show(newer).Memory.ID != kept.ID {
			t.Errorf("%s: %q holds, want %q", verdict, kept.Content, want)
		}
		if c := l.context(recall.ContextQuery{}); !strings.Contains(c.Text, want+" (was: ") {
			t.Errorf("%s:\n%s", verdict, c.Text)
		}
		l.undo(done.RunID)
		if diff := cmp.Diff(before, l.nodes(older, newer)); diff != "" {
			t.Error(diff)
		}
		l.later(time.Minute)
		third := l.keep("", "decision", "", "The release branch is called stable")
		item = l.flag(brain.ReviewMerge, nil, older, newer, third)
		_, err := l.Review.Decide(l.ctx(), item.ID, verdict, "")
		var said *brain.Error
		if !errors.Is(err, brain.ErrInvalid) || !errors.As(err, &said) || said.Hint != "decide it as same or both" || !strings.Contains(said.Error(), "a merge of 3 memories") {
			t.Errorf("of three: %v", err)
		}
	}
}

func TestVerdictsAboutCoreMemory(t *testing.T) {
	l := newLab(t)
	id := l.remember("tests come first", nil)
	item := l.flag(brain.ReviewCore, nil, id)
	rejected := l.decide(item.ID, brain.VerdictReject, "")
	if l.tier(id) == tiers.Core {
		t.Error("rejected, it is in core memory")
	}
	l.undo(rejected.RunID)
	accepted := l.decide(item.ID, brain.VerdictAccept, "")
	if l.tier(id) != tiers.Core {
		t.Errorf("accepted, it is in %s", l.tier(id))
	}
	l.undo(accepted.RunID)
	if l.tier(id) == tiers.Core {
		t.Error("undone, it is in core memory")
	}
}

// The text that an agent writes is checked as that of a model is; that of a model is used
// if none is given.
func TestTheTextOfAMerge(t *testing.T) {
	l := newLab(t)
	one := "The heron service keeps the sessions of its users in memory on the big machine downstairs"
	two := strings.Replace(one, "big", "big dusty", 1)
	a, z := l.remember(one, nil), l.remember(two, nil)
	item := l.flag(brain.ReviewMerge, &brain.Memory{Content: two + " indeed"}, a, z)
	for text, want := range map[string]string{
		two + " at port 9999":                     "a number that none",
		two + ", said Bob":                        "a name that none",
		two + ", see https://example.com/a":       "a URL that none",
		"Lunch is at noon in the canteen":         "too far from one of the memories",
		strings.Replace(two, "heron", "otter", 1): "leaves out",
	} {
		if _, err := l.Review.Decide(l.ctx(), item.ID, brain.VerdictSame, text); !errors.Is(err, brain.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	proposed := l.decide(item.ID, brain.VerdictSame, "")
	if got := l.show(a).Memory; got.Content != two+" indeed" || got.ID != l.show(z).Memory.ID || got.MemoryType != "note" {
		t.Errorf("%+v", got)
	}
	l.undo(proposed.RunID)
	l.decide(item.ID, brain.VerdictSame, two+".")
	if got := l.show(z).Memory; got.Content != two+"." || got.ID != l.show(a).Memory.ID || (l.node(a).Tier == tiers.Superseded) == (l.node(z).Tier == tiers.Superseded) {
		t.Errorf("%+v", got)
	}
}

// The two sides of a pair may say the same in other words, so a text that is unlike one of
// them is right, unless it has a fact that neither has.
func TestTheTextOfAPair(t *testing.T) {
	l := newLab(t)
	item := l.flag(brain.ReviewPair, nil, l.remember("Pictures live in a bucket", nil), l.remember("All our images are stored in R2", nil))
	if _, err := l.Review.Decide(l.ctx(), item.ID, brain.VerdictSame, "Images are stored in R2, at most 9 MB each"); !errors.Is(err, brain.ErrInvalid) {
		t.Errorf("a number that neither has: %v", err)
	}
	l.decide(item.ID, brain.VerdictSame, "All images are stored in R2")
}

func TestAVerdictFitsTheKind(t *testing.T) {
	l := newLab(t)
	a, z := l.remember("a red thing", nil), l.remember("a blue thing", nil)
	pair := l.flag(brain.ReviewPair, nil, a, z)
	l.later(time.Minute)
	core := l.flag(brain.ReviewCore, nil, a)
	for _, c := range []struct{ id, verdict, text, want string }{
		{pair.ID, "accept", "", "newer, older, both or same"},
		{pair.ID, "", "", "newer, older, both or same"},
		{core.ID, "both", "", "accept or reject"},
		{pair.ID, "both", "a text", "with the verdict same only"},
	} {
		_, err := l.Review.Decide(l.ctx(), c.id, c.verdict, c.text)
		var said *brain.Error
		if !errors.Is(err, brain.ErrInvalid) || !errors.As(err, &said) || !strings.Contains(said.Hint, c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if _, err := l.Review.Decide(l.ctx(), "00000000", brain.VerdictBoth, ""); !errors.Is(err, brain.ErrNotFound) {
		t.Errorf("an item that is not there: %v", err)
	}
}

// A verdict is about the texts that were seen. The item is open again if an undo restores them.
func TestItemsCloseByThemselves(t *testing.T) {
	change := map[string]struct {
		do   func(l *lab, id string) brain.Run
		want error
	}{
		"edited": {func(l *lab, id string) brain.Run {
			_, run, err := l.Capture.Correct(l.ctx(), id, "", "quite another")
			must[int](l)(0, err)
			return run
		}, brain.ErrConflict},
		"forgotten": {func(l *lab, id string) brain.Run {
			_, run, err := l.Journal.Forget(l.ctx(), id, "gone")
			must[int](l)(0, err)
			return run
		}, brain.ErrNotFound},
		"merged": {func(l *lab, id string) brain.Run {
			run, _ := l.merge(l.remember("one more", nil), id)
			return run
		}, brain.ErrConflict},
		"replaced": {func(l *lab, id string) brain.Run {
			_, run, err := l.Review.Replace(l.ctx(), id, l.remember("one more", nil))
			must[int](l)(0, err)
			return run
		}, brain.ErrConflict},
	}
	for name, c := range change {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			a, z := l.remember("the port is 5432", nil), l.remember("our port is 5433", nil)
			item := l.flag(brain.ReviewPair, nil, a, z)
			run := c.do(l, z)
			_, err := l.Review.Decide(l.ctx(), item.ID, brain.VerdictBoth, "")
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), z) {
				t.Errorf("the error is %v", err)
			}
			closed := must[[]brain.ReviewItem](l)(l.Review.Reviews(l.ctx(), brain.ReviewClosed))
			if n := must[int](l)(l.Review.Open(l.ctx())); n != 0 || len(closed) != 1 || closed[0].ID != item.ID {
				t.Errorf("%d open, closed %v", n, closed)
			}
			if pairs := l.openPairsIn("a session"); len(pairs) != 0 {
				t.Errorf("shown: %v", pairs)
			}
			l.undo(run.ID)
			if n := must[int](l)(l.Review.Open(l.ctx())); n != 1 {
				t.Errorf("undone, %d are open", n)
			}
		})
	}
}

// openPairsIn returns the ids of at most three open pairs as they are shown in a session.
func (l *lab) openPairsIn(session string) (ids []string) {
	l.t.Helper()
	for _, p := range must[[]lifecycle.OpenPair](l)(l.Review.OpenPairs(l.ctx(), "shop", session, 3)) {
		ids = append(ids, p.Item.ID)
	}
	return ids
}

func TestAPairIsShownInThreeSessions(t *testing.T) {
	l := newLab(t)
	in := func(project string) string {
		l.later(time.Minute)
		of := func(d *brain.Details) { d.Project = project }
		a := l.remember("the port is 5432 in "+project, func(_ *brain.Memory, d *brain.Details) { of(d) })
		z := l.remember("our port is 5433 in "+project, func(_ *brain.Memory, d *brain.Details) { of(d) })
		return l.flag(brain.ReviewPair, nil, a, z).ID
	}
	none, shop, elsewhere := in(""), in("shop"), in("elsewhere")
	for _, session := range []string{"one", "one", "two", "three", "two"} {
		if got := l.openPairsIn(session); !slices.Equal(got, []string{shop, none}) {
			t.Errorf("session %s is shown %v, want %v and %v, not %v", session, got, shop, none, elsewhere)
		}
	}
	if got := l.openPairsIn("four"); len(got) > 0 {
		t.Errorf("a fourth session is shown %v", got)
	}
	if got := l.openPairsIn("three"); len(got) != 2 {
		t.Errorf("the third one is shown %v now", got)
	}
}

// The newest text of a pair is the one that was corrected last.
func TestNewerIsTheTextThatWasWrittenLast(t *testing.T) {
	l := newLab(t)
	a := l.remember("the port is 5431", nil)
	l.later(time.Minute)
	z := l.remember("the port is 5433", nil)
	l.later(time.Minute)
	ran[brain.Memory](l)(l.Capture.Correct(l.ctx(), a, "", "the port is 5432"))
	l.decide(l.flag(brain.ReviewPair, nil, l.show(a).Memory.ID, z).ID, brain.VerdictNewer, "")
	if got := l.show(z).Memory; got.Content != "the port is 5432" {
		t.Errorf("kept %q", got.Content)
	}
}

func TestReviewsAreInABackup(t *testing.T) {
	if !slices.Contains(brain.RecordKinds(), brain.ReviewRecord) {
		t.Error("the queue is in no backup")
	}
}

// keptApart returns the fingerprints of memories that are not to be merged.
func (l *lab) keptApart() map[string]bool {
	l.t.Helper()
	apart := map[string]bool{}
	for _, item := range must[[]brain.ReviewItem](l)(l.Review.Reviews(l.ctx(), "")) {
		if item.KeepsApart() {
			apart[item.Fingerprint] = true
		}
	}
	return apart
}
